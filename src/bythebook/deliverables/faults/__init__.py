"""Right deliverables made wrong on purpose: what checks and judges are tried on."""
