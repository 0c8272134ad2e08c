"""The customer: ten tools of their own, a scenario, and a voice.

What the customer decides depends only on rows; what they say only tells facts.
"""
