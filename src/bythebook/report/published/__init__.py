"""What the two papers report: their tables as data, each figure with its place in their text."""
