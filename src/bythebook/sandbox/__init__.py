"""Where programs of others run: they have what they are given, and no network but doors."""
