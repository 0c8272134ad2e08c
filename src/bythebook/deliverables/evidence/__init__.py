"""What a judge can know of handed-over files: read once, within limits, and kept."""
