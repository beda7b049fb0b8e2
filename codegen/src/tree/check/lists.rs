//! Lists of the text: names that become others, the conditions of document modes, contents by context elements.

use super::Checker;
use crate::diagnostic::Code;
use crate::suggest::{one_of, which_of};
use crate::tree::machine::{DoctypeTest, FirstContent, Guard, Identifier, Names, Renamed, Space};
use crate::written::{Entry, Text};

/// How a condition begins, and what it asks of a DOCTYPE with a string.
type Condition = (&'static str, fn(&str) -> DoctypeTest);

/// The beginnings of the conditions, and what each asks of a DOCTYPE with one of its strings.
const CONDITIONS: [Condition; 10] = [
    ("the force-quirks flag is", |_| DoctypeTest::ForceQuirks),
    ("the name is not", |text| {
        not(DoctypeTest::NameIs(text.to_owned()))
    }),
    ("the public identifier is", |text| {
        DoctypeTest::Is(Identifier::Public, text.to_owned())
    }),
    ("the system identifier is", |text| {
        DoctypeTest::Is(Identifier::System, text.to_owned())
    }),
    ("the public identifier starts with", starts),
    (
        "the system identifier is missing and the public identifier starts with",
        |text| both(DoctypeTest::IsMissing(Identifier::System), starts(text)),
    ),
    (
        "the system identifier is not missing and the public identifier starts with",
        |text| {
            both(
                not(DoctypeTest::IsMissing(Identifier::System)),
                starts(text),
            )
        },
    ),
    (
        "the system identifier is missing or the empty string and the public identifier starts with",
        |text| both(not(is_there()), starts(text)),
    ),
    (
        "the system identifier is neither missing nor the empty string and the public identifier starts with",
        |text| both(is_there(), starts(text)),
    ),
    ("the system identifier starts with", |text| {
        DoctypeTest::StartsWith(Identifier::System, text.to_owned())
    }),
];

fn starts(text: &str) -> DoctypeTest {
    DoctypeTest::StartsWith(Identifier::Public, text.to_owned())
}

fn not(test: DoctypeTest) -> DoctypeTest {
    DoctypeTest::Not(test.into())
}

fn both(one: DoctypeTest, other: DoctypeTest) -> DoctypeTest {
    DoctypeTest::Both(one.into(), other.into())
}

/// Whether the system identifier is neither missing nor empty.
fn is_there() -> DoctypeTest {
    let system = Identifier::System;
    both(
        not(DoctypeTest::IsMissing(system)),
        not(DoctypeTest::Is(system, String::new())),
    )
}

impl Checker<'_, '_> {
    pub(super) fn lists(&mut self) {
        for entry in &self.table.names {
            self.phrases
                .declared
                .names(&entry.name.text, self.machine.names.len());
            let mut entries = Vec::new();
            for (from, to) in entry.value.iter().flatten() {
                entries.extend(self.renamed(from, to).map(|to| (from.text.clone(), to)));
            }
            self.machine.names.push(Names {
                name: entry.name.text.clone(),
                entries,
            });
        }
        for entry in &self.table.quirks {
            self.phrases
                .declared
                .quirks(&entry.name.text, self.machine.quirks.len());
            let mut tests = Vec::new();
            for group in entry.value.iter().flatten() {
                tests.extend(self.condition(group));
            }
            self.machine.quirks.push((entry.name.text.clone(), tests));
        }
    }

    fn renamed(&mut self, from: &Text, to: &[Text]) -> Option<Renamed> {
        match to {
            [local] => Some(Renamed {
                prefix: None,
                local: local.text.clone(),
                namespace: None,
            }),
            [prefix, local, namespace] => {
                let space = Space::ALL
                    .into_iter()
                    .find(|space| space.as_str() == namespace.text);
                if space.is_none() {
                    let names = Space::ALL.map(Space::as_str);
                    let help = which_of(&namespace.text, names);
                    let faults = &mut *self.phrases.faults;
                    faults
                        .unknown(
                            Code::UnknownWord,
                            namespace.at,
                            "namespace",
                            &namespace.text,
                        )
                        .help(help);
                }
                Some(Renamed {
                    prefix: Some(prefix.text.clone()).filter(|prefix| prefix != "none"),
                    local: local.text.clone(),
                    namespace: Some(space?),
                })
            }
            _ => {
                let message = format!("`{}` needs one name, or three", from.text);
                let help = "write the new name, or prefix, local name and namespace: `[xlink, href, XLink]`";
                self.phrases
                    .faults
                    .add(Code::WrongType, from.at, message)
                    .help(help);
                None
            }
        }
    }

    fn condition(&mut self, group: &Entry<Vec<Text>>) -> Vec<DoctypeTest> {
        let name = &group.name;
        let known = CONDITIONS.iter().find(|(words, _)| *words == name.text);
        let Some((_, test)) = known else {
            let names = CONDITIONS.iter().map(|(words, _)| *words);
            let help = which_of(&name.text, names);
            let message = format!("`{}` is no beginning of a condition of DOCTYPEs", name.text);
            self.phrases
                .faults
                .add(Code::UnknownGuard, name.at, message)
                .help(help);
            return Vec::new();
        };
        group
            .value
            .iter()
            .flatten()
            .map(|text| test(&text.text))
            .collect()
    }

    /// In which content the tokenizer starts for a fragment.
    pub(super) fn contents(
        &mut self,
        written: &[(Text, Vec<Text>)],
        contents: &[String],
    ) -> Vec<FirstContent> {
        let mut all = Vec::new();
        for (content, elements) in written {
            if !contents.is_empty() && !contents.contains(&content.text) {
                let help = one_of(contents.iter().map(String::as_str));
                let faults = &mut *self.phrases.faults;
                faults
                    .unknown(
                        Code::UnknownContent,
                        content.at,
                        "content of the tokenizer",
                        &content.text,
                    )
                    .help(help);
            }
            for element in elements {
                let (name, condition, guard) = match element.text.split_once(", if ") {
                    Some((name, guard)) => {
                        let start = element.text.len() - guard.len();
                        let span = element.span().part(start, guard.len());
                        (name, guard, self.phrases.read::<Guard>(guard, span))
                    }
                    None => (&*element.text, "", None),
                };
                all.push(FirstContent {
                    content: content.text.clone(),
                    element: name.to_owned(),
                    condition: condition.to_owned(),
                    guard,
                });
            }
        }
        all
    }
}
