//! Arms and phrase lists.

use super::reader::Reader;
use super::{Arm, Branch, BranchWord, Step, Steps, Text};
use crate::diagnostic::Code;
use crate::read::{At, Node, Yaml};

impl Reader<'_, '_> {
    /// The arms of a block; `None` if it is no mapping.
    pub(super) fn arms(&mut self, node: &Node, at: At) -> Option<Vec<Arm>> {
        let map = self.map(node, at, "arms");
        let arms = map.into_iter().map(|(key, value)| self.arm(key, value));
        let arms = arms.collect();
        matches!(node.value, Yaml::Map(_)).then_some(arms)
    }

    fn arm(&mut self, key: Text, value: &Node) -> Arm {
        let at = key.at;
        let plain = Arm {
            key,
            removed: false,
            after: None,
            steps: Steps {
                list: Vec::new(),
                is_list: false,
            },
        };
        if Self::is_removed(value) {
            return Arm {
                removed: true,
                ..plain
            };
        }
        if let Yaml::Map(entries) = &value.value {
            let is = |node: &Node, name: &str| matches!(&node.value, Yaml::Text(t) if t == name);
            let after = entries.iter().find(|(key, _)| is(key, "after arm"));
            let then = entries.iter().find(|(key, _)| is(key, "then"));
            if let (Some((_, after)), Some((_, then)), 2) = (after, then, entries.len()) {
                return Arm {
                    after: self.text(after, "the key of an arm"),
                    steps: self.steps(then, at),
                    ..plain
                };
            }
        }
        Arm {
            steps: self.steps(value, at),
            ..plain
        }
    }

    /// A phrase, a list of phrases and branches, or a mapping of branches.
    pub(crate) fn steps(&mut self, node: &Node, at: At) -> Steps {
        let mut list = Vec::new();
        match &node.value {
            Yaml::List(items) if items.is_empty() => {
                self.faults
                    .add(Code::EmptyValue, at, "the list of phrases is empty")
                    .help("an arm that does nothing says `ignore`");
                list.push(Step::Fault);
            }
            Yaml::List(items) => {
                for item in items {
                    self.step(item, &mut list);
                }
            }
            _ => self.step(node, &mut list),
        }
        let is_list = matches!(node.value, Yaml::List(_));
        Steps { list, is_list }
    }

    fn step(&mut self, node: &Node, list: &mut Vec<Step>) {
        match &node.value {
            Yaml::Map(_) => {
                for (key, value) in self.map(node, node.at, "a phrase or a branch") {
                    list.push(match self.branch(key) {
                        Some(branch) => {
                            let at = branch.key.at;
                            Step::Branch(branch, self.steps(value, at))
                        }
                        None => Step::Fault,
                    });
                }
            }
            Yaml::List(_) => {
                self.faults
                    .add(
                        Code::WrongType,
                        node.at,
                        "expected a phrase or a branch, found a list",
                    )
                    .help("put all phrases into one list: `[parse error, stay]`");
                list.push(Step::Fault);
            }
            _ => list.push(
                self.text(node, "a phrase")
                    .map_or(Step::Fault, Step::Phrase),
            ),
        }
    }

    /// The key of a branch, split into its word and its guard.
    pub(super) fn branch(&mut self, key: Text) -> Option<Branch> {
        let words = [
            ("otherwise if ", BranchWord::OtherwiseIf),
            ("otherwise, if ", BranchWord::OtherwiseIf),
            ("if ", BranchWord::If),
        ];
        for (lead, word) in words {
            if let Some(guard) = key.text.strip_prefix(lead) {
                let guard = (lead.len(), guard.len());
                return Some(Branch { key, word, guard });
            }
        }
        if key.text == "otherwise" {
            return Some(Branch {
                key,
                word: BranchWord::Otherwise,
                guard: (0, 0),
            });
        }
        self.faults
            .add(
                Code::UnknownKey,
                key.at,
                format!("`{}` does not begin a branch", key.text),
            )
            .help(
                "a branch begins with `if GUARD`, `otherwise if GUARD` or `otherwise`; a phrase that \
                 holds a colon and a space needs quotes",
            );
        None
    }
}
