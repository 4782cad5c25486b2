#!/usr/bin/env bash
# sbt for a machine that has none: fetches the launcher once, by Maven, then hands over to it.
set -euo pipefail
version=1.10.11
[ -n "${HOME:-}" ] || { unset HOME; HOME=~; export HOME; }
cache="${XDG_CACHE_HOME:-$HOME/.cache}/hauberk"
{ mkdir -p "$cache" && [ -w "$cache" ]; } 2>/dev/null ||
  { echo "sbt: nothing can be written to $cache: set XDG_CACHE_HOME to a folder of your own" >&2; exit 1; }
jar="$cache/sbt-launch-$version.jar"
if [ ! -f "$jar" ]; then
  command -v mvn >/dev/null || { echo "sbt: Maven is needed to fetch the sbt launcher: run scripts/setup" >&2; exit 1; }
  echo "sbt: fetching the sbt $version launcher into $cache" >&2
  mvn -q dependency:copy -Dartifact=org.scala-sbt:sbt-launch:$version -DoutputDirectory="$cache" >&2
fi
# Verilator compiles the tests' simulators with it: what two of them have in common is compiled once
export OBJCACHE="${OBJCACHE-$(command -v ccache || true)}"
# Each simulation has a folder of its own there, whose name must not make a difference
export CCACHE_BASEDIR="${CCACHE_BASEDIR-${TMPDIR:-/tmp}}"
# Without the second compiler of Java's machine: it takes longer than it saves where hardly anything runs for more than a minute, as when sources
# are compiled (`crypto/clean memory/clean memory/compile`: 33 s of CPU instead of 73), and saves nothing where simulators are waited for. The
# first alone gets 48 MB for what it compiles, which a build and its tests in one go fill; then it stops for good
exec java ${HAUBERK_JAVA_OPTS:--XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -Xmx3g -Xss64m} -Dsbt.color=false -Dsbt.supershell=false -Dsbt.server.autostart=false -Dsbt.server.forcestart=true \
  -jar "$jar" "$@"
