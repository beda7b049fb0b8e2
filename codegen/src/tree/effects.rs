//! What a step, a guard or an exit reads and writes, said once: the checks ask here.

use super::machine::{Content, Elements, Exit, Guard, ModeId, Part, Step};

/// What the token must have for a step or a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    Part(Part),
    /// The token is a character.
    Character,
}

/// What one step, guard or exit does. What a procedure does is in its body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effects {
    pub(super) needs: &'static [Need],
    /// Whether there is a new element after it.
    pub(super) creates: bool,
    /// Whether it uses the new element.
    pub(super) uses_new: bool,
    /// The insertion mode that it switches to.
    pub(super) leads_to: Option<ModeId>,
    /// Whether the token goes along.
    pub(super) reprocesses: bool,
}

const NAME: &[Need] = &[Need::Part(Part::Name)];

pub(super) trait HasEffects {
    fn effects(&self) -> Effects;
}

impl HasEffects for Step {
    fn effects(&self) -> Effects {
        match *self {
            Self::ParseError | Self::Pop(_) | Self::Run(_) => Effects::default(),
            Self::CreateElement => Effects {
                needs: NAME,
                creates: true,
                ..Effects::default()
            },
            Self::Append(content, _) => content.effects(),
            Self::Push(_) => Effects {
                uses_new: true,
                ..Effects::default()
            },
            Self::PopUntil(elements, _) => elements.effects(),
            Self::SwitchTo(mode) => Effects {
                leads_to: Some(mode),
                ..Effects::default()
            },
        }
    }
}

impl HasEffects for Content {
    fn effects(&self) -> Effects {
        let needs: &[Need] = match self {
            Self::NewElement | Self::CodePoint(_) => &[],
            Self::Character => &[Need::Character],
            Self::EntityReference | Self::DocumentType => NAME,
            Self::Comment => &[Need::Part(Part::Data)],
            Self::ProcessingInstruction => &[Need::Part(Part::Target), Need::Part(Part::Data)],
        };
        Effects {
            needs,
            uses_new: matches!(self, Self::NewElement),
            ..Effects::default()
        }
    }
}

impl HasEffects for Elements {
    fn effects(&self) -> Effects {
        let needs = match self {
            Self::SameName => NAME,
        };
        Effects {
            needs,
            ..Effects::default()
        }
    }
}

impl HasEffects for Guard {
    fn effects(&self) -> Effects {
        match self {
            Self::TokenIsNamed(_) => Effects {
                needs: NAME,
                ..Effects::default()
            },
            Self::CurrentIs(elements) | Self::Has(_, elements) => elements.effects(),
            Self::IsEmpty(_) => Effects::default(),
        }
    }
}

impl HasEffects for Exit {
    fn effects(&self) -> Effects {
        match self {
            Self::Go(_) | Self::Done | Self::StopParsing => Effects::default(),
            Self::If { guard, .. } => guard.effects(),
            Self::ReprocessIn(mode) => Effects {
                leads_to: Some(*mode),
                reprocesses: true,
                ..Effects::default()
            },
        }
    }
}
