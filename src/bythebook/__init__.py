"""bythebook: did the agent do the work, and did it do it by the rules?"""

__version__ = "0.1.0"
