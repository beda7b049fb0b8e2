//! Random documents and fragments: html5ever's trees beside those of the interpreter, equal but for known deviations.

mod common;
#[allow(dead_code)]
#[path = "common/deviations.rs"]
mod deviations;
#[path = "../../analysis/tests/analysis/common/mod.rs"]
mod machines;
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/random.rs"]
mod random;
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/random_documents.rs"]
mod random_documents;

use std::collections::BTreeMap;
use std::env;

use common::html5lib;
use deviations::{DEVIATIONS, Input, TREE};
use random::Random;
use random_documents::{CONTEXTS, document};
use speclex_analysis::tree::{Context, Environment, Scripting, parse};
use speclex_codegen::Source;
use speclex_codegen::machine::Machine;
use speclex_codegen::tree::{TreeMachine, Vocabulary, load};

/// Both parsers.
struct Parsers {
    tree: TreeMachine,
    tokenizer: Machine,
}

impl Parsers {
    fn new() -> Self {
        let table = speclex_tables::tree(TREE).expect("a table");
        let source = Source {
            name: table.file.to_owned(),
            text: table.text.to_owned(),
        };
        let vocabulary = |name: &str| Some(Vocabulary::from(&machines::machine(name)));
        let loaded = load(source, &|_| None, &vocabulary);
        let tree = loaded
            .unwrap_or_else(|e| panic!("{}", e.render(false)))
            .machine;
        let tokenizer = machines::machine(&tree.tokenizer);
        Self { tree, tokenizer }
    }

    /// The trees: ours and html5ever's.
    fn trees(&self, input: &Input) -> [String; 2] {
        let environment = Environment {
            scripting: match (input.scripting, &input.context) {
                (false, _) => Scripting::Disabled,
                (true, None) => Scripting::Normal,
                (true, Some(_)) => Scripting::Inert,
            },
            context: input.context.as_deref().map(Context::parse),
            ..Environment::default()
        };
        let parsed = parse(&self.tokenizer, &self.tree, &input.text, &environment);
        let ours = parsed
            .unwrap_or_else(|e| panic!("{input:?}: {e}"))
            .tree
            .dump();
        let theirs =
            html5lib::Tree::parse(&input.text, input.context.as_deref(), input.scripting, None);
        [ours.trim_end_matches('\n').to_owned(), theirs.dump]
    }

    fn differ(&self, input: &Input) -> bool {
        let [ours, theirs] = self.trees(input);
        ours != theirs
    }
}

/// Compares that many documents.
fn compare(wanted: usize, random: &mut Random) {
    let parsers = Parsers::new();
    let contexts: Vec<_> = CONTEXTS
        .split(' ')
        .map(|name| name.replace('·', " "))
        .collect();
    let mut plain = 0;
    let mut deviating: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for _ in 0..wanted {
        let mut pieces = document(random);
        let context = (random.below(4) == 0).then(|| random.one(&contexts).as_str());
        let scripting = random.below(2) == 0;
        let input = |pieces: &[String]| Input::new(pieces.concat(), context, scripting);
        let known = |input: &Input| DEVIATIONS.iter().find(|it| it.may_show(input));
        let is_wrong =
            |pieces: &[String]| known(&input(pieces)).is_none() && parsers.differ(&input(pieces));
        // Not the tree builder's: what the element shows when it is inserted, moved or removed is done by the DOM, and the one of
        // html5ever's tests only clones options that are popped.
        let is_the_doms = pieces
            .iter()
            .any(|piece| piece.contains("<selectedcontent"));
        let what = known(&input(&pieces)).map(|deviation| deviation.what);
        if let Some(what) = what.or_else(|| is_the_doms.then_some("selectedcontent")) {
            let differs = parsers.differ(&input(&pieces));
            *deviating.entry((what, differs)).or_default() += 1;
            continue;
        }
        plain += 1;
        if is_wrong(&pieces) {
            while let Some(fewer) = without_one(&pieces).into_iter().find(|it| is_wrong(it)) {
                pieces = fewer;
            }
            let [ours, theirs] = parsers.trees(&input(&pieces));
            panic!("{:?}\nours\n{ours}\ntheirs\n{theirs}", input(&pieces));
        }
    }
    eprintln!(
        "{plain} of {wanted} documents have no deviation; others, and whether they differ: {deviating:#?}"
    );
    assert!(plain * 10 >= wanted * 6, "{plain} of {wanted}");
}

/// All but one of the pieces, for each.
fn without_one(pieces: &[String]) -> Vec<Vec<String>> {
    let all = 0..pieces.len();
    all.map(|at| [&pieces[..at], &pieces[at + 1..]].concat())
        .collect()
}

#[test]
fn trees_of_random_documents_are_html5ever_s() {
    compare(3_000, &mut Random::named("random trees"));
}

/// The same with more: `SPECLEX_SEED=7 cargo test -p speclex-html5ever --test random_trees -- --ignored`.
#[test]
#[ignore = "takes ten seconds and more; .ci/run runs it"]
fn trees_of_more_documents_are_html5ever_s() {
    let seed = env::var("SPECLEX_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    compare(20_000, &mut Random::new(seed));
}

/// Each deviation shows in its document, which has no other; and no tag can go.
#[test]
fn deviations_show() {
    let parsers = Parsers::new();
    for deviation in DEVIATIONS {
        let (text, context) = deviation.shortest;
        let input = |text: String| Input::new(text, context, false);
        assert!(parsers.differ(&input(text.to_owned())), "{text}");
        let known = DEVIATIONS
            .iter()
            .filter(|it| it.may_show(&input(text.to_owned())));
        let known: Vec<_> = known.map(|it| it.what).collect();
        assert_eq!(known, [deviation.what], "{text}");
        let pieces: Vec<_> = text.split_inclusive('>').map(str::to_owned).collect();
        for fewer in without_one(&pieces) {
            assert!(!parsers.differ(&input(fewer.concat())), "{text}: {fewer:?}");
        }
    }
}
