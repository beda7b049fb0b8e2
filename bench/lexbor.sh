#!/usr/bin/env bash
# Builds the contender `lexbor`: bench/lexbor.c with lexbor's C source, which is in the source package of PyPI's selectolax.
# Needs pip and a C compiler. `cargo xtask bench --peers` finds it in the target folder.
set -euo pipefail
cd "$(dirname "$0")/.."
work=${CARGO_TARGET_DIR:-target}/lexbor
version=1.0.2
mkdir -p "$work"
echo "selectolax==$version --hash=sha256:f0508ad927aa426425d4aa7a2bb2f8b21c01412534465bd227e241d4d0a6a418" >"$work/requirements.txt"
pip download --quiet --disable-pip-version-check --no-binary :all: --no-deps --require-hashes \
    --requirement "$work/requirements.txt" --dest "$work"
tar -xf "$work/selectolax-$version.tar.gz" -C "$work"
source=$work/selectolax-$version/lexbor/source
mapfile -t files < <(find "$source"/lexbor/{core,dom,html,ns,ports/posix,tag} -name '*.c')
"${CC:-cc}" -O3 -DNDEBUG -I"$source" -o "$work/lexbor" bench/lexbor.c "${files[@]}" -lm
