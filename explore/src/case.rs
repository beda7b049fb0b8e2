//! What is looked at: a table, and how an input starts.

use serde::{Deserialize, Serialize};
use speclex_analysis::diff::Setup;
use speclex_analysis::tree::Scripting;
use speclex_analysis::tree_diff::Witness;

/// A table: as it is here, or edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The text of the edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Table {
    /// The table as it is here.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: None,
        }
    }
}

/// How an input starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Start {
    /// The content that a tokenizer starts in, such as `RCDATA`; markup if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The name of the last start tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_start_tag: Option<String>,
    /// The answer to the questions of the table, such as whether CDATA sections are allowed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub answer: bool,
    /// Of these alone, if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
    /// The input is no page: the table does not say what follows a start tag, and a byte order mark is a character.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub states_alone: bool,
    /// The element of a fragment, in html5lib's form; a document without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Whether scripts run: `normal`, `disabled`, `inert` or `fragment`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scripting: Option<String>,
    /// Whether declarative shadow roots are allowed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shadow_roots: bool,
}

/// The words for modes of scripting.
const SCRIPTING: [(&str, Scripting); 4] = [
    ("normal", Scripting::Normal),
    ("disabled", Scripting::Disabled),
    ("inert", Scripting::Inert),
    ("fragment", Scripting::Fragment),
];

impl Start {
    /// Whether scripts run. They do unless something else is said, as in a browser.
    pub(crate) fn scripting(&self) -> Scripting {
        let word = self.scripting.as_deref().unwrap_or_default();
        let found = SCRIPTING.iter().find(|(known, _)| *known == word);
        found.map_or(Scripting::Normal, |(_, scripting)| *scripting)
    }

    /// What a tokenizer starts with.
    pub(crate) fn setup(&self) -> Setup {
        Setup {
            content: self.content.clone(),
            last_start_tag: self.last_start_tag.clone(),
            answer: self.answer,
            questions: self.questions.clone(),
            scripting: (!self.states_alone).then(|| self.scripting() != Scripting::Disabled),
        }
    }

    fn with(scripting: Scripting) -> Self {
        let mut words = SCRIPTING.iter();
        let word = words.find(|(_, it)| *it == scripting);
        Self {
            scripting: word.map(|(word, _)| (*word).to_owned()),
            ..Self::default()
        }
    }
}

impl From<&Setup> for Start {
    fn from(setup: &Setup) -> Self {
        let scripting = match setup.scripting {
            Some(false) => Scripting::Disabled,
            _ => Scripting::Normal,
        };
        Self {
            content: setup.content.clone(),
            last_start_tag: setup.last_start_tag.clone(),
            answer: setup.answer,
            questions: setup.questions.clone(),
            states_alone: setup.scripting.is_none(),
            ..Self::with(scripting)
        }
    }
}

impl From<&Witness> for Start {
    fn from(witness: &Witness) -> Self {
        Self {
            context: witness.context.clone(),
            shadow_roots: witness.has_shadow_roots,
            ..Self::with(witness.scripting)
        }
    }
}
