//! Diagrams.

use std::collections::BTreeSet;

use speclex_analysis::graph::{self, Form};
use speclex_codegen::machine::{Body, Machine, Next, State, StateKind, Target};

use crate::readers::{Drawn, read_dot, read_mermaid, read_svg};
use crate::{machine, machines};

/// The arms of a state: their names in the table, and where they lead.
fn arms(state: &State) -> Vec<(String, &Body)> {
    match &state.kind {
        StateKind::Steps(body) => vec![("entering the state".to_owned(), body)],
        StateKind::Match { matched, unmatched } => vec![
            ("a reference that matches".to_owned(), matched),
            ("no reference that matches".to_owned(), unmatched),
        ],
        StateKind::Consume(consume) => {
            let mut arms = vec![("EOF".to_owned(), &consume.eof)];
            for literal in &consume.literals {
                arms.push((format!("{:?}", literal.text), &literal.body));
            }
            for arm in consume.arms.iter().filter(|arm| !arm.set.is_empty()) {
                arms.push((arm.label.clone(), &arm.body));
            }
            arms
        }
    }
}

fn targets(body: &Body, found: &mut BTreeSet<usize>) {
    match &body.next {
        Next::Go { target, .. } => {
            if let Target::State(id) = target {
                found.insert(id.0 as usize);
            }
        }
        Next::If {
            then, otherwise, ..
        } => {
            targets(then, found);
            targets(otherwise, found);
        }
    }
}

#[test]
fn every_state_and_every_arm_is_drawn_for_graphviz() {
    let mut drawn_arms = 0;
    for machine in machines() {
        let dot = graph::diagram(&machine, Form::Dot);
        let drawn = read_dot(&dot);
        for (id, state) in machine.states.iter().enumerate() {
            let found = drawn
                .get(&id)
                .unwrap_or_else(|| panic!("no {}", state.name));
            assert!(found.text.contains(&state.name), "{}", state.name);
            for (on, body) in arms(state) {
                assert!(
                    found.text.contains(&format!("{on}:"))
                        || found.text.contains(&format!("{on}, if"))
                        || found.text.contains(&format!("{on} in any case")),
                    "{}: {} on {on}: {}",
                    machine.name,
                    state.name,
                    found.text
                );
                goes_to_all(&machine, id, found, body);
                drawn_arms += 1;
            }
        }
    }
    assert!(drawn_arms > 2100, "{drawn_arms} arms");
}

/// All states that a body leads to are named, or joined by a line; the state itself is marked.
fn goes_to_all(machine: &Machine, id: usize, found: &Drawn, body: &Body) {
    let mut goals = BTreeSet::new();
    targets(body, &mut goals);
    for goal in goals {
        let name = &machine.states[goal].name;
        let joined = found.lines.contains(&goal);
        let words = found.text.replace('\n', " ");
        let named = words.contains(&format!("→ {name}")) || words.contains(&format!("or {name}"));
        let stays = goal == id && found.text.contains('↻');
        assert!(
            joined || named || stays,
            "{}: {} to {name}: {}",
            machine.name,
            machine.states[id].name,
            found.text
        );
    }
}

#[test]
fn every_state_and_every_arm_is_drawn_for_mermaid() {
    for machine in machines() {
        let drawn = read_mermaid(&graph::diagram(&machine, Form::Mermaid));
        assert_eq!(drawn.len(), machine.states.len());
        for (id, state) in machine.states.iter().enumerate() {
            let found = &drawn[&id];
            assert!(found.text.contains(&state.name), "{}", state.name);
            for (on, body) in arms(state) {
                goes_to_all(&machine, id, found, body);
                if let StateKind::Consume(_) = state.kind {
                    assert!(
                        is_mentioned(&found.text, &on),
                        "{}: {} on {on}: {}",
                        machine.name,
                        state.name,
                        found.text
                    );
                }
            }
        }
    }
}

/// Whether a text names an input: as the table does, in letters, or by the name of the set.
fn is_mentioned(text: &str, on: &str) -> bool {
    const SPACES: [&str; 5] = ["U+0009", "U+000A", "U+000C", "U+000D", "U+0020"];
    let short = |part: &str| match part.split_once(" (") {
        Some((_, letter)) => letter.trim_end_matches(')').to_owned(),
        None => match part {
            "U+0000" => "NUL".to_owned(),
            "U+0009" => "TAB".to_owned(),
            "U+000A" => "LF".to_owned(),
            "U+000C" => "FF".to_owned(),
            "U+000D" => "CR".to_owned(),
            "U+0020" => "SPACE".to_owned(),
            other => other.to_owned(),
        },
    };
    let words = text.replace('\n', " ");
    let parts = on.split(", ").flat_map(|part| part.split(" to "));
    let space = |part: &str| SPACES.contains(&part) && words.contains("whitespace");
    let all_letters = parts
        .into_iter()
        .all(|part| words.contains(&short(part)) || space(part));
    // A set of letters may have a name that the table did not use.
    let set = ["ASCII", "letter", "digit", " to "];
    let set = set.iter().any(|word| on.contains(word));
    let named = set && (words.contains("ASCII") || words.contains('–'));
    words.contains(on) || all_letters || named
}

#[test]
fn every_state_and_every_arm_is_in_the_picture() {
    for machine in machines() {
        let svg = graph::diagram(&machine, Form::Svg);
        let text = read_svg(&svg);
        for state in &machine.states {
            assert!(text.contains(&state.name), "{}", state.name);
            for (on, _) in arms(state) {
                let said = text.contains(&format!("{on}:")) || text.contains(&format!("{on}, if"));
                let any_case = text.contains(&format!("{on} in any case"));
                assert!(said || any_case, "{}: {} on {on}", machine.name, state.name);
            }
        }
        let boxes = svg.matches("<g class=\"state").count();
        assert_eq!(boxes, machine.states.len(), "{}", machine.name);
        let entries = svg.matches("<g class=\"state entry").count();
        let starts: BTreeSet<_> = machine.entries.iter().map(|entry| entry.state).collect();
        assert_eq!(entries, starts.len(), "{}", machine.name);
    }
}

#[test]
fn a_state_is_drawn_with_all_that_it_does() {
    for machine in machines() {
        for (id, state) in machine.states.iter().enumerate() {
            let dot = graph::state(&machine, &state.name, Form::Dot).expect("a state");
            let drawn = read_dot(&dot);
            let found = &drawn[&id];
            for (on, body) in arms(state) {
                assert!(
                    found.text.contains(&on),
                    "{}: {on}: {}",
                    state.name,
                    found.text
                );
                let mut goals = BTreeSet::new();
                targets(body, &mut goals);
                goals.remove(&id);
                assert!(goals.is_subset(&found.lines), "{}: {on}", state.name);
            }
            for (other, before) in machine.states.iter().enumerate() {
                let mut goals = BTreeSet::new();
                arms(before)
                    .iter()
                    .for_each(|(_, body)| targets(body, &mut goals));
                if other != id && goals.contains(&id) {
                    assert!(
                        drawn[&other].lines.contains(&id),
                        "{} to {}",
                        before.name,
                        state.name
                    );
                }
            }
        }
        let data = graph::state(&machine, "data", Form::Svg).expect("a state");
        read_svg(&data);
        read_mermaid(&graph::state(&machine, "data", Form::Mermaid).expect("a state"));
        assert_eq!(graph::state(&machine, "no such", Form::Svg), None);
    }
}

#[test]
fn diagrams_are_the_same_each_time() {
    let machine = machine("html-living");
    for form in [Form::Dot, Form::Mermaid, Form::Svg] {
        assert!(
            graph::diagram(&machine, form) == graph::diagram(&machine, form),
            "{form:?}"
        );
    }
}

/// Names that mean something in each of the languages.
#[test]
fn hostile_names_are_text() {
    let mut machine = machine("xml5");
    let names = [
        "a\"b]--></title>&amp;<script>\\",
        "x|y`z;#35;{}\n---",
        "%%{init}%% end",
        "",
        " ",
    ];
    for (state, name) in machine.states.iter_mut().zip(names) {
        state.name = name.to_owned();
        state.origin = name.to_owned();
        state.section = "<§>".to_owned();
    }
    machine.title = "\"]\\ <b> &\n".to_owned();
    assert_eq!(
        read_dot(&graph::diagram(&machine, Form::Dot)).len(),
        machine.states.len()
    );
    assert_eq!(
        read_mermaid(&graph::diagram(&machine, Form::Mermaid)).len(),
        machine.states.len()
    );
    read_svg(&graph::diagram(&machine, Form::Svg));
}
