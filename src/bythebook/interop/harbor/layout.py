"""The names of Harbor's task format, as its documentation and its own loader have them.

task.toml  instruction.md
environment/Dockerfile          the image that the agent works in
tests/test.sh                   brought after the agent; writes /logs/verifier/reward.json
tests/Dockerfile                an image of its own for the tests, where Harbor knows such
solution/solve.sh               what its oracle agent runs
"""

CONFIG = "task.toml"
INSTRUCTION = "instruction.md"
ENVIRONMENT = "environment"
TESTS = "tests"
SOLUTION = "solution"
SCHEMA = "1.4"
"""Of task.toml; what is new in it is left aside by older versions of Harbor."""
APP = "/app"
RESULTS = "/app/results"
REWARD = "reward.json"
CONTENT = "content"
"""In the tests of an exported task: a content folder with the task as it was."""
REFERENCE = "reference"
"""In its solution: the right answer."""
