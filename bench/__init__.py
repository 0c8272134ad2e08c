"""What bythebook costs, measured: budgets of the design, and a peer doing the same work."""
