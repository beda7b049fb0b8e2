//! What actions, questions and values use, and all that a body or a machine does or asks.

// A new action, guard or value must be named here.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::charset::CharSet;
use crate::machine::{
    Action, AttributePart, Body, FieldId, Guard, Machine, Next, RegisterId, State, StateId,
    StateKind, Target, TokenId, Value, Vocabulary,
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

/// A part of what a machine remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A register.
    Register(RegisterId),
    /// A token under construction as a whole.
    Token(TokenId),
    /// The kind of a token under construction.
    Kind(TokenId),
    /// A field of a token under construction.
    Field(FieldId),
    /// Which attribute of a token is under construction.
    CurrentAttribute(TokenId),
    /// A part of the attribute under construction.
    Attribute(TokenId, AttributePart),
    /// The position that `Rewind` goes back to.
    Mark,
}

impl Place {
    /// The variable that it is, or is a part of.
    pub fn variable(self) -> Variable {
        match self {
            Self::Register(id) => Variable::Register(id),
            Self::Token(id)
            | Self::Kind(id)
            | Self::CurrentAttribute(id)
            | Self::Attribute(id, _) => Variable::Token(id),
            Self::Field(field) => Variable::Token(field.token),
            Self::Mark => Variable::Mark,
        }
    }

    fn is_whole(self) -> bool {
        match self {
            Self::Register(_) | Self::Token(_) | Self::Mark => true,
            Self::Kind(_) | Self::Field(_) | Self::CurrentAttribute(_) | Self::Attribute(..) => {
                false
            }
        }
    }
}

/// What an action does to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The place holds something that depends on what it held.
    Altered,
    /// The same, and what it held decides what else happens.
    ReadAndAltered,
    /// Nothing is left of what it held.
    Replaced,
    /// The same, and it holds this now.
    Set(Constant),
}

/// What the table says a place is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// A number.
    Number(u32),
    /// A word of a register's, by its index.
    Word(u32),
    /// A state.
    State(StateId),
    /// A kind of a token's, by its index.
    Kind(u32),
}

impl Constant {
    /// Its number among those of its sort.
    pub fn index(self) -> u32 {
        match self {
            Self::Number(number) => number,
            Self::Word(index) | Self::Kind(index) => index,
            Self::State(StateId(index)) => index,
        }
    }
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

/// The value of an action, shared or exclusive.
macro_rules! value_of {
    ($action:expr) => {
        match $action {
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
    };
}

impl Action {
    /// The text that it emits, appends or sets.
    #[inline]
    pub fn value(&self) -> Option<&Value> {
        value_of!(self)
    }

    /// The same, to change it.
    pub fn value_mut(&mut self) -> Option<&mut Value> {
        value_of!(self)
    }

    /// What it does to what the machine remembers. All other answers about changes follow from this one.
    pub fn touches(&self) -> impl Iterator<Item = (Place, Effect)> + use<> {
        let set = |place, to| [Some((place, Effect::Set(to))), None];
        let to = |place, effect| [Some((place, effect)), None];
        let touched = match *self {
            Self::Error(_) | Self::EmitText(_) | Self::EmitEof => [None, None],
            Self::Emit(id) => to(Place::Token(id), Effect::ReadAndAltered),
            Self::SetKind(id, kind) => set(Place::Kind(id), Constant::Kind(kind)),
            Self::Create(id, kind) => [
                Some((Place::Token(id), Effect::Replaced)),
                Some((Place::Kind(id), Effect::Set(Constant::Kind(kind)))),
            ],
            Self::StartAttribute(id) | Self::DropAttribute(id) => {
                to(Place::CurrentAttribute(id), Effect::Altered)
            }
            Self::Append(field, _) => to(Place::Field(field), Effect::Altered),
            Self::Set(field, _) | Self::SetFlag(field, _) => {
                to(Place::Field(field), Effect::Replaced)
            }
            Self::AppendAttribute(id, part, _) => to(Place::Attribute(id, part), Effect::Altered),
            Self::SetAttribute(id, part, _) => to(Place::Attribute(id, part), Effect::Replaced),
            Self::SetState(id, state) => set(Place::Register(id), Constant::State(state)),
            Self::SetNumber(id, number) => set(Place::Register(id), Constant::Number(number)),
            Self::SetFinite(id, word) => set(Place::Register(id), Constant::Word(word)),
            Self::SetText(id, _) | Self::SetCharacter(id, _) => {
                to(Place::Register(id), Effect::Replaced)
            }
            Self::AppendRegister(id, _)
            | Self::Multiply(id, _)
            | Self::AddDigit(id)
            | Self::Increase(id)
            | Self::Decrease(id)
            | Self::Replace(id) => to(Place::Register(id), Effect::Altered),
            Self::Mark => to(Place::Mark, Effect::Replaced),
            Self::Rewind => to(Place::Mark, Effect::ReadAndAltered),
        };
        touched.into_iter().flatten()
    }

    /// What it reads, whatever is done later with what it changes.
    pub fn reads(&self) -> impl Iterator<Item = Variable> + use<> {
        let own = self.touches();
        let own = own.filter(|(_, effect)| *effect == Effect::ReadAndAltered);
        own.map(|(place, _)| place.variable())
            .chain(self.value().and_then(Value::reads))
    }

    /// What it emits, sets or changes.
    pub fn changes(&self) -> impl Iterator<Item = Variable> + use<> {
        self.touches().map(|(place, _)| place.variable())
    }

    /// Those of the variables it changes of which nothing is left.
    pub fn makes_anew(&self) -> impl Iterator<Item = Variable> + use<> {
        let anew = self.touches().filter(|(place, effect)| {
            place.is_whole() && matches!(effect, Effect::Replaced | Effect::Set(_))
        });
        anew.map(|(place, _)| place.variable())
    }

    /// The registers that it changes, each with the number, word or state that it then holds, if that is known.
    pub fn registers(&self) -> impl Iterator<Item = (RegisterId, Option<u32>)> + use<> {
        self.touches().filter_map(|touched| match touched {
            (Place::Register(id), Effect::Set(to)) => Some((id, Some(to.index()))),
            (Place::Register(id), _) => Some((id, None)),
            _ => None,
        })
    }

    /// Whether the answer to a question may be another one after it. A token that is emitted may do anything `on emitting`, and
    /// what the host answers may depend on all that came out.
    pub fn bears_on(&self, question: &Guard) -> bool {
        let asked = question.reads();
        let asks_host = |it: &&Guard| matches!(it, Guard::Question(_));
        self.touches().any(|(place, effect)| {
            effect == Effect::ReadAndAltered || asked.contains(&place.variable())
        }) || matches!(self, Self::EmitText(_)) && question.parts().iter().any(asks_host)
    }
}

impl Guard {
    /// The questions that it is made of, without connectives.
    pub fn parts(&self) -> Vec<&Self> {
        if let Self::Not(guard) = self {
            return guard.parts();
        }
        if let Self::All(guards) | Self::Any(guards) = self {
            return guards.iter().flat_map(Self::parts).collect();
        }
        vec![self]
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
            Self::Not(_)
            | Self::All(_)
            | Self::Any(_)
            | Self::AppropriateEndTag(_)
            | Self::TextIs { .. }
            | Self::FiniteIs(..)
            | Self::StateIs(..)
            | Self::NumberIn(..)
            | Self::HasReplacement(_)
            | Self::CurrentIsCharacter(_)
            | Self::LastMatchedIn(_)
            | Self::StartTagEmitted
            | Self::LastConsumed(_)
            | Self::Question(_)
            | Self::DuplicateAttribute(_)
            | Self::HasAttributes(_)
            | Self::FlagIs(_)
            | Self::KindIs(..) => Vec::new(),
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
