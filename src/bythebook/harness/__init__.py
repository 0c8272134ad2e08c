"""Agent programs of others: installed, set up, and played."""
