"""Checks offered for a task: of one kind, as strict as the task's own right answers allow.

A check is offered only if it loads, locates by nothing that the task does not say, and every
reference passes it. What cannot be derived is offered as a form to be filled in.
"""
