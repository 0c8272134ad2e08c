"""From a survey of products to deliverable tasks: pool, interviews, scenarios, tasks and their
gates (StartupBench, Section 3.1, Figure 2 and Appendix A)."""
