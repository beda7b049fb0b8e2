#!/usr/bin/env bash
# Prints a table of what `tokenizer!` costs the crate that uses it, beside the derive of logos: medians.
#
#     bench/macro-cost.sh [ROUNDS]        (default 5; logos comes from the registry)
#
# CPU is user + system time of all processes, which other load on the machine disturbs less than the clock.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
rounds=${1:-5}
work=$root/target/macro-cost
samples=$work/samples
rm -rf "$work"
mkdir -p "$work"

# package NAME DEPENDENCY, with the program on standard input.
package() {
    mkdir -p "$work/$1/src"
    printf '[package]\nname = "%s"\nedition = "2024"\n[dependencies]\n%s\n[workspace]\n[profile.dev]\n%s\n' \
        "$1" "$2" "incremental = false" >"$work/$1/Cargo.toml"
    cat >"$work/$1/src/main.rs"
    (cd "$work/$1" && cargo fetch --quiet)
}

# timed NAME COMMAND...: notes CPU and wall seconds of the command as samples of NAME.
timed() {
    local name=$1 TIMEFORMAT='%U %S %R' user system wall
    shift
    { time "$@" >"$work/log" 2>&1; } 2>"$work/time" || { cat "$work/log" >&2 && exit 1; }
    read -r user system wall <"$work/time"
    echo "$name $(awk "BEGIN { print $user + $system }") $wall" >>"$samples"
}

# median NAME COLUMN
median() {
    awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$samples" | sort -n |
        awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

build() { cargo build --quiet --offline --manifest-path "$work/$1/Cargo.toml" "${@:2}"; }

# program NAME OPTIONS...: builds what depends on nothing new, and only the program itself.
program() {
    build "$@" && touch "$work/$1/src/main.rs"
}

# expansion NAME OPTIONS...: notes the seconds that the compiler spends in the program's macros, as it says itself.
expansion() {
    touch "$work/$1/src/main.rs"
    (cd "$work/$1" && RUSTC_BOOTSTRAP=1 cargo rustc --quiet --offline "${@:3}" -- -Ztime-passes) >"$work/log" 2>&1
    awk -v name="$2" '/macro_expand_crate/ { print name, $2 + 0, $2 + 0 }' "$work/log" >>"$samples"
}

# crates NAME: how many it depends on.
crates() {
    cargo tree --offline --prefix none --edges normal,build --manifest-path "$work/$1/Cargo.toml" |
        sed 's/ (.*//' | sort -u | tail -n +2 | wc -l
}

speclex="speclex = { path = \"$root/runtime\" }"
package words "$speclex" <<'RUST'
speclex::tokenizer! {
    mod words = inline r#"
        table: words
        vocabulary: {tokens: {word: {text: text}}}
        entry states: {data: between words}
        states:
          between words:
            consume:
              U+0020, U+000A: ignore
              EOF: emit EOF
              anything else: [create a word token, reconsume in word]
          word:
            consume:
              U+0020, U+000A, EOF: [emit the word token, reconsume in between words]
              anything else: append the current input character to the text
    "#;
}

fn main() {
    println!("{}", words::tokens("hello, world").count());
}
RUST
package with-logos 'logos = "0.16"' <<'RUST'
use logos::Logos;

#[derive(Logos)]
#[logos(skip r"[ \n]+")]
enum Token {
    #[regex(r"[^ \n]+")]
    Word,
}

fn main() {
    println!("{}", Token::lexer("hello, world").filter(|token| matches!(token, Ok(Token::Word))).count());
}
RUST
package html "$speclex" <<'RUST'
speclex::tokenizer! {
    mod html = builtin "html-living";
}

struct Nothing;

impl html::Sink for Nothing {}

fn main() -> std::io::Result<()> {
    let text = std::io::read_to_string(std::io::stdin())?;
    let mut tokenizer = html::Tokenizer::new(Nothing);
    let _ = tokenizer.feed(&text).and_then(|_| tokenizer.end());
    Ok(())
}
RUST
package without "$speclex" <<'RUST'
fn main() -> std::io::Result<()> {
    let text = std::io::read_to_string(std::io::stdin())?;
    println!("{}", text.len());
    Ok(())
}
RUST

optimised=(--config 'profile.dev.build-override.opt-level=3')
for round in $(seq "$rounds"); do
    pair=(words with-logos)
    ((round % 2)) || pair=(with-logos words)
    for name in "${pair[@]}"; do
        rm -rf "$work/$name/target"
        timed "$name" build "$name"
    done
done
for name in html without; do
    program "$name" && program "$name" --release
    for _ in $(seq "$rounds"); do
        timed "$name-debug" build "$name" && touch "$work/$name/src/main.rs"
        timed "$name-release" build "$name" --release && touch "$work/$name/src/main.rs"
    done
done
program html "${optimised[@]}"
for _ in $(seq "$rounds"); do expansion html expansion-optimised "${optimised[@]}"; done
program html
for _ in $(seq "$rounds"); do expansion html expansion-debug; done

row() { printf '| %-62s | %8s | %8s |\n' "$@"; }
row "median of $rounds" "CPU s" "wall s"
row "---" "--:" "--:"
row "cold debug build, a small table by the macro" "$(median words 2)" "$(median words 3)"
row "cold debug build, a small derive of logos" "$(median with-logos 2)" "$(median with-logos 3)"
row "ratio" "$(awk "BEGIN { printf \"%.2f\", $(median words 2) / $(median with-logos 2) }")" \
    "$(awk "BEGIN { printf \"%.2f\", $(median words 3) / $(median with-logos 3) }")"
row "html-living, expansion, macro not optimised" "" "$(median expansion-debug 2)"
row "html-living, expansion, macro optimised" "" "$(median expansion-optimised 2)"
for profile in debug release; do
    row "crate with html-living, $profile" "$(median html-$profile 2)" "$(median html-$profile 3)"
    row "the same crate without it, $profile" "$(median without-$profile 2)" "$(median without-$profile 3)"
done
echo
echo "crates besides one's own: $(crates words) for speclex, $(crates with-logos) for logos"
