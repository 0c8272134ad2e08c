#!/bin/bash
# Brings what judges. The image of the tests runs it when it is built; test.sh, where there is none.
set -euo pipefail
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
wanted=@REQUIREMENT@

if ! command -v soffice >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    libreoffice-calc libreoffice-writer libreoffice-impress bubblewrap \
    fonts-liberation fonts-noto-cjk >/dev/null
fi
case $wanted in
  *.whl) wanted=$tests/$wanted ;;
esac
python3 -m venv /opt/bythebook
/opt/bythebook/bin/pip install -q --disable-pip-version-check --no-cache-dir "$wanted"
