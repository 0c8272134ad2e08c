"""What a harness reaches from its sandbox: a model, and tools; keys stay outside."""
