#!/usr/bin/env bash
# Feeds random input, guided by coverage, to what reads the texts and files of others:
#
#   tools/fuzz.sh [SECONDS [TARGET...]]
#
# Needs a C++ compiler; cargo-fuzz works on the same folder, but is not needed. Each target (fuzz/targets, all by
# default) runs for SECONDS (60). Input that breaks something is kept in target/fuzz/found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=${1:-60}
shift || true
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    for file in fuzz/targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Clink-dead-code -Ccodegen-units=1"
# With a target named, build scripts stay as they are.
cargo build --locked --release --manifest-path fuzz/Cargo.toml --target "$host" --target-dir target/fuzz
folder=target/fuzz
for target in "${targets[@]}"; do
    mkdir -p "$folder/corpus/$target" "$folder/found"
    printf '%s: ' "$target"
    "$folder/$host/release/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$folder/found/$target-" "$folder/corpus/$target" 2>"$folder/$target.log" ||
        { tail -n 30 "$folder/$target.log"; exit 1; }
    sed -n 's/^Done \([0-9]*\) runs.*/\1 runs/p' "$folder/$target.log"
done
