"""Right deliverables made wrong on purpose: each fault is known, so checks and judges can be tried."""
