#!/usr/bin/env bash
# Builds the archive of a release and tries it out in an empty folder:
#
#   tools/package.sh [TARGET]
#
# TARGET is a target of rustc, e.g. x86_64-unknown-linux-musl (a static binary); without it, this machine's. The
# archive and its SHA-256 come to target/package. It holds the binary, README.md, LICENSE, CHANGELOG.md, engine.toml,
# the manual page, completions for shells, documents and examples.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=clavier-$version-$target
output=$PWD/target/package
case $target in
    *windows*) suffix=.exe archive=$name.zip ;;
    *) suffix='' archive=$name.tar.gz ;;
esac

build() {
    # A static binary needs no cross compiler where only the C library differs: the few lines of assembly that a
    # dependency brings are the same.
    case $host/$target in
        x86_64-*-linux-gnu/x86_64-unknown-linux-musl | aarch64-*-linux-gnu/aarch64-unknown-linux-musl)
            command -v musl-gcc >/dev/null || export TARGET_CC=${TARGET_CC:-cc}
            ;;
    esac
    cargo build --locked --release --target "$target"
}

# The folder that becomes the archive.
fill() {
    local folder=$1 engine=$2 shell
    mkdir -p "$folder/completions" "$folder/man"
    cp "target/$target/release/clavier$suffix" "$folder/"
    cp README.md LICENSE CHANGELOG.md CONTRIBUTING.md engine.toml "$folder/"
    cp -R docs examples "$folder/"
    for shell in bash zsh fish powershell elvish; do
        "$engine" completions $shell >"$folder/completions/clavier.$shell"
    done
    "$engine" man >"$folder/man/clavier.1"
}

pack() {
    case $target in
        *windows*)
            if command -v 7z >/dev/null; then 7z a -bso0 "$archive" "$name"; else zip -qr "$archive" "$name"; fi
            ;;
        *) tar --create --gzip --file "$archive" "$name" ;;
    esac
}

unpack() {
    case $target in
        *windows*) if command -v 7z >/dev/null; then 7z x -bso0 "$1"; else unzip -q "$1"; fi ;;
        *) tar --extract --gzip --file "$1" ;;
    esac
}

checksum() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi
}

# The engine of an unpacked archive plays, and nothing it finds is broken.
try_out() {
    local folder answer
    folder=$(mktemp -d)
    cd "$folder"
    unpack "$1"
    export XDG_CONFIG_HOME=$folder/settings
    ls -l "$name"
    "./$name/clavier$suffix" doctor
    # The end of the input lets a search with a limit finish.
    answer=$(printf 'uci\nposition startpos moves e2e4\ngo depth 8\n' | "./$name/clavier$suffix")
    grep -q '^uciok' <<<"$answer"
    grep '^bestmove [a-h][1-8][a-h][1-8]' <<<"$answer"
    cd "$output"
    rm -rf "$folder"
}

build
runs_here() { "target/$target/release/clavier$suffix" --version >/dev/null 2>&1; }
if runs_here; then
    engine=target/$target/release/clavier$suffix
else
    # Pages and completions are the same on all platforms.
    cargo build --locked --release
    engine=target/release/clavier
fi
rm -rf "${output:?}/$name" "$output/$name".*
mkdir -p "$output/$name"
fill "$output/$name" "$engine"
tried=
runs_here && tried=yes
cd "$output"
pack
checksum "$archive" >"$name.sha256"
[ -z "$tried" ] || try_out "$output/$archive"
printf '%s: %d bytes, binary %d bytes\n' "$archive" "$(wc -c <"$archive")" "$(wc -c <"$name/clavier$suffix")"
cat "$name.sha256"
