#!/usr/bin/env bash
# Builds the programs for Linux into the overlay, and lists them: those for one core first. FireMarshal runs it in this folder.
set -euo pipefail
cd "$(dirname "$0")"
tests=../../../tests
root=overlay/root/hauberk
make --no-print-directory -s -C "$tests" linux
rm -rf "$root/bin"
mkdir -p "$root/bin"
make --no-print-directory -s -C "$tests" list list-multicore >"$root/programs"
while read -r program; do cp "$tests/build-linux/$program" "$root/bin/"; done <"$root/programs"
cp "$tests/build-linux/statistics" "$root/bin/"
make --no-print-directory -s -C "$tests/linux" build/user/hauberk-stat
cp "$tests/linux/build/user/hauberk-stat" "$root/bin/"
