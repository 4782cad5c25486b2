#!/usr/bin/env bash
# The figures of the AES cores, into results/bench/aes.json: latency and rate from simulation, area from Yosys.
set -euo pipefail
. "$(dirname "$0")/../scripts/shell.sh"
cd "$(dirname "$0")/.."
work=results/bench/build/aes
rm -rf "$work"
mkdir -p "$work/verilog" "$work/measured"
echo "bench/aes: simulating every core for its latency and rate, and writing its Verilog" >&2
HAUBERK_THOROUGH=1 HAUBERK_AES_MEASURES="$work/measured" ./sbt "++2.13.15 crypto/testOnly hauberk.crypto.RandomBlock*Spec" \
  "crypto/Test/runMain hauberk.bench.EmitAes $work/verilog" >"$work/sbt.log" 2>&1 ||
  { tail -40 "$work/sbt.log" >&2; echo "bench/aes: simulation or elaboration failed: see $work/sbt.log" >&2; exit 1; }
echo "bench/aes: synthesizing" >&2
bench/synth/aes_area "$work/verilog" "$work/measured" results/bench/aes.json
