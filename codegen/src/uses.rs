//! What actions, questions and values use, and all that a body or a machine does or asks.

use crate::charset::CharSet;
use crate::machine::{
    Action, Body, Guard, Machine, Next, RegisterId, State, StateKind, Target, TokenId, Value,
    Vocabulary,
};

/// Something that a machine remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// A register.
    Register(RegisterId),
    /// A token under construction.
    Token(TokenId),
    /// The reference matched last.
    Matched,
    /// The position that `Rewind` goes back to.
    Mark,
    /// The name of the last start tag emitted.
    LastStartTag,
}

impl Value {
    /// What it is read from.
    pub fn reads(&self) -> Option<Variable> {
        match self {
            Self::Register(id) | Self::Code(id) => Some(Variable::Register(*id)),
            Self::Field(field) => Some(Variable::Token(field.token)),
            Self::MatchedReplacement | Self::MatchedName => Some(Variable::Matched),
            Self::Current | Self::LowerCurrent | Self::Literal(_) => None,
        }
    }
}

impl Action {
    /// The text that it emits, appends or sets.
    #[inline]
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::EmitText(value)
            | Self::Append(_, value)
            | Self::Set(_, value)
            | Self::AppendAttribute(_, _, value)
            | Self::SetAttribute(_, _, value)
            | Self::AppendRegister(_, value)
            | Self::SetText(_, value) => Some(value),
            Self::Error(_)
            | Self::EmitEof
            | Self::Emit(_)
            | Self::SetKind(..)
            | Self::Create(..)
            | Self::StartAttribute(_)
            | Self::DropAttribute(_)
            | Self::SetFlag(..)
            | Self::SetState(..)
            | Self::SetNumber(..)
            | Self::Multiply(..)
            | Self::AddDigit(_)
            | Self::Increase(_)
            | Self::Decrease(_)
            | Self::Replace(_)
            | Self::SetCharacter(..)
            | Self::SetFinite(..)
            | Self::Mark
            | Self::Rewind => None,
        }
    }

    /// What it reads, whatever is done later with what it changes.
    pub fn reads(&self) -> Option<Variable> {
        match self {
            Self::Emit(token) => Some(Variable::Token(*token)),
            Self::Rewind => Some(Variable::Mark),
            _ => self.value()?.reads(),
        }
    }

    /// What it emits, sets or changes.
    pub fn changes(&self) -> Option<Variable> {
        match self {
            Self::Emit(id)
            | Self::SetKind(id, _)
            | Self::Create(id, _)
            | Self::StartAttribute(id)
            | Self::DropAttribute(id)
            | Self::AppendAttribute(id, ..)
            | Self::SetAttribute(id, ..) => Some(Variable::Token(*id)),
            Self::Append(field, _) | Self::Set(field, _) | Self::SetFlag(field, _) => {
                Some(Variable::Token(field.token))
            }
            Self::AppendRegister(id, _)
            | Self::SetText(id, _)
            | Self::SetState(id, _)
            | Self::SetNumber(id, _)
            | Self::Multiply(id, _)
            | Self::AddDigit(id)
            | Self::Increase(id)
            | Self::Decrease(id)
            | Self::Replace(id)
            | Self::SetCharacter(id, _)
            | Self::SetFinite(id, _) => Some(Variable::Register(*id)),
            Self::Mark | Self::Rewind => Some(Variable::Mark),
            Self::Error(_) | Self::EmitText(_) | Self::EmitEof => None,
        }
    }

    /// Whether the answer to a question may be another one behind it. A token that is emitted may do anything `on emitting`, and
    /// what the host answers may depend on all that came out.
    pub fn bears_on(&self, question: &Guard) -> bool {
        match self {
            Self::Emit(_) | Self::Rewind => true,
            Self::EmitText(_) => {
                let asked = question.parts();
                asked.into_iter().any(|it| matches!(it, Guard::Question(_)))
            }
            _ => self
                .changes()
                .is_some_and(|it| question.reads().contains(&it)),
        }
    }

    /// Whether nothing is left of what the variable held that it changes.
    pub fn sets_anew(&self) -> bool {
        match self {
            Self::Create(..)
            | Self::SetText(..)
            | Self::SetState(..)
            | Self::SetNumber(..)
            | Self::SetCharacter(..)
            | Self::SetFinite(..)
            | Self::Mark => true,
            Self::Error(_)
            | Self::EmitText(_)
            | Self::EmitEof
            | Self::Emit(_)
            | Self::SetKind(..)
            | Self::StartAttribute(_)
            | Self::DropAttribute(_)
            | Self::AppendAttribute(..)
            | Self::SetAttribute(..)
            | Self::Append(..)
            | Self::Set(..)
            | Self::SetFlag(..)
            | Self::AppendRegister(..)
            | Self::Multiply(..)
            | Self::AddDigit(_)
            | Self::Increase(_)
            | Self::Decrease(_)
            | Self::Replace(_)
            | Self::Rewind => false,
        }
    }
}

impl Guard {
    /// The questions that it is made of, without connectives.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Not(guard) => guard.parts(),
            Self::All(guards) | Self::Any(guards) => guards.iter().flat_map(Self::parts).collect(),
            _ => vec![self],
        }
    }

    /// What it asks about.
    pub fn reads(&self) -> Vec<Variable> {
        match self {
            Self::Not(guard) => guard.reads(),
            Self::All(guards) | Self::Any(guards) => guards.iter().flat_map(Self::reads).collect(),
            Self::TextIs { register: id, .. }
            | Self::FiniteIs(id, _)
            | Self::StateIs(id, _)
            | Self::NumberIn(id, _)
            | Self::HasReplacement(id)
            | Self::CurrentIsCharacter(id) => vec![Variable::Register(*id)],
            Self::AppropriateEndTag(id) => vec![Variable::Token(*id), Variable::LastStartTag],
            Self::DuplicateAttribute(id) | Self::HasAttributes(id) | Self::KindIs(id, _) => {
                vec![Variable::Token(*id)]
            }
            Self::FlagIs(field) => vec![Variable::Token(field.token)],
            Self::LastMatchedIn(_) => vec![Variable::Matched],
            Self::NextIsLastStartTag { .. } | Self::StartTagEmitted => vec![Variable::LastStartTag],
            Self::CurrentIn(_)
            | Self::NextIn { .. }
            | Self::NextAre { .. }
            | Self::LastConsumed(_)
            | Self::Question(_) => Vec::new(),
        }
    }

    /// The sets in which a question without connectives looks for what is consumed or comes next.
    pub fn sets(&self) -> Vec<&CharSet> {
        match self {
            Self::CurrentIn(set)
            | Self::NextIn { set, .. }
            | Self::NextIsLastStartTag {
                followed_by: set, ..
            } => vec![set],
            Self::NextAre { run, then } => vec![run, then],
            _ => Vec::new(),
        }
    }

    /// Whether a question without connectives asks what comes next.
    pub(crate) fn looks_ahead(&self) -> bool {
        matches!(
            self,
            Self::NextIn { .. } | Self::NextAre { .. } | Self::NextIsLastStartTag { .. }
        )
    }

    /// Whether a question without connectives compares a name with the last start tag's.
    pub fn compares_start_tags(&self) -> bool {
        matches!(
            self,
            Self::AppropriateEndTag(_) | Self::NextIsLastStartTag { .. }
        )
    }
}

/// Every body of a state: literals, arms, EOF; or the one or two of a state that consumes nothing.
pub fn bodies(state: &State) -> Vec<&Body> {
    match &state.kind {
        StateKind::Consume(consume) => consume
            .literals
            .iter()
            .map(|l| &l.body)
            .chain(consume.arms.iter().map(|a| &a.body))
            .chain([&consume.eof])
            .collect(),
        StateKind::Steps(body) => vec![body],
        StateKind::Match { matched, unmatched } => vec![matched, unmatched],
    }
}

impl Body {
    /// This body and all to which its questions lead.
    pub fn all(&self) -> Vec<&Self> {
        let mut all = vec![self];
        if let Next::If {
            then, otherwise, ..
        } = &self.next
        {
            all.extend(then.all());
            all.extend(otherwise.all());
        }
        all
    }

    /// Its actions, wherever its questions lead.
    pub fn all_actions(&self) -> impl Iterator<Item = &Action> {
        self.all().into_iter().flat_map(|body| &body.actions)
    }

    /// What it asks, without connectives.
    pub fn all_questions(&self) -> impl Iterator<Item = &Guard> {
        let guards = self.all().into_iter().filter_map(|body| match &body.next {
            Next::If { guard, .. } => Some(guard),
            Next::Go { .. } => None,
        });
        guards.flat_map(Guard::parts)
    }

    /// Where it may lead, and whether what was consumed is put back.
    pub fn ends(&self) -> impl Iterator<Item = (Target, bool)> {
        let ends = self.all().into_iter();
        ends.filter_map(|body| match &body.next {
            Next::Go { target, reconsume } => Some((*target, *reconsume)),
            Next::If { .. } => None,
        })
    }
}

impl Vocabulary {
    /// Whether a sink's answer to the token matters.
    pub(crate) fn answers(&self, token: TokenId) -> bool {
        let kinds = self.tokens[token.0 as usize].kinds.iter();
        kinds.into_iter().any(|kind| kind.answers)
    }
}

impl Machine {
    /// The names of the kinds of tokens that the machine creates.
    pub fn kinds_created(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for action in self.all_actions() {
            if let Action::Create(token, kind) | Action::SetKind(token, kind) = action {
                let token = self.vocabulary.tokens.get(token.0 as usize);
                let kind = token.and_then(|token| token.kinds.get(*kind as usize));
                names.extend(kind.map(|kind| kind.name.as_str()));
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Every action of every state, and of what is done on emitting a token.
    pub fn all_actions(&self) -> impl Iterator<Item = &Action> {
        let on_emit = self.on_emit.iter().flat_map(|on_emit| &on_emit.steps);
        let on_emit = on_emit.flat_map(|(_, actions)| actions);
        let states = self.states.iter().flat_map(bodies);
        states.flat_map(Body::all_actions).chain(on_emit)
    }

    /// Every question that is asked anywhere, without connectives.
    pub fn all_questions(&self) -> impl Iterator<Item = &Guard> {
        let on_emit = self.on_emit.iter().flat_map(|on_emit| &on_emit.steps);
        let on_emit = on_emit.flat_map(|(guard, _)| guard.iter().flat_map(Guard::parts));
        let states = self.states.iter().flat_map(bodies);
        states.flat_map(Body::all_questions).chain(on_emit)
    }
}
