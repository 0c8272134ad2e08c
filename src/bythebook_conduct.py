"""The conduct tasks of bythebook as an environment of verifiers: `vf-eval bythebook-conduct`."""

from bythebook.interop.rl.rollouts import (
    ConductEnv,
    ConductHarness,
    ConductTaskset,
    load_environment,
)

__all__ = ["ConductEnv", "ConductHarness", "ConductTaskset", "load_environment"]
