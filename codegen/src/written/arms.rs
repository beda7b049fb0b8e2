//! Arms and phrase lists.

use super::reader::Reader;
use super::{Arm, Branch, BranchWord, Step, Steps, Text};
use crate::diagnostic::Code;
use crate::read::quoting::item;
use crate::read::{At, Node, Yaml};
use crate::set_notation::ANYTHING_ELSE;

impl Reader<'_, '_> {
    /// The arms of a block; `None` if it is no mapping.
    pub(super) fn arms(&mut self, node: &Node, at: At) -> Option<Vec<Arm>> {
        let mut map = self.map(node, at, "arms");
        if map.iter().all(|(key, _)| key.text != ANYTHING_ELSE)
            && let Some((key, _)) = map.iter_mut().find(|(key, _)| key.text == "_")
        {
            let hint = self
                .faults
                .unknown(Code::UnknownClass, key.at, "class", "_");
            hint.help("did you mean `anything else`? The character is `U+005F (_)`");
            ANYTHING_ELSE.clone_into(&mut key.text);
        }
        let arms = map.into_iter().map(|(key, value)| self.arm(key, value));
        let arms = arms.collect();
        matches!(node.value, Yaml::Map(_)).then_some(arms)
    }

    fn arm(&mut self, mut key: Text, value: &Node) -> Arm {
        let at = key.at;
        // No arm has a number for its key, but `0x3C` may be meant for a character.
        if key.text.bytes().all(|b| b.is_ascii_digit()) {
            key.text = self.as_typed(at).unwrap_or(key.text);
        }
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
                self.fault(Code::EmptyValue, at, "the list of phrases is empty")
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
            Yaml::Map(entries) => {
                let in_braces = entries.iter().all(|(_, value)| value.value == Yaml::Null);
                let map = self.map(node, node.at, "a phrase or a branch");
                let is_branch = |key: &str| is_branch(key) || self.has_loops && is_of_a_loop(key);
                if in_braces && map.iter().all(|(key, _)| !is_branch(&key.text)) {
                    return self.in_braces(map, list);
                }
                for (key, value) in map {
                    list.push(self.branch_or_phrase(key, value));
                }
            }
            Yaml::List(_) => {
                let message = "expected a phrase or a branch, found a list";
                self.fault(Code::WrongType, node.at, message)
                    .help("put all phrases into one list: `[parse error, stay]`");
                list.push(Step::Fault);
            }
            _ => list.push(
                self.text(node, "a phrase")
                    .map_or(Step::Fault, Step::Phrase),
            ),
        }
    }

    /// Phrases in braces, which are a list.
    fn in_braces(&mut self, map: Vec<(Text, &Node)>, list: &mut Vec<Step>) {
        let (Some((first, _)), written) = (map.first(), phrases(&map)) else {
            return;
        };
        let message = "phrases in braces are no list of phrases";
        self.fault(Code::WrongType, first.at, message)
            .help(format!("a list has brackets: `[{written}]`"));
        list.extend(map.into_iter().map(|(key, _)| Step::Phrase(key)));
    }

    /// A branch; or a phrase with a colon in it, which is refused.
    fn branch_or_phrase(&mut self, mut key: Text, node: &Node) -> Step {
        let whole = node.text().map(|value| format!("{} {value}", key.text));
        if let Some(whole) =
            whole.filter(|whole| !is_branch(&key.text) && (self.is_phrase)(whole.as_str()))
        {
            self.fault(Code::UnknownKey, key.at, "a phrase has no colon")
                .help(format!("write `{}`", item(&whole)));
            key.text = whole;
            return Step::Phrase(key);
        }
        match self.branch(key) {
            Some(branch) => {
                let at = branch.key.at;
                Step::Branch(branch, self.steps(node, at))
            }
            None => {
                self.faults.not_read(node);
                Step::Fault
            }
        }
    }

    /// The key of a branch, split into its word and its guard.
    pub(super) fn branch(&mut self, key: Text) -> Option<Branch> {
        if self.has_loops && is_of_a_loop(&key.text) {
            let guard = key.text.strip_prefix(WHILE).map_or(0, str::len);
            let word = if guard > 0 {
                BranchWord::While
            } else {
                BranchWord::Label
            };
            let guard = (key.text.len() - guard, guard);
            return Some(Branch { key, word, guard });
        }
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
        let others = [
            ("else if ", "otherwise if "),
            ("elif ", "otherwise if "),
            ("else", "otherwise"),
            ("when ", "if "),
            ("If ", "if "),
            ("IF ", "if "),
            ("Otherwise", "otherwise"),
        ];
        let other = others.into_iter().find_map(|(other, word)| {
            let rest = key.text.strip_prefix(other)?;
            (word.ends_with(' ') || rest.is_empty()).then(|| format!("{word}{rest}"))
        });
        let label = match self.has_loops {
            true => ", and a label is one word with a capital letter",
            false => "",
        };
        let message = format!("`{}` does not begin a branch", key.text);
        let hint = self.fault(Code::UnknownKey, key.at, message);
        if let Some(text) = other {
            hint.help(format!("did you mean `{text}`?"));
            return self.branch(Text { text, ..key });
        }
        hint.help(format!(
            "a branch begins with `if GUARD`, `otherwise if GUARD` or `otherwise`{label}; a phrase that holds a colon and a \
             space needs quotes"
        ));
        None
    }
}

/// The keys as items of a list.
fn phrases(map: &[(Text, &Node)]) -> String {
    let items: Vec<String> = map.iter().map(|(key, _)| item(&key.text)).collect();
    items.join(", ")
}

const WHILE: &str = "while ";

/// Whether a key is `while GUARD` or a label: one capitalized word.
fn is_of_a_loop(key: &str) -> bool {
    let is_label =
        key.starts_with(|c: char| c.is_ascii_uppercase()) && key.chars().all(char::is_alphanumeric);
    key.starts_with(WHILE) || is_label && !matches!(key, "If" | "Otherwise" | "IF")
}

/// Whether a key is a branch, or nearly one.
pub(crate) fn is_branch(key: &str) -> bool {
    let words = ["if ", "otherwise", "else if ", "elif "];
    key == "else" || words.iter().any(|word| key.starts_with(word))
}
