#!/usr/bin/env bash
# Published crates that parse with html5ever: those of ports.tsv, or those of them that are named. Runs their test suites with
# `[patch.crates-io]` and the package `html5ever-patch`, as docs/porting.md says. With --speed, runs each beside the published
# crate on pages instead, with one dependency changed, and prints how many times as fast it is. Says loudly when there is no
# registry, and fails then if CI is set.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD/html5ever
package=$PWD/html5ever-patch
work=$PWD/target/ports
pages=${SPECLEX_SHARED:-$PWD/../shared}/corpora/html
does_speed=
[[ ${1:-} == --speed ]] && { does_speed=1; shift; }
mkdir -p "$work/fetch/src" "$work/speed"
: >"$work/fetch/src/lib.rs"
speed=$work/speed/Cargo.toml
printf '[package]\nname = "speed"\nedition = "2024"\n[[bin]]\nname = "speed"\npath = "%s"\n[dependencies]\n' \
    "$here/ports-speed.rs" >"$speed"
ported=()

while IFS=$'\t' read -r name version sum tests; do
    [[ $name == \#* ]] && continue
    (($# == 0)) || [[ " $* " == *" $name "* ]] || continue
    echo "== $name $version"
    printf '[package]\nname = "fetch"\n[dependencies]\n%s = "=%s"\n' "$name" "$version" >"$work/fetch/Cargo.toml"
    rm -f "$work/fetch/Cargo.lock"
    if ! metadata=$(cd "$work/fetch" && cargo metadata --quiet --format-version 1); then
        echo "SKIPPED, $name WAS NOT TESTED: it cannot be had from the registry" >&2
        [[ -z ${CI:-} ]] || exit 1
        continue
    fi
    # Cargo compares what it downloads with the lock file, and here the lock file is compared.
    if ! grep -A 3 "^name = \"$name\"$" "$work/fetch/Cargo.lock" | grep -q "^checksum = \"$sum\"$"; then
        echo "error: $name $version is not the package that ports.tsv names" >&2
        exit 1
    fi
    manifest=$(grep -o "\"manifest_path\":\"[^\"]*/$name-$version/Cargo.toml\"" <<<"$metadata" | cut -d '"' -f 4)
    port=$work/$name-$version
    rm -rf "$port"
    cp -r "$(dirname "$manifest")" "$port"
    if [[ -n $does_speed ]]; then
        # In a published manifest the dependency is a table whose first line is its version.
        line="package = \"speclex-html5ever\"\npath = \"$here\""
        sed -i "/^\[dependencies.html5ever\]\$/{n;s|^version = .*|$line|}" "$port/Cargo.toml"
        grep -q '^package = "speclex-html5ever"$' "$port/Cargo.toml"
        ported+=("$name")
        printf 'published_%s = { package = "%s", version = "=%s" }\n' "$name" "$name" "$version" >>"$speed"
        printf 'ported_%s = { package = "%s", path = "%s" }\n' "$name" "$name" "$port" >>"$speed"
        continue
    fi
    # kuchikiki names 0.35, but builds with 0.40.
    sed -i '/^\[dependencies.html5ever\]$/{n;s|^version = "0.35.*|version = "0.40"|}' "$port/Cargo.toml"
    printf '\n[patch.crates-io]\nhtml5ever = { path = "%s" }\n' "$package" >>"$port/Cargo.toml"
    # What was locked when the crate was published may be older than the package.
    patched=$(cd "$port" && cargo update --quiet html5ever && cargo tree --quiet --invert html5ever --depth 0)
    echo "$patched"
    [[ $patched == *"($package)"* ]]
    log=$work/$name.log
    (cd "$port" && CARGO_TARGET_DIR=../build cargo test --quiet) >"$log" 2>&1 || {
        cat "$log" >&2
        exit 1
    }
    passed=$(sed -n 's/^test result: ok\. \([0-9]*\) passed.*/\1/p' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
    echo "$passed tests passed"
    if [[ $passed != "$tests" ]]; then
        echo "error: $tests tests pass with html5ever" >&2
        exit 1
    fi
done <"$here/ports.tsv"

if [[ -n $does_speed ]]; then
    { echo "[features]"; sed '/^#/d; s/\t.*/ = []/' "$here/ports.tsv"; } >>"$speed"
    cd "$work/speed"
    CARGO_TARGET_DIR=../build cargo run --quiet --release --features "${ported[*]}" -- "$pages"
fi
