//! Differences that are not in a state: how errors are compared, what is done on emitting, and where contents start.

use speclex_analysis::diff::{self, ErrorComparison, Report};
use speclex_codegen::machine::{Action, Body, ErrorId, Machine, Next, StateKind};

use super::{machine, table};

/// xml5, where the end of the input in an empty tag does at once what it leads to, with an error without a name.
fn one_error_unnamed() -> Machine {
    let mut machine = machine("xml5");
    let unnamed = ErrorId(u32::try_from(machine.errors.len()).expect("few errors"));
    machine.errors.push("parse-error".to_owned());
    let mut body = at_end(&mut machine, "tag attribute name before").clone();
    assert_eq!(unname(&mut body, unnamed), 1);
    *at_end(&mut machine, "empty tag") = body;
    machine
}

/// What a state does at the end of the input.
fn at_end<'m>(machine: &'m mut Machine, name: &str) -> &'m mut Body {
    let mut states = machine.states.iter_mut();
    let state = states.find(|state| state.name == name);
    match &mut state.expect("a state").kind {
        StateKind::Consume(consume) => &mut consume.eof,
        _ => panic!("{name} consumes nothing"),
    }
}

/// Takes the names from the errors of a body; how many there are.
fn unname(body: &mut Body, unnamed: ErrorId) -> usize {
    let mut count = 0;
    for action in &mut body.actions {
        if let Action::Error(error) = action {
            *error = unnamed;
            count += 1;
        }
    }
    if let Next::If {
        then, otherwise, ..
    } = &mut body.next
    {
        count += unname(then, unnamed) + unname(otherwise, unnamed);
    }
    count
}

#[test]
fn an_error_without_a_name_is_not_any_where_both_tables_name_errors() {
    let (base, mutant) = (machine("xml5"), one_error_unnamed());
    let searched = diff::first_difference(&base, &mutant);
    let witness = searched.witnesses.first().expect("a witness");
    assert_eq!(witness.kind, diff::Kind::Errors);
    let codes = witness
        .outputs
        .each_ref()
        .map(|output| output.errors[0].code.as_str());
    assert_eq!(
        codes,
        ["eof-in-tag", "parse-error"],
        "on {:?}",
        witness.input
    );
    let structure = diff::compare(&base, &mutant, false);
    assert_eq!(structure.structure.arms.len(), 1);
    assert_eq!(structure.compared, ErrorComparison::Codes);
}

#[test]
fn against_a_table_without_names_errors_are_compared_by_presence() {
    let base = machine("html-living");
    let mut unnamed = base.clone();
    unnamed.errors.fill("parse-error".to_owned());
    let diff = diff::compare(&base, &unnamed, true);
    assert!(!diff.differs());
    let report = Report::new(&diff);
    assert_eq!(
        report.compared,
        ["tokens", "presence of errors", "positions"]
    );
    let first = diff::text(&report, false).replace('\n', " ");
    assert!(
        first.contains("The comparison covers tokens, presence of errors and positions."),
        "{first}"
    );
    assert!(first.contains("No difference was found"), "{first}");
}

fn parts(one: &Machine, other: &Machine) -> Vec<&'static str> {
    let diff = diff::compare(one, other, false);
    assert_eq!(diff.differs(), !diff.tables.is_empty());
    diff.tables.iter().map(|row| row.part.name()).collect()
}

#[test]
fn the_structure_has_what_is_done_on_emitting() {
    let base = machine("html-living");
    let mut mutant = base.clone();
    let steps = mutant.on_emit.iter_mut().map(|on_emit| &mut on_emit.steps);
    let steps = steps.max_by_key(|steps| steps.len()).expect("steps");
    steps.pop();
    assert_eq!(parts(&base, &mutant), ["on emitting"]);
    let diff = diff::compare(&base, &mutant, true);
    let behaviour = diff.behaviour.expect("a search");
    assert_eq!(behaviour.causes.len(), 1);
    assert_eq!(behaviour.causes[0].role, diff::Role::Cause);
}

#[test]
fn the_structure_has_where_contents_start() {
    let base = machine("html-living");
    let start = |machine: &Machine, name: &str| {
        let index = machine
            .vocabulary
            .contents
            .iter()
            .position(|content| content == name);
        let index = u32::try_from(index.expect("a content")).expect("few contents");
        let mut entries = machine.entries.iter();
        entries
            .position(|entry| entry.content == index)
            .expect("an entry")
    };
    let mut mutant = base.clone();
    let (rcdata, rawtext) = (start(&base, "RCDATA"), start(&base, "RAWTEXT"));
    mutant.entries[rcdata].state = base.entries[rawtext].state;
    assert_eq!(parts(&base, &mutant), ["entry states"]);
    let diff = diff::compare(&base, &mutant, true);
    let behaviour = diff.behaviour.expect("a search");
    assert_eq!(behaviour.causes.len(), 1);
    assert_eq!(behaviour.causes[0].role, diff::Role::Cause);

    // The first entry is that of the initial state.
    let mut swapped = base.clone();
    swapped.entries.swap(0, rcdata);
    assert_eq!(parts(&base, &swapped), ["entry states"]);
}

#[test]
fn what_elements_hold_shows_in_a_page() {
    let base = machine("html-living");
    for (name, scripting) in [("style", Some(true)), ("noscript", Some(false))] {
        let mut mutant = base.clone();
        let elements = &mut mutant.contents_after.elements;
        let at = elements.iter().position(|element| element.name == name);
        let at = at.expect("an element");
        if scripting == Some(true) {
            elements.remove(at);
        } else {
            elements[at].if_scripting = false;
        }
        assert_eq!(parts(&base, &mutant), ["contents after start tags"]);
        let diff = diff::compare(&base, &mutant, true);
        let behaviour = diff.behaviour.expect("a search");
        let [witness, ..] = &behaviour.searched.witnesses[..] else {
            panic!("no witness: {name}");
        };
        assert_eq!(witness.kind, diff::Kind::Tokens);
        assert_eq!(witness.setup.scripting, scripting);
        assert!(witness.input.starts_with(&format!("<{name}>")));
        assert_eq!(behaviour.causes[0].role, diff::Role::Cause);
    }
}

const WORDS: &str = "
table: words
title: Words
vocabulary: {tokens: {word: {name: text, id: text}}}
registers: {mode: [first, later]}
entry states: {data: data}
states:
  data:
    consume:
      U+003C (<): [create a word token, switch to name]
      U+002A (*):
        - if mode is first: emit the current input character
        - otherwise: ignore
      EOF: emit EOF
      anything else: [set mode to later, emit the current input character]
  name:
    consume:
      U+003E (>): [emit the word token, switch to data]
      EOF: reconsume in data
      anything else: append the current input character to the word name
";

#[test]
fn what_is_only_declared_shows_if_an_input_shows_it() {
    for (from, to, part) in [
        ("name: text, id: text", "id: text, name: text", "tokens"),
        ("id: text", "id: optional text", "tokens"),
        ("[first, later]", "[later, first]", "registers at the start"),
    ] {
        let [one, other] = [WORDS.to_owned(), WORDS.replace(from, to)].map(|it| table(&it));
        assert_eq!(parts(&one, &other), [part]);
        let diff = diff::compare(&one, &other, true);
        let behaviour = diff.behaviour.expect("a search");
        assert_eq!(behaviour.searched.witnesses[0].kind, diff::Kind::Tokens);
        assert_eq!(behaviour.causes[0].role, diff::Role::Cause);
        assert!(!behaviour.causes[0].arms.is_empty());
    }
}

#[test]
fn another_code_for_an_error_of_the_stream_is_a_difference() {
    let base = machine("html-living");
    let mut mutant = base.clone();
    let [(_, first), (_, second), ..] = &mut mutant.preprocessing.errors[..] else {
        panic!("two sets");
    };
    assert_ne!(first, second);
    std::mem::swap(first, second);
    let diff = diff::compare(&base, &mutant, true);
    assert!(diff.differs());
    let report = Report::new(&diff);
    assert_eq!(
        report.witnesses.first().expect("a witness").differs,
        "errors"
    );
    assert_eq!(report.causes.len(), 1);
}

const CONTENTS: &str = "
table: contents
title: Contents
vocabulary: {tokens: {word: {name: text}}, contents: [data, raw]}
entry states: {data: data, raw: raw}
states:
  data:
    consume:
      U+003C (<): [create a word token, emit the word token]
      EOF: emit EOF
      anything else: emit the current input character
  raw:
    consume:
      EOF: emit EOF
      anything else: emit the current input character
";

#[test]
fn a_content_of_one_table_is_a_difference_that_no_input_can_show() {
    let end = CONTENTS.find("  raw:\n").expect("the state");
    let without = CONTENTS[..end]
        .replace("[data, raw]", "[data]")
        .replace(", raw: raw", "");
    let tables = [table(CONTENTS), table(&without)];
    for (one, other, side) in [(0, 1, "A"), (1, 0, "B")] {
        let diff = diff::compare(&tables[one], &tables[other], true);
        assert!(diff.differs() && !diff.proven_equal());
        let report = Report::new(&diff);
        assert_eq!((report.verdict, report.witnesses.len()), ("different", 0));
        assert!(report.causes.is_empty());
        let page = diff::text(&report, false);
        let said = format!("- not compared: only in {side}: content raw\n");
        assert!(page.contains(&said), "{page}");
    }
}

const PLACES: &str = "
table: places
title: Places
vocabulary: {tokens: {word: {name: text}}, contents: [data, inner]}
entry states: {data: data, inner: name}
states:
  data:
    consume:
      U+003C (<): switch to name
      EOF: emit EOF
      anything else: emit the current input character
  name:
    consume:
      U+0061 (a): [create a word token, emit the word token, switch to data]
      EOF: emit EOF
      anything else: reconsume in data
";

/// Tokens begin where contents do, so that a content of one table alone may change places elsewhere.
#[test]
fn nothing_is_proven_where_a_content_of_one_table_may_show() {
    let without = PLACES
        .replace("[data, inner]", "[data]")
        .replace(", inner: name", "");
    let [one, other] = [PLACES, &without].map(table);
    let diff = diff::compare(&one, &other, true);
    assert!(diff.differs() && !diff.proven_equal());
    assert!(diff.behaviour.expect("a search").causes.is_empty());
}

/// What an element holds is tried with what the contents tell apart, whatever that is.
#[test]
fn what_elements_hold_is_found_where_contents_differ_in_one_character() {
    let base = machine("html-living");
    let mut plain = base.clone();
    let entries: Vec<(String, usize)> = base
        .contents()
        .map(|(entry, name)| (name.to_owned(), entry.state.0 as usize))
        .collect();
    let state = |name: &str| entries.iter().find(|(content, _)| content == name);
    let (data, raw) = (
        state("data").expect("data").1,
        state("RAWTEXT").expect("it").1,
    );
    // In this content only U+0000 is another character than it is elsewhere.
    plain.states[raw].kind = base.states[data].kind.clone();
    let StateKind::Consume(consume) = &mut plain.states[raw].kind else {
        panic!("it consumes");
    };
    for arm in &mut consume.arms {
        if arm.set.contains('\0') {
            arm.body.actions.clear();
        }
    }
    let mut without = plain.clone();
    let elements = &mut without.contents_after.elements;
    elements.retain(|element| element.name != "style");
    let diff = diff::compare(&plain, &without, true);
    let behaviour = diff.behaviour.expect("a search");
    assert_eq!(behaviour.causes[0].role, diff::Role::Cause);
    assert!(behaviour.searched.witnesses[0].input.contains('\0'));
}

#[test]
fn a_change_that_is_not_decided_leaves_the_search_open() {
    let base = machine("html-living");
    let mut mutant = base.clone();
    // Both states are alike, so that no input shows which of them an element's content starts in.
    let mut elements = mutant.contents_after.elements.iter_mut();
    let style = elements.find(|element| element.name == "style");
    let raw = style.expect("an element").content;
    let other = mutant.vocabulary.contents.len();
    mutant.vocabulary.contents.push("other".to_owned());
    let entry = mutant.entries.iter().find(|entry| entry.content == raw);
    let mut entry = entry.expect("an entry").clone();
    entry.content = u32::try_from(other).expect("few contents");
    mutant.entries.push(entry);
    let both = mutant.clone();
    let mut elements = mutant.contents_after.elements.iter_mut();
    let style = elements.find(|element| element.name == "style");
    style.expect("an element").content = u32::try_from(other).expect("few contents");
    let report = Report::new(&diff::compare(&both, &mutant, true));
    assert_eq!(report.counts.not_decided, 1);
    assert_eq!(report.causes[0].role, "not decided");
    assert!(!report.search.expect("a search").closed);
    assert_eq!(report.verdict, "no difference found");
}
