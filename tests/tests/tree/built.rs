//! The generated builders beside the interpreter: the same trees, places and errors, however the input comes.

use libtest_mimic::Failed;
use speclex::tree::{Context as Element, DocumentMode, Options, Space, TagAttributes, TreeError};
use speclex::{Dom, DomSink, NodeKind};
use speclex_analysis::tree::{
    Context, ContextMode, Environment, Event, Node, Parsed, Scripting, Tree,
};
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::{CONTEXTS, document, select, xml};
use speclex_tests::{files, shared};

use crate::html::Pair;

/// What a builder makes of an input in pieces.
type Build = for<'p, 't> fn(&'t str, &'p [&'p str], &'p Environment) -> Dom<'t>;

/// What a builder makes of a text, without errors.
type Parse = for<'t> fn(&'t str) -> Dom<'t>;

macro_rules! builders {
    ($($name:literal => $module:ident),* $(,)?) => {
        /// The generated builders, by the names of their tables.
        pub(crate) const BUILDERS: &[(&str, Build, Parse)] =
            &[$(($name, $module, speclex_tokenizers::$module::parse)),*];

        $(fn $module<'t>(input: &'t str, pieces: &[&str], environment: &Environment) -> Dom<'t> {
            use speclex_tokenizers::$module::{Builder, NAMES, Parser};
            let sink = DomSink::<true>::new(input, &NAMES);
            let options = options(environment);
            let mut builder = match &environment.context {
                None => Builder::new(sink, &options),
                Some(context) => Builder::for_fragment(sink, &options, element(context)),
            };
            let content = builder.first_content();
            let mut parser = Parser::new(builder);
            if let Some(content) = content {
                parser
                    .enter(content)
                    .expect("the tokenizer has all contents");
            }
            for piece in pieces {
                parser.feed(piece).expect("nothing is too large");
            }
            parser.end().expect("nothing is too large");
            parser.into_sink().into_sink().finish()
        })*
    };
}

speclex_tokenizers::for_each_tree!(builders);

/// The tables of those of HTML.
pub(crate) fn of_html() -> Vec<&'static str> {
    let tables = BUILDERS.iter().map(|(table, ..)| *table);
    tables.filter(|table| table.starts_with("html")).collect()
}

pub(crate) fn options(environment: &Environment) -> Options {
    let mut options = Options::default();
    options.scripting = match environment.scripting {
        Scripting::Normal => speclex::tree::Scripting::Normal,
        Scripting::Disabled => speclex::tree::Scripting::Disabled,
        Scripting::Inert => speclex::tree::Scripting::Inert,
        Scripting::Fragment => speclex::tree::Scripting::Fragment,
    };
    options.context_mode = match environment.context_mode {
        ContextMode::NoQuirks => DocumentMode::NoQuirks,
        ContextMode::LimitedQuirks => DocumentMode::LimitedQuirks,
        ContextMode::Quirks => DocumentMode::Quirks,
    };
    options.is_srcdoc = environment.is_srcdoc;
    options
}

pub(crate) fn element<N>(context: &Context) -> Element<'_, N> {
    Element {
        node: None,
        space: match context.space.as_str() {
            "SVG" => Space::Svg,
            "MathML" => Space::MathMl,
            _ => Space::Html,
        },
        local: &context.name,
        attributes: TagAttributes::NONE,
        ancestors: &[],
    }
}

/// Where a tag, text or comment stands: its name, its start and, of an element, its end tag.
type Place = (String, Option<(u64, u64)>, Option<(u64, u64)>);

fn places(tree: &Tree) -> Vec<Place> {
    let pair = |span: std::ops::Range<u64>| (span.start, span.end);
    let events = tree.events().filter_map(|(event, _)| match event {
        Event::Enter(id) => Some(id),
        Event::Leave(_) => None,
    });
    // The root is not part of the result.
    let places = events.skip(1).filter_map(|id| {
        let (name, end) = match tree.node(id) {
            Node::Element(element) => (element.name.to_string(), element.end_tag.clone()),
            Node::Text(_) => ("text".to_owned(), None),
            Node::Comment(_) => ("comment".to_owned(), None),
            _ => return None,
        };
        Some((name, tree.span(id).map(pair), end.map(pair)))
    });
    let mut places: Vec<_> = places.collect();
    places.sort_unstable();
    places
}

fn places_of_dom(dom: &Dom<'_>) -> Vec<Place> {
    let pair = |span: speclex::Span| (span.start, span.end);
    let mut roots = vec![dom.root()];
    let mut places = Vec::new();
    while let Some(root) = roots.pop() {
        for node in root.descendants() {
            roots.extend(node.template_contents());
            let name = match node.kind() {
                NodeKind::Element => node.name().unwrap_or_default(),
                NodeKind::Text(_) => "text",
                NodeKind::Comment(_) => "comment",
                _ => continue,
            };
            let (span, end) = (node.span(), node.end_tag());
            places.push((name.to_owned(), span.map(pair), end.map(pair)));
        }
    }
    places.sort_unstable();
    places
}

/// Whether the builder of a table, if there is one, makes the same of an input as the interpreter.
pub(crate) fn compare(
    pair: &Pair,
    parsed: &Parsed,
    input: &str,
    environment: &Environment,
    pieces: &[&str],
) -> Result<(), Failed> {
    let Some((_, build, _)) = BUILDERS.iter().find(|(table, ..)| *table == pair.tree.name) else {
        return Ok(());
    };
    let built = build(input, pieces, environment);
    let context = environment.context.as_ref().map(|it| &it.name);
    let how = format!("{pieces:?}, context {context:?}");
    is_same(pair, parsed, &built, input, &how)
}

/// Whether the builder of a table makes the same of a document as the interpreter where it reports no errors.
pub(crate) fn compare_without_errors(
    pair: &Pair,
    parsed: &Parsed,
    input: &str,
) -> Result<(), Failed> {
    let parse = BUILDERS.iter().find(|(table, ..)| *table == pair.tree.name);
    let Some(built) = parse.map(|(_, _, parse)| parse(input)) else {
        return Ok(());
    };
    match parsed.tree.dump() == built.dump() && places(&parsed.tree) == places_of_dom(&built) {
        true => Ok(()),
        false => Err(format!("{input:?} without errors: {}", built.dump()).into()),
    }
}

/// Whether a builder has made the same of an input as the interpreter.
pub(crate) fn is_same(
    pair: &Pair,
    parsed: &Parsed,
    built: &Dom<'_>,
    input: &str,
    how: &str,
) -> Result<(), Failed> {
    let wrong = |what: &str, expected: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug| {
        let text =
            format!("{what} of {input:?} in {how}\ninterpreter {expected:#?}\nbuilder {found:#?}");
        Err(text.into())
    };
    let (expected, found) = (parsed.tree.dump(), built.dump());
    if expected != found {
        return wrong(
            "tree",
            &expected.lines().collect::<Vec<_>>(),
            &found.lines().collect::<Vec<_>>(),
        );
    }
    let (expected, found) = (places(&parsed.tree), places_of_dom(built));
    if expected != found {
        return wrong("places", &expected, &found);
    }
    let expected: Vec<TreeError> = (parsed.tree_errors.iter())
        .map(|error| TreeError {
            offset: error.offset,
            code: error.code,
            mode: built
                .errors()
                .iter()
                .map(|it| it.mode)
                .find(|it| *it == pair.tree.modes[error.mode].name)
                .unwrap_or("another"),
            kind: built
                .errors()
                .iter()
                .map(|it| it.kind)
                .find(|it| *it == pair.tree.kinds[error.kind].name)
                .unwrap_or("another"),
        })
        .collect();
    match expected == built.errors() {
        true => Ok(()),
        false => wrong("errors", &expected, &built.errors()),
    }
}

/// Cuts a text in some places.
pub(crate) fn cut<'t>(input: &'t str, random: &mut Random) -> Vec<&'t str> {
    let every = 1 + random.below(12);
    let mut pieces = Vec::new();
    let mut rest = input;
    while !rest.is_empty() {
        let at = rest
            .char_indices()
            .map(|(at, _)| at)
            .nth(1 + random.below(every));
        let (piece, others) = rest.split_at(at.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = others;
    }
    pieces
}

/// What patches content, in the revisions that know that.
const PATCHES: &[&str] = &[
    "<?start name=\"a\"?>",
    "<?start name='b' ?>",
    "<?marker x=\"y\" name = '&#x61;'?>",
    "<?marker name=a?>",
    "<?start name='a'x='&amp;'?>",
    "<?end?>",
    "<template for=a>",
    "<template for=b>x",
    "</template>",
    "<p>",
    "<b>",
];

/// Random documents and fragments, whole and in pieces.
fn random_documents(wanted: usize, random: &mut Random) -> Result<(), Failed> {
    let contexts: Vec<_> = CONTEXTS
        .split(' ')
        .map(|name| name.replace('·', " "))
        .collect();
    for (table, ..) in BUILDERS {
        let pair = Pair::named(table);
        for _ in 0..wanted / BUILDERS.len() {
            let mut input = match random.below(3) {
                _ if pair.tree.fragments.is_none() => xml(random),
                0 => select(random),
                _ => document(random),
            };
            if random.below(4) == 0 {
                input.iter_mut().for_each(|piece| {
                    if random.below(3) == 0 {
                        *piece = (*random.one(PATCHES)).to_owned();
                    }
                });
            }
            let input = input.concat();
            let has_context = pair.tree.fragments.is_some() && random.below(4) == 0;
            let context = has_context.then(|| Context::parse(random.one::<String>(&contexts)));
            let environment = Environment {
                scripting: match (random.below(2), &context) {
                    (0, _) => Scripting::Disabled,
                    (_, None) => Scripting::Normal,
                    (_, Some(_)) => Scripting::Inert,
                },
                context,
                ..Environment::default()
            };
            let parsed = pair.parse(&input, &environment)?;
            compare(&pair, &parsed, &input, &environment, &[&input])?;
            compare(&pair, &parsed, &input, &environment, &cut(&input, random))?;
            if environment.context.is_none() && environment.scripting == Scripting::Disabled {
                compare_without_errors(&pair, &parsed, &input)?;
            }
        }
    }
    Ok(())
}

/// Trees of pages take at most two and a half times the text, beside the text.
fn memory() -> Result<(), Failed> {
    for class in ["web", "docs", "intl", "big"] {
        let Some(folder) = shared(&format!("corpora/html/{class}")) else {
            return Ok(());
        };
        let (mut text, mut trees) = (0, 0);
        for path in files(&folder, &["html"]) {
            let bytes = std::fs::read(path)?;
            let page = String::from_utf8_lossy(&bytes);
            text += page.len();
            trees += speclex_tokenizers::html_tree_2026_06::parse(&page).memory();
        }
        println!(
            "builders: trees of {class} take {:.2} times the text",
            trees as f64 / text as f64
        );
        if 2 * trees > 5 * text {
            return Err(format!("{class}: {trees} bytes for {text}").into());
        }
    }
    Ok(())
}

/// Pages, in pieces.
fn pages(every: usize) -> Result<(), Failed> {
    let pair = Pair::named("html-tree-2026-06");
    let mut random = Random::named("pages of builders");
    for class in ["web", "docs", "intl"] {
        let Some(folder) = shared(&format!("corpora/html/{class}")) else {
            return Ok(());
        };
        for path in files(&folder, &["html"]).iter().step_by(every) {
            let bytes = std::fs::read(path)?;
            let input = String::from_utf8_lossy(&bytes);
            let parsed = pair.parse(&input, &Environment::default())?;
            let pieces = cut(&input, &mut random);
            compare(&pair, &parsed, &input, &Environment::default(), &pieces).map_err(
                |failed| format!("{path:?}: {:.3000}", failed.message().unwrap_or_default()),
            )?;
        }
    }
    Ok(())
}

/// How many random documents are many, unless the environment variable `DOCUMENTS` has another number.
const MANY: usize = 100_000;

/// Adds the cases. `DOCUMENTS=1000000 cargo test -p speclex-tests --test tree -- --ignored builders` takes more documents.
pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("builders: random documents", || {
        random_documents(6_000, &mut Random::named("builders"))
    });
    suite.add_trial("builders: pages", || pages(40));
    suite.add_trial("builders: memory of pages", memory);
    suite.add_ignored("builders: many random documents", || {
        let wanted = std::env::var("DOCUMENTS").map_or(Ok(MANY), |number| number.parse())?;
        random_documents(wanted, &mut Random::named("many builders"))
    });
    suite.add_ignored("builders: all pages", || pages(1));
}
