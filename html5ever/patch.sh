#!/usr/bin/env bash
# Makes a package called html5ever that parses with Speclex, for `[patch.crates-io]`: html5ever/patch.sh FOLDER. The folder gets a
# manifest, and in `original` the published html5ever, which has the tree builder and a name of its own: Cargo allows one html5ever
# 0.40 in a program. It names this clone by its path.
set -euo pipefail
[[ $# == 1 && $1 != -* ]] || { echo "usage: html5ever/patch.sh FOLDER" >&2; exit 2; }
[[ ! -e $1 ]] || { echo "error: $1 exists; remove it to make it anew" >&2; exit 2; }
clone=$(cd "$(dirname "$0")/.." && pwd)
# The version in Cargo.lock, which Cargo downloads and compares with its checksum.
version=$(sed -n '/^name = "html5ever"$/{n;s/^version = "\(.*\)"$/\1/p}' "$clone/Cargo.lock")
published=$(cd "$clone" && cargo metadata --locked --quiet --format-version 1 |
    grep -o "\"manifest_path\":\"[^\"]*/html5ever-$version/Cargo.toml\"" | cut -d '"' -f 4)
made=$1.new
rm -rf "$made"
mkdir -p "$made"
cp -r "$(dirname "$published")" "$made/original"
# The first of these lines is the package's name, the second the library's, which stays.
sed -i.published '0,/^name = "html5ever"$/s//name = "html5ever-original"/' "$made/original/Cargo.toml"
rm "$made/original/Cargo.toml.published"
cat >"$made/Cargo.toml" <<MANIFEST
# Made by Speclex's html5ever/patch.sh.
[package]
name = "html5ever"
version = "$version"
edition = "2024"
publish = false

[lib]
path = "$clone/html5ever/src/lib.rs"
doctest = false

[features]
serde = ["html5ever/serde"]
trace_tokenizer = ["html5ever/trace_tokenizer"]

[dependencies]
html5ever = { package = "html5ever-original", path = "original" }
speclex = { path = "$clone/runtime", default-features = false, features = ["simd", "std"] }

[dependencies.speclex-tokenizers]
path = "$clone/tokenizers"
default-features = false
features = ["html-2009", "html-2012", "html-2014", "html-2026-06", "html-living", "html-tree-2026-06"]

[workspace]
MANIFEST
mv "$made" "$1"
