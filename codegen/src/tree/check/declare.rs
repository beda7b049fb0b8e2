//! What a table declares: variables, questions, host steps, conditions, sets.

use super::Checker;
use crate::diagnostic::Code;
use crate::lexer::normal;
use crate::suggest::{closest, which_of};
use crate::tree::hosts::{self, Left};
use crate::tree::keys::FOREIGN_CONTENT;
use crate::tree::machine::{
    Condition, ElementName, ElementSet, Guard, Holds, HostStep, Member, Scope, Space, State,
    Variable,
};
use crate::written::{RegisterType, Step, Steps, Text};

const ANSWERS: &str = "answers";
const MAY_PAUSE: &str = "may pause";

impl Checker<'_, '_> {
    pub(super) fn declare(&mut self) {
        let table = self.table;
        for mode in &table.modes {
            self.phrases.declared.rules(&mode.name.text, true);
        }
        if table.foreign.is_some() {
            self.phrases.declared.rules(FOREIGN_CONTENT, false);
        }
        self.variables();
        self.questions();
        let known = hosts::known(table, Left::Property);
        for (number, (entry, is_known)) in table.properties.iter().zip(known).enumerate() {
            self.phrases.declared.property(&entry.name.text, number);
            let property = (entry.name.text.clone(), is_known);
            self.machine.properties.push(property);
        }
        for (entry, is_known) in table.hosts.iter().zip(hosts::known(table, Left::Step)) {
            let given = entry.value.as_deref().unwrap_or_default();
            self.host(&entry.name, given, is_known);
        }
        for entry in &table.classes {
            let mut ranges = Vec::new();
            for text in entry.value.iter().flatten() {
                ranges.extend(self.characters(&text.text, text.span()));
            }
            let set = ranges
                .iter()
                .map(|&(first, last)| (u32::from(first), u32::from(last)));
            self.classes.declare(
                entry.name.text.clone(),
                crate::charset::CharSet::from_ranges(set),
            );
            self.phrases.declared.class(&entry.name.text, ranges);
        }
        self.sets();
        self.lists();
        for entry in &table.conditions {
            let number = self.machine.conditions.len();
            let text = entry.value.as_ref().map(|text| text.text.clone());
            self.machine.conditions.push(Condition {
                name: entry.name.text.clone(),
                condition: text.unwrap_or_default(),
                guard: Guard::True,
            });
            if let Some(text) = &entry.value
                && let Some(guard) = self.phrases.read::<Guard>(&text.text, text.span())
            {
                self.machine.conditions[number].guard = guard;
            }
            // A condition may use those above it.
            self.phrases
                .declared
                .guard(&entry.name.text, &Guard::Condition(number));
        }
    }

    fn variables(&mut self) {
        let known = hosts::known(self.table, Left::Variable);
        for (entry, is_known) in self.table.variables.iter().zip(known) {
            let Some(written) = &entry.value else {
                continue;
            };
            let name = &entry.name.text;
            let called = self.table.called();
            let known = Variable::ALL
                .into_iter()
                .find(|it| it.as_str() == name || name == called && *it == Variable::InsertionMode);
            let ty = match written {
                RegisterType::Named(ty) => ty,
                RegisterType::Words(words) => {
                    // What the language knows has words of its own.
                    match known {
                        Some(known) => self.machine.variables.push(known),
                        None => self.words(&entry.name, words, false, is_known),
                    }
                    continue;
                }
            };
            match known {
                Some(known) if ty.text == type_of(known) => self.machine.variables.push(known),
                Some(known) => {
                    let message = format!("`{name}` is a `{}`", type_of(known));
                    let help = format!("write `{name}: {}`", type_of(known));
                    self.phrases
                        .faults
                        .add(Code::TypeMismatch, ty.at, message)
                        .help(help);
                }
                None if ty.text == "element" => self.phrases.declared.state(State {
                    name: name.clone(),
                    holds: Holds::Node,
                    is_asked: false,
                    is_known: false,
                }),
                None => {
                    let known: Vec<&str> = Variable::ALL.iter().map(|it| it.as_str()).collect();
                    let help = format!(
                        "{}; a variable of the table's own is an `element`, or a flag with its words: `[ok, not ok]`",
                        which_of(name, known)
                    );
                    let message = format!(
                        "the language has no variable `{name}` of type `{}`",
                        ty.text
                    );
                    self.phrases
                        .faults
                        .add(Code::UnknownVariable, entry.name.at, message)
                        .help(help);
                }
            }
        }
    }

    fn words(&mut self, name: &Text, words: &[Text], is_asked: bool, is_known: bool) {
        if words.is_empty() {
            let message = format!("`{}` has no words", name.text);
            self.phrases
                .faults
                .add(Code::EmptyValue, name.at, message)
                .help("name at least two: `[no, yes]`");
        }
        self.phrases.declared.state(State {
            name: name.text.clone(),
            holds: Holds::Words(words.iter().map(|word| word.text.clone()).collect()),
            is_asked,
            is_known,
        });
    }

    fn questions(&mut self) {
        let known = hosts::known(self.table, Left::Question);
        for (entry, is_known) in self.table.questions.iter().zip(known) {
            let holds = match &entry.value {
                None => continue,
                Some(RegisterType::Words(words)) => {
                    self.words(&entry.name, words, true, is_known);
                    continue;
                }
                Some(RegisterType::Named(ty)) => match &*ty.text {
                    "element" => Holds::Node,
                    "yes or no" => Holds::Truth,
                    other => {
                        let help = format!(
                            "{}; or list its words in brackets",
                            which_of(other, ["element", "yes or no"])
                        );
                        self.phrases
                            .faults
                            .unknown(Code::UnknownWord, ty.at, "type", other)
                            .help(help);
                        continue;
                    }
                },
            };
            self.phrases.declared.state(State {
                name: entry.name.text.clone(),
                holds,
                is_asked: true,
                is_known,
            });
        }
    }

    fn host(&mut self, name: &Text, given: &[Text], is_known: bool) {
        let is = |word: &str| given.iter().any(|it| it.text == word);
        let (answers, may_pause) = (is(ANSWERS), is(MAY_PAUSE));
        for other in given {
            if !["element", "node", ANSWERS, MAY_PAUSE].contains(&&*other.text) {
                let help = which_of(&other.text, ["element", "node", ANSWERS, MAY_PAUSE]);
                self.phrases
                    .faults
                    .unknown(Code::UnknownWord, other.at, "type", &other.text)
                    .help(help);
            }
        }
        let arguments = given.len() - usize::from(answers) - usize::from(may_pause);
        self.phrases.declared.host(&name.text, arguments, answers);
        self.machine.hosts.push(HostStep {
            name: name.text.clone(),
            arguments,
            answers,
            may_pause,
            is_known,
        });
    }

    /// Sets and scopes; and the names of all elements that the table names, so that phrases may use them.
    fn sets(&mut self) {
        let table = self.table;
        let arms = || table.rules().flat_map(|rules| &rules.arms);
        let parts = arms().flat_map(|arm| &arm.parts);
        let names = parts.flat_map(|part| part.names.iter().map(|(name, _)| name.clone()));
        let mut names: Vec<String> = names.collect();
        let steps = arms().filter_map(|arm| arm.steps.as_ref());
        let procedures = table.procedures.iter().filter_map(|it| it.value.as_ref());
        steps
            .chain(procedures)
            .for_each(|steps| created(steps, &mut names));
        for name in names {
            // A tag's element may be in each of these namespaces.
            for space in [Space::Html, Space::MathMl, Space::Svg] {
                let name = name.clone();
                self.phrases.declared.element(ElementName { space, name });
            }
        }
        for entry in &table.sets {
            let mut members = Vec::new();
            for text in entry.value.iter().flatten() {
                members.extend(self.member(text));
            }
            let names = members.iter().map(|member: &Member| member.element.clone());
            names.for_each(|name| self.phrases.declared.element(name));
            self.phrases
                .declared
                .set(&entry.name.text, self.machine.sets.len());
            self.machine.sets.push(ElementSet {
                name: entry.name.text.clone(),
                members,
            });
        }
        for entry in &table.scopes {
            let Some(written) = &entry.value else {
                continue;
            };
            let mut ends = Vec::new();
            for text in &written.names {
                match self
                    .machine
                    .scopes
                    .iter()
                    .find(|scope| scope.name == text.text)
                {
                    Some(scope) => ends.extend(scope.ends.clone()),
                    None => ends.extend(self.end_of_scope(text)),
                }
            }
            ends.iter()
                .for_each(|name| self.phrases.declared.element(name.clone()));
            self.phrases
                .declared
                .scope(&entry.name.text, self.machine.scopes.len());
            self.machine.scopes.push(Scope {
                name: entry.name.text.clone(),
                ends,
                all_except: written.all_except,
            });
        }
    }

    /// An element type at which a scope ends. One that nothing else names may be a misspelt scope.
    fn end_of_scope(&mut self, text: &Text) -> Option<ElementName> {
        let element = self.element(text)?;
        let scopes = self.machine.scopes.iter().map(|scope| &*scope.name);
        let named =
            closest(&text.text, scopes).filter(|_| !self.phrases.declared.has_element(&element));
        if let Some(scope) = named {
            let faults = &mut self.phrases.faults;
            let fault = faults.unknown(
                Code::UnknownWord,
                text.at,
                "scope or element type",
                &text.text,
            );
            fault.help(format!("did you mean `{scope}`?"));
        }
        Some(element)
    }

    /// A member of a set: an element type, perhaps with an attribute that its start tag token must have had.
    fn member(&mut self, text: &Text) -> Option<Member> {
        let written = normal(&text.text);
        let Some((element, rest)) = written.split_once(" whose start tag token had ") else {
            let element = self.element(text)?;
            return Some(Member {
                element,
                attribute: None,
            });
        };
        let mut quoted = rest.split('"').skip(1).step_by(2);
        let attribute = Option::zip(quoted.next(), quoted.next());
        let expected = attribute.map(|(name, value)| {
            format!("an \"{name}\" attribute that is \"{value}\" ASCII case-insensitively")
        });
        if expected.as_deref() != Some(rest) {
            let message = "the condition of this element cannot be read";
            let help = "write `NAME whose start tag token had an \"attribute\" attribute that is \"value\" ASCII case-insensitively`";
            self.phrases
                .faults
                .add(Code::UnknownGuard, text.at, message)
                .help(help);
        }
        let element = element_name(element)?;
        let attribute = attribute.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Some(Member { element, attribute })
    }

    /// An element type.
    pub(super) fn element(&mut self, text: &Text) -> Option<ElementName> {
        let name = element_name(&normal(&text.text));
        if name.is_none() {
            let message = format!("`{}` is no name of an element", text.text);
            let help =
                "an element is one word, with `MathML` or `SVG` before it if it is no HTML element";
            self.phrases
                .faults
                .add(Code::BadName, text.at, message)
                .help(help);
        }
        name
    }

    /// A set of characters, as ranges.
    pub(super) fn characters(
        &mut self,
        text: &str,
        span: crate::diagnostic::Span,
    ) -> Vec<(char, char)> {
        let set = crate::set_notation::characters_only(
            text,
            span,
            &mut self.classes,
            self.phrases.faults,
        );
        let range =
            |&(first, last): &(u32, u32)| Some((char::from_u32(first)?, char::from_u32(last)?));
        set.ranges().iter().filter_map(range).collect()
    }
}

/// The names in `a new element with the tag name "ul" in the HTML namespace`.
fn created(steps: &Steps, names: &mut Vec<String>) {
    for step in &steps.list {
        match step {
            Step::Phrase(text) => {
                let after = text.text.split("with the tag name \"").skip(1);
                names.extend(after.filter_map(|it| Some(it.split_once('"')?.0.to_owned())));
            }
            Step::Branch(_, steps) => created(steps, names),
            Step::Fault => {}
        }
    }
}

fn type_of(variable: Variable) -> &'static str {
    match variable {
        Variable::InsertionMode | Variable::OriginalInsertionMode => "insertion mode",
        Variable::TemplateInsertionModes => "stack of insertion modes",
        Variable::OpenElements => "stack of elements",
        Variable::ActiveFormattingElements => "list of elements and markers",
        Variable::PendingTableCharacters => "list of characters",
        Variable::FosterParenting => "[disabled, enabled]",
    }
}

fn html(name: &str) -> ElementName {
    ElementName {
        space: Space::Html,
        name: name.to_owned(),
    }
}

fn element_name(text: &str) -> Option<ElementName> {
    let prefixed = [Space::MathMl, Space::Svg].into_iter().find_map(|space| {
        let name = text.strip_prefix(space.as_str())?.strip_prefix(' ')?;
        Some(ElementName {
            space,
            name: name.to_owned(),
        })
    });
    let name = prefixed.unwrap_or_else(|| html(text));
    (!name.name.is_empty() && !name.name.contains([' ', '"', ','])).then_some(name)
}
