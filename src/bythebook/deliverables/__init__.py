"""The second suite: what was handed over, judged rubric item by rubric item.

task -> workspace -> results -> evidence -> checks and judges -> verdict
"""
