#!/usr/bin/env bash
# Builds the programs without an operating system. FireMarshal runs it.
set -euo pipefail
cd "$(dirname "$0")"
make --no-print-directory -s -C ../../../tests htif
