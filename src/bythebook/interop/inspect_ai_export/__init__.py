"""Run folders as logs of Inspect, for `inspect view` and whatever else reads `.eval`."""
