"""Tasks offered to players outside: one session, and the doors that lead to it."""
