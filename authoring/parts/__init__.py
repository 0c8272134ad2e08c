"""What recipes share: making files. Never layouts, formulas, rules or prompts."""
