#!/bin/bash
# Judges what lies in /app/results, and writes /logs/verifier/reward.json. Where no verdict can be
# reached there is no reward: Harbor then counts an error of the trial, never a zero.
set -euo pipefail
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
results=/app/results
logs=/logs/verifier
judge=(@JUDGE@)

export PATH="/opt/bythebook/bin:$PATH"
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP
# What an agent may have left in a cache decides nothing.
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME

command -v bythebook >/dev/null || bash "$tests/setup.sh"
mkdir -p "$logs"
rm -rf "$logs/run" "$logs/reward.json" "$logs/reward.txt"

# A link in the place of the folder would hand over what the agent has not made.
handed=()
if [ -d "$results" ] && [ "$(realpath "$results")" = "$results" ]; then handed=("$results"); fi
bythebook submit @TASK@ "${handed[@]}" --agent harbor --content "$tests/content" --to "$logs/run"

judged=()
if ((${#judge[@]})); then
  judged=(--judged)
  bythebook judge "$logs/run" "${judge[@]}" --content "$tests/content" ||
    echo "the judge has left something open" >&2
fi
bythebook export harbor-reward "$logs/run" "${judged[@]}" --to "$logs"
