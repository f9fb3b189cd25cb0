#!/usr/bin/env bash
# Is the new build stronger than the old one? A sequential test (SPRT) of games between two binaries.
#
#   tools/gate.sh BASE NEW [fastchess arguments...]
#
# Needs fastchess or cutechess-cli in the path, or its name in $RUNNER, and openings in $BOOK (EPD).
# Settings, by environment: TC=1+0.01 (seconds), NODES= (nodes a move instead of a clock), ELO0=0, ELO1=20,
# ROUNDS=2000 (pairs at most), CONCURRENCY=cores, HASH=16 (MiB).
# Exit code: 0 the new one is better, 1 it is not, or not by then, 2 no test was possible.
set -euo pipefail

usage() { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
base=$1 new=$2
shift 2
runner=${RUNNER:-$(command -v fastchess || command -v cutechess-cli || true)}
[ -n "$runner" ] || { echo "gate: neither fastchess nor cutechess-cli is there; name one in \$RUNNER" >&2; exit 2; }
[ -r "${BOOK:-}" ] || { echo "gate: name a file of openings in \$BOOK" >&2; exit 2; }
for engine in "$base" "$new"; do
    [ -x "$engine" ] || { echo "gate: $engine cannot be run" >&2; exit 2; }
done

limit=(tc="${TC:-1+0.01}")
[ -z "${NODES:-}" ] || limit=(tc=inf nodes="$NODES")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$runner" \
    -engine cmd="$new" name=new -engine cmd="$base" name=base \
    -each proto=uci "${limit[@]}" option.Hash="${HASH:-16}" \
    -openings file="$BOOK" format=epd order=random \
    -games 2 -rounds "${ROUNDS:-2000}" -repeat -recover \
    -concurrency "${CONCURRENCY:-$(nproc 2>/dev/null || echo 1)}" \
    -sprt elo0="${ELO0:-0}" elo1="${ELO1:-20}" alpha=0.05 beta=0.05 "$@" | tee "$log" || exit 2
grep -q 'H1 was accepted' "$log"
