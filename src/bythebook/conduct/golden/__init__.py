"""Golden executions: one valid way to do a task, written down as a partial order of steps."""
