//! What two tables of tree construction say differently: arms by the tokens that they take, procedures, lists.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::tree::machine::{
    Arm, BodyId, CHARACTER, DoctypeTest, ElementName, Holds, Identifier, Rules, Space, Tokens,
    TreeMachine,
};

use super::alike::{are_alike, have_the_same_numbers};
use super::pieces::OTHER_NAME;

/// Something that one of two tables says and the other does not, or says differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where: an insertion mode, or what else of the table.
    pub place: String,
    /// What: tokens of the insertion mode, the name of a procedure or of a list.
    pub what: String,
    /// What the first table says; nothing if it has none.
    pub before: Vec<String>,
    /// What the second one says.
    pub after: Vec<String>,
    /// Whether both do the same, in other words: values have other names, or steps that do not depend on each other another order.
    pub is_alike: bool,
    /// The bodies that differ, by their numbers in each table.
    pub(super) bodies: [Option<BodyId>; 2],
    /// All bodies that it concerns: the others of conditional arms, too. Without any in either table it is a list.
    pub(super) concerned: [BTreeSet<BodyId>; 2],
    /// The tokens that show it, as they are written in a document.
    pub(super) tokens: Vec<String>,
    /// A document without any of these texts does not come across it; without a list any document may.
    pub(super) marks: Option<Vec<String>>,
    /// Of arms: what must hold and what is done then, in each table.
    pub(super) arms: [Vec<Conditional>; 2],
}

impl Change {
    /// Whether a document may come across it, as far as its text says.
    pub(super) fn has_mark(&self, input: &str) -> bool {
        let marks = self.marks.as_ref();
        marks.is_none_or(|marks| marks.iter().any(|mark| input.contains(mark)))
    }

    /// Whether it is declared, or a procedure that only one table has: what uses it shows it.
    pub(super) fn shows_elsewhere(&self) -> bool {
        self.is_declared() || self.is_procedure_of_one_table()
    }

    /// Whether a table declares it: it shows where a step or guard uses it. The tokenizer asks conditions, so what they say shows.
    pub(super) fn is_declared(&self) -> bool {
        let is_asked =
            self.place == "conditions" && !self.before.is_empty() && !self.after.is_empty();
        DECLARED.contains(&self.place.as_str()) && !is_asked
    }

    fn is_procedure_of_one_table(&self) -> bool {
        self.place == "procedures"
            && self.bodies.contains(&None)
            && !self.what.starts_with("on popping ")
    }

    /// Whether the first table runs one of its bodies for each token that the change concerns.
    pub(super) fn is_decided_by_the_first(&self) -> bool {
        let last = self.arms[0].last();
        match self.bodies[0] {
            Some(_) => last.is_none_or(|(condition, _)| condition.is_empty()),
            None => false,
        }
    }
}

/// A condition, which may be empty, and steps.
pub(super) type Conditional = (String, Vec<String>);

/// Tokens that no arm of either table tells apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// A kind, and a name if a key has it.
    Named(String, Option<String>),
    /// A character of a kind of its own, by an example.
    Character(char),
}

/// All changes, in the order of the second table; those of the first alone come last.
pub fn changes(first: &TreeMachine, second: &TreeMachine) -> Vec<Change> {
    let mut all = Vec::new();
    let is_comparable = have_the_same_numbers([first, second]);
    for rules in &second.modes {
        let before = first.modes.iter().find(|it| it.name == rules.name);
        all.extend(of_rules(
            [first, second],
            [before, Some(rules)],
            is_comparable,
        ));
    }
    for rules in &first.modes {
        if second.modes.iter().all(|it| it.name != rules.name) {
            all.extend(of_rules([first, second], [Some(rules), None], false));
        }
    }
    all.extend(of_bodies([first, second], is_comparable));
    all.extend(of_lists([first, second]));
    all
}

/// The arms of rules, side by side for each class of tokens.
fn of_rules(
    machines: [&TreeMachine; 2],
    rules: [Option<&Rules>; 2],
    is_comparable: bool,
) -> Vec<Change> {
    let name = rules
        .into_iter()
        .flatten()
        .next()
        .map_or("", |rules| &rules.name);
    if let [Some(only), None] | [None, Some(only)] = rules {
        let is_new = rules[0].is_none();
        let keys: Vec<String> = only.arms.iter().map(|arm| arm.key.clone()).collect();
        let names = only
            .arms
            .iter()
            .flat_map(|arm| &arm.takes)
            .flat_map(|takes| match &takes.tokens {
                Tokens::Named(_, names) => names.clone(),
                _ => Vec::new(),
            });
        return vec![Change {
            place: name.to_owned(),
            what: "the whole insertion mode".to_owned(),
            before: if is_new { Vec::new() } else { keys.clone() },
            after: if is_new { keys } else { Vec::new() },
            is_alike: false,
            bodies: [None, None],
            concerned: rules.map(|rules| {
                let arms = rules.into_iter().flat_map(|rules| &rules.arms);
                arms.map(|arm| arm.body).collect()
            }),
            arms: Default::default(),
            marks: None,
            tokens: names.take(6).map(|name| format!("<{name}>")).collect(),
        }];
    }
    let [Some(one), Some(other)] = rules else {
        return Vec::new();
    };
    let mut classes = BTreeSet::new();
    for (machine, rules) in machines.into_iter().zip([one, other]) {
        classes.extend(classes_of(machine, rules));
    }
    // Arms that differ for several classes in the same way are one change.
    let mut found: BTreeMap<[Vec<usize>; 2], Vec<Class>> = BTreeMap::new();
    for class in classes {
        let arms = [
            candidates(machines[0], one, &class),
            candidates(machines[1], other, &class),
        ];
        let said = [
            said(machines[0], one, &arms[0]),
            said(machines[1], other, &arms[1]),
        ];
        if said[0] != said[1] {
            found
                .entry(arms.map(|arms| arms.into_iter().map(|(arm, _)| arm).collect()))
                .or_default()
                .push(class);
        }
    }
    let mut changes: Vec<(usize, Change)> = Vec::new();
    for (arms, classes) in found {
        let lines = |machine: &TreeMachine, rules: &Rules, arms: &[usize]| {
            let mut lines = Vec::new();
            for arm in arms.iter().filter_map(|&arm| rules.arms.get(arm)) {
                lines.push(format!("{}:", arm.key));
                lines.extend(body_of(machine, arm).iter().map(|line| format!("  {line}")));
            }
            lines
        };
        let body = |rules: &Rules, arms: &[usize]| {
            arms.first()
                .and_then(|&arm| rules.arms.get(arm))
                .map(|arm| arm.body)
        };
        let change = Change {
            place: name.to_owned(),
            what: key(&classes, [one, other]),
            before: lines(machines[0], one, &arms[0]),
            after: lines(machines[1], other, &arms[1]),
            is_alike: is_comparable && do_the_same(machines, [one, other], &classes[0]),
            bodies: [body(one, &arms[0]), body(other, &arms[1])],
            concerned: [(one, &arms[0]), (other, &arms[1])].map(|(rules, arms)| {
                let arms = arms.iter().filter_map(|&arm| rules.arms.get(arm));
                arms.map(|arm| arm.body).collect()
            }),
            tokens: classes.iter().filter_map(spelled).take(8).collect(),
            marks: classes.iter().map(|it| mark(machines, it)).collect(),
            arms: [
                conditional(machines[0], one, &classes),
                conditional(machines[1], other, &classes),
            ],
        };
        changes.push((arms[1].first().copied().unwrap_or(usize::MAX), change));
    }
    changes.sort_by_key(|(place, _)| *place);
    changes.into_iter().map(|(_, change)| change).collect()
}

fn body_of<'m>(machine: &'m TreeMachine, arm: &Arm) -> &'m [String] {
    machine.bodies.get(arm.body).map_or(&[], |body| &body.lines)
}

fn classes_of(machine: &TreeMachine, rules: &Rules) -> BTreeSet<Class> {
    let kinds = machine
        .kinds
        .iter()
        .enumerate()
        .filter(|&(number, _)| number != CHARACTER);
    let mut classes: BTreeSet<Class> = kinds
        .map(|(_, kind)| Class::Named(kind.name.clone(), None))
        .collect();
    classes.extend(['\0', ' ', 'x'].map(Class::Character));
    for takes in rules.arms.iter().flat_map(|arm| &arm.takes) {
        if let Tokens::Named(kind, names) = &takes.tokens
            && let Some(kind) = machine.kinds.get(*kind)
        {
            classes.extend(
                names
                    .iter()
                    .map(|name| Class::Named(kind.name.clone(), Some(name.clone()))),
            );
        }
    }
    classes
}

/// The arms that may take a token of a class, in the order in which they are asked, up to the first that takes all of
/// them; and what must hold.
fn candidates(machine: &TreeMachine, rules: &Rules, class: &Class) -> Vec<(usize, String)> {
    let kind = |number: usize| {
        machine
            .kinds
            .get(number)
            .map_or("", |kind| kind.name.as_str())
    };
    let rank = |tokens: &Tokens| match (tokens, class) {
        (Tokens::AnythingElse, _) => Some(2),
        (Tokens::AnyOther(of), Class::Named(name, _)) => (kind(*of) == name).then_some(1),
        (Tokens::Kind(of), Class::Named(name, _)) => (kind(*of) == name).then_some(0),
        (Tokens::Named(of, names), Class::Named(name, Some(tag))) => {
            (kind(*of) == name && names.contains(tag)).then_some(0)
        }
        (Tokens::Characters(ranges), Class::Character(c)) => ranges
            .iter()
            .any(|(first, last)| first <= c && c <= last)
            .then_some(0),
        (Tokens::AnyOther(CHARACTER), Class::Character(_)) => Some(1),
        (Tokens::Kind(CHARACTER), Class::Character(_)) => Some(0),
        _ => None,
    };
    let mut found = Vec::new();
    for wanted in 0..=2 {
        for (number, arm) in rules.arms.iter().enumerate() {
            for takes in arm
                .takes
                .iter()
                .filter(|takes| rank(&takes.tokens) == Some(wanted))
            {
                found.push((number, takes.condition.clone()));
                if takes.guard.is_none() {
                    return found;
                }
            }
        }
    }
    found
}

/// What arms say, as far as it can be compared: conditions and steps.
fn said<'m>(
    machine: &'m TreeMachine,
    rules: &'m Rules,
    arms: &'m [(usize, String)],
) -> Vec<(&'m str, &'m [String])> {
    let arm = |&(arm, ref condition): &'m (usize, String)| {
        let arm = rules.arms.get(arm)?;
        Some((condition.as_str(), body_of(machine, arm)))
    };
    arms.iter().filter_map(arm).collect()
}

/// Whether the arms that take a class of tokens do the same under the same conditions.
fn do_the_same(machines: [&TreeMachine; 2], rules: [&Rules; 2], class: &Class) -> bool {
    let [one, other] = [0, 1].map(|side| {
        let arms = candidates(machines[side], rules[side], class).into_iter();
        let arms = arms.map(|(arm, condition)| (rules[side].arms[arm].body, condition));
        arms.collect::<Vec<_>>()
    });
    let mut pairs = one.iter().zip(&other);
    one.len() == other.len()
        && pairs.all(|((body, condition), (its, its_condition))| {
            condition == its_condition && are_alike(machines, [*body, *its])
        })
}

/// The arms that classes of tokens go to, with their conditions: the same for all of them.
fn conditional(machine: &TreeMachine, rules: &Rules, classes: &[Class]) -> Vec<Conditional> {
    let arms = classes
        .first()
        .map_or_else(Vec::new, |class| candidates(machine, rules, class));
    let arms = said(machine, rules, &arms).into_iter();
    arms.map(|(condition, lines)| (condition.to_owned(), lines.to_vec()))
        .collect()
}

/// The key of an arm for these classes of tokens.
fn key(classes: &[Class], rules: [&Rules; 2]) -> String {
    let mut named: Vec<(&str, Vec<String>)> = Vec::new();
    let mut others = Vec::new();
    let has_classes = |of: &Rules| {
        of.arms
            .iter()
            .flat_map(|arm| &arm.takes)
            .any(|it| matches!(it.tokens, Tokens::Characters(_)))
    };
    for class in classes {
        match class {
            Class::Named(kind, Some(name)) => match named.iter_mut().find(|(it, _)| it == kind) {
                Some((_, names)) => names.push(format!("\"{name}\"")),
                None => named.push((kind, vec![format!("\"{name}\"")])),
            },
            Class::Named(kind, None) if kind.ends_with("tag") => {
                others.push(format!("any other {kind}"))
            }
            Class::Named(kind, None) => others.push(format!("{kind} token")),
            Class::Character('\0') => others.push("character token that is U+0000".to_owned()),
            Class::Character(' ') => others.push("character token that is white space".to_owned()),
            Class::Character(_) if rules.into_iter().any(has_classes) => {
                others.push("any other character token".to_owned())
            }
            Class::Character(_) => others.push("character token".to_owned()),
        }
    }
    let named = named
        .into_iter()
        .map(|(kind, names)| format!("{kind} {}", names.join(", ")));
    named.chain(others).collect::<Vec<_>>().join("; ")
}

/// A token as a document has it.
fn spelled(class: &Class) -> Option<String> {
    Some(match class {
        Class::Character(c) => c.to_string(),
        Class::Named(kind, name) => {
            let name = name.as_deref().unwrap_or(OTHER_NAME);
            match kind.as_str() {
                "start tag" => format!("<{name}>"),
                "end tag" => format!("</{name}>"),
                "comment" => "<!---->".to_owned(),
                "DOCTYPE" => "<!DOCTYPE html>".to_owned(),
                "processing instruction" => "<?i?>".to_owned(),
                "end-of-file" => String::new(),
                _ => return None,
            }
        }
    })
}

/// What each document has in which such a token comes. `None` if that cannot be said.
fn mark(machines: [&TreeMachine; 2], class: &Class) -> Option<String> {
    match class {
        Class::Named(kind, Some(name)) if !machines.iter().any(|it| makes(it, name)) => {
            match kind.as_str() {
                "start tag" => Some(format!("<{name}")),
                "end tag" => Some(format!("</{name}")),
                _ => None,
            }
        }
        Class::Named(kind, None) => match kind.as_str() {
            "DOCTYPE" => Some("<!DOCTYPE".to_owned()),
            "processing instruction" => Some("<?".to_owned()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a table may give this name to a token or an element that has another one in the document, or none.
fn makes(machine: &TreeMachine, name: &str) -> bool {
    let quoted = format!("\"{name}\"");
    let mut lines = machine.bodies.iter().flat_map(|body| &body.lines);
    let mut renamed = machine.names.iter().flat_map(|names| &names.entries);
    lines.any(|line| line.contains(&quoted)) || renamed.any(|(_, to)| to.local == name)
}

/// Procedures and the other bodies that have a name.
fn of_bodies(machines: [&TreeMachine; 2], is_comparable: bool) -> Vec<Change> {
    let named = |machine: &TreeMachine| {
        let arms: BTreeSet<BodyId> = machine
            .modes
            .iter()
            .flat_map(|rules| &rules.arms)
            .map(|arm| arm.body)
            .collect();
        let bodies = machine
            .bodies
            .iter()
            .enumerate()
            .filter(|(number, _)| !arms.contains(number));
        bodies
            .map(|(number, body)| (body.name.clone(), number))
            .collect::<Vec<_>>()
    };
    let [first, second] = machines.map(named);
    let names = second.iter().chain(
        first
            .iter()
            .filter(|(name, _)| second.iter().all(|(it, _)| it != name)),
    );
    let mut changes = Vec::new();
    for (name, _) in names {
        let find = |list: &[(String, usize)]| {
            list.iter()
                .find(|(it, _)| it == name)
                .map(|(_, number)| *number)
        };
        let bodies = [find(&first), find(&second)];
        let lines = |machine: &TreeMachine, body: Option<BodyId>| {
            body.and_then(|body| machine.bodies.get(body))
                .map_or_else(Vec::new, |body| body.lines.clone())
        };
        let (before, after) = (lines(machines[0], bodies[0]), lines(machines[1], bodies[1]));
        if before != after {
            let is_same =
                matches!(bodies, [Some(one), Some(other)] if are_alike(machines, [one, other]));
            changes.push(Change {
                place: "procedures".to_owned(),
                what: name.clone(),
                before,
                after,
                is_alike: is_comparable && is_same,
                bodies,
                concerned: bodies.map(|body| body.into_iter().collect()),
                tokens: Vec::new(),
                marks: None,
                arms: Default::default(),
            });
        }
    }
    changes
}

/// What is declared, sets, scopes, lists of names, conditions of DOCTYPEs, contents of fragments.
fn of_lists(machines: [&TreeMachine; 2]) -> Vec<Change> {
    let [first, second] = machines.map(lists);
    let mut changes = Vec::new();
    let keys: BTreeSet<&(&str, String)> = first.keys().chain(second.keys()).collect();
    for key in keys {
        let empty = Vec::new();
        let (before, after) = (
            first.get(key).unwrap_or(&empty),
            second.get(key).unwrap_or(&empty),
        );
        if before == after {
            continue;
        }
        let only = |these: &[String], others: &[String]| -> Vec<String> {
            these
                .iter()
                .filter(|it| !others.contains(it))
                .cloned()
                .collect()
        };
        let (gone, new) = (only(before, after), only(after, before));
        if gone.is_empty() && new.is_empty() {
            continue;
        }
        let both = || gone.iter().chain(&new);
        let tokens: Vec<String> = match key.0 {
            "quirks" => both().flat_map(|it| doctypes(it)).collect(),
            "names" => both().flat_map(|it| renamed(it)).collect(),
            "fragments" => vec!["x<!---->&amp;</i>".to_owned()],
            "conditions" => vec!["<![CDATA[x]]>".to_owned()],
            place if DECLARED.contains(&place) => Vec::new(),
            _ => both().map(|it| element(it)).collect(),
        };
        let marks = both().map(|it| match key.0 {
            "quirks" => Some("<!DOCTYPE".to_owned()),
            "names" => it.split(" → ").next().map(str::to_owned),
            "scopes" | "element types" => {
                let name = it.split(" with ").next()?.rsplit(' ').next()?;
                let is_made = machines.iter().any(|machine| makes(machine, name));
                (!is_made).then(|| format!("<{name}"))
            }
            _ => None,
        });
        let marks = marks.collect();
        changes.push(Change {
            place: key.0.to_owned(),
            what: key.1.clone(),
            tokens: tokens.into_iter().take(12).collect(),
            marks,
            before: gone,
            after: new,
            is_alike: false,
            bodies: [None, None],
            concerned: Default::default(),
            arms: Default::default(),
        });
    }
    changes
}

/// What a DOCTYPE is asked, in words.
fn said_of_doctype(test: &DoctypeTest) -> String {
    let name = |of: &Identifier| match of {
        Identifier::Public => "the public identifier",
        Identifier::System => "the system identifier",
    };
    match test {
        DoctypeTest::ForceQuirks => "the force-quirks flag is set".to_owned(),
        DoctypeTest::NameIs(text) => format!("the name is {text:?}"),
        DoctypeTest::Not(test) => format!("not ({})", said_of_doctype(test)),
        DoctypeTest::Both(one, other) => {
            format!("{} and {}", said_of_doctype(one), said_of_doctype(other))
        }
        DoctypeTest::IsMissing(of) => format!("{} is missing", name(of)),
        DoctypeTest::Is(of, text) | DoctypeTest::IsExactly(of, text) => {
            format!("{} is {text:?}", name(of))
        }
        DoctypeTest::StartsWith(of, text) => format!("{} starts with {text:?}", name(of)),
    }
}

/// DOCTYPEs that a condition is about.
fn doctypes(said: &str) -> Vec<String> {
    let quoted = |of: &str| said.split(of).nth(1)?.split('"').nth(1);
    let mut all = Vec::new();
    if let Some(public) = quoted("the public identifier ") {
        all.push(format!("<!DOCTYPE html PUBLIC \"{public}\">"));
        all.push(format!("<!DOCTYPE html PUBLIC \"{public}\" \"\">"));
    }
    if let Some(system) = quoted("the system identifier ") {
        all.push(format!("<!DOCTYPE html SYSTEM \"{system}\">"));
    }
    if let Some(name) = quoted("the name ") {
        all.push(format!("<!DOCTYPE {name}>"));
    }
    all
}

/// What a table declares: it shows where a step or guard uses it.
const DECLARED: [&str; 5] = [
    "variables",
    "questions",
    "properties",
    "host steps",
    "conditions",
];

/// The start tag of a member of a list, after one of its namespace.
fn element(said: &str) -> String {
    let (element, attribute) = said.split_once(" with ").unwrap_or((said, ""));
    let attribute = match attribute {
        "" => String::new(),
        _ => format!(" {attribute}"),
    };
    match element.split_once(' ') {
        Some((space, name)) => format!(
            "<{}><{name}{attribute}>",
            space.replace("ML", "").to_ascii_lowercase()
        ),
        None => format!("<{element}{attribute}>"),
    }
}

/// A name that becomes another one, as that of an element and of an attribute.
fn renamed(said: &str) -> [String; 3] {
    let from = said.split(" → ").next().unwrap_or_default();
    [
        format!("<svg><{from}>"),
        format!("<svg {from}=\"a\">"),
        format!("<math {from}=\"a\">"),
    ]
}

type Lists<'m> = BTreeMap<(&'static str, String), Vec<String>>;

fn lists(machine: &TreeMachine) -> Lists<'_> {
    let mut lists = Lists::new();
    let name = |element: &ElementName| match element.space {
        Space::Html => element.name.clone(),
        space => format!("{} {}", space.as_str(), element.name),
    };
    for state in &machine.states {
        let holds = match &state.holds {
            Holds::Words(words) => words.join(", "),
            Holds::Node => "an element or null".to_owned(),
            Holds::Truth => "yes or no".to_owned(),
        };
        let place = ["variables", "questions"][usize::from(state.is_asked)];
        lists.insert((place, state.name.clone()), vec![holds]);
    }
    for property in &machine.properties {
        let holds = vec!["a node or null".to_owned()];
        lists.insert(("properties", property.0.clone()), holds);
    }
    for host in &machine.hosts {
        let mut parts = vec![format!("nodes that it is given: {}", host.arguments)];
        parts.extend(host.answers.then(|| "it answers yes or no".to_owned()));
        parts.extend(
            host.may_pause
                .then(|| "the parser may have to wait".to_owned()),
        );
        lists.insert(("host steps", host.name.clone()), parts);
    }
    for condition in &machine.conditions {
        let words = vec![condition.condition.clone()];
        lists.insert(("conditions", condition.name.clone()), words);
    }
    for set in &machine.sets {
        let members = set.members.iter().map(|member| match &member.attribute {
            Some((attribute, value)) => {
                format!("{} with {attribute}=\"{value}\"", name(&member.element))
            }
            None => name(&member.element),
        });
        lists.insert(("element types", set.name.clone()), members.collect());
    }
    for scope in &machine.scopes {
        let mut ends: Vec<String> = scope.ends.iter().map(name).collect();
        if scope.all_except {
            ends.insert(0, "all except these".to_owned());
        }
        lists.insert(("scopes", scope.name.clone()), ends);
    }
    for names in &machine.names {
        let entries = names
            .entries
            .iter()
            .map(|(from, to)| format!("{from} → {to:?}"));
        lists.insert(("names", names.name.clone()), entries.collect());
    }
    for (mode, tests) in &machine.quirks {
        lists.insert(
            ("quirks", mode.clone()),
            tests.iter().map(said_of_doctype).collect(),
        );
    }
    if let Some(fragments) = &machine.fragments {
        let contents = fragments.contents.iter().map(|first| {
            let element = match first.condition.as_str() {
                "" => first.element.clone(),
                condition => format!("{}, if {condition}", first.element),
            };
            format!("{element}: {}", first.content)
        });
        lists.insert(("fragments", "contents".to_owned()), contents.collect());
    }
    lists
}
