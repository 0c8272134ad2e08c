"""Models, each behind its provider's wire: `open_model(address("openai:gpt-x"), key, dice=...)`."""
