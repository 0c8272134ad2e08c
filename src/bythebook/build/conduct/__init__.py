"""`bythebook build conduct-task`: from procedures to a draft task, gate by gate."""
