//! What a step, a guard, a value or an exit reads, writes and uses, said once: the checks ask here.

use super::machine::{
    ArmId, BodyId, Call, DoctypeTest, Exit, Guard, HostCall, Identifier, Location, Mode, ModeId,
    Namespace, Node, Number, Part, Position, ScopeId, SetId, SlotId, StateId, Step, Text, TokenOf,
    Truth, Types, Value, ValueSort, Variable,
};

/// One of them, in the order in which they happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fact {
    /// The token must have this.
    Needs(Part),
    /// The token must be a character.
    NeedsCharacter,
    UsesNew,
    CreatesNew,
    UsesPopped,
    Reads(SlotId),
    Writes(SlotId),
    Variable(Variable),
    State(StateId),
    Host(usize),
    Condition(usize),
    Set(SetId),
    Scope(ScopeId),
    Names(usize),
    Quirks(usize),
    Property(usize),
    Calls(BodyId),
    /// A procedure is given this for one of its slots.
    Gives(BodyId, SlotId, Given),
    /// Rules that take the token.
    Delegates(Mode),
    /// An arm of rules that takes a token.
    Runs(ModeId, ArmId),
    /// Rules that may take a token later.
    LeadsTo(Mode),
    /// An element or a template insertion mode is popped.
    Pops,
    /// The token is another one from now on.
    Renames,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Given {
    Nothing,
    Slot(SlotId),
    /// What a procedure returns.
    Result(BodyId),
    Node,
    /// A node that the sink finds, such as a parent. It may or may not be an element of the builder.
    Found,
    Location,
    Position,
    /// The name of a tag.
    Name,
    Characters,
    Number,
    Truth,
    Token,
    Namespace,
    Types,
}

impl From<ValueSort> for Given {
    fn from(sort: ValueSort) -> Self {
        match sort {
            ValueSort::Node => Self::Node,
            ValueSort::Location => Self::Location,
            ValueSort::Position => Self::Position,
            ValueSort::Text => Self::Characters,
            ValueSort::Number => Self::Number,
            ValueSort::Truth => Self::Truth,
            ValueSort::Token => Self::Token,
            ValueSort::Namespace => Self::Namespace,
            ValueSort::Types => Self::Types,
        }
    }
}

impl Given {
    /// Adds what else it may be.
    pub(super) fn add(&mut self, other: Self) {
        if matches!(other, Self::Found | Self::Name) {
            *self = other;
        }
    }

    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Nothing,
            Value::Node(Node::Slot(slot))
            | Value::Location(Location::Slot(slot))
            | Value::Position(Position::Slot(slot))
            | Value::Text(Text::Slot(slot))
            | Value::Number(Number::Slot(slot))
            | Value::Truth(Truth::Slot(slot))
            | Value::Token(TokenOf::Slot(slot))
            | Value::Namespace(Namespace::Slot(slot))
            | Value::Types(Types::Slot(slot)) => Self::Slot(*slot),
            Value::Node(Node::Call(call)) | Value::Location(Location::Call(call)) => {
                Self::Result(call.body)
            }
            Value::Node(Node::In(_) | Node::Parent(_) | Node::Contents(_) | Node::Property(..)) => {
                Self::Found
            }
            Value::Node(_) => Self::Node,
            Value::Location(_) => Self::Location,
            Value::Position(_) => Self::Position,
            Value::Text(Text::TagName(_)) => Self::Name,
            Value::Text(Text::Literal(_) | Text::Character | Text::Pending) => Self::Characters,
            Value::Number(_) => Self::Number,
            Value::Truth(_) => Self::Truth,
            Value::Token(_) => Self::Token,
            Value::Namespace(_) => Self::Namespace,
            Value::Types(_) => Self::Types,
        }
    }
}

/// What has facts.
pub(super) trait Facts {
    fn facts(&self, f: &mut dyn FnMut(Fact));
}

/// What the parts say, and what else there is, in this order.
macro_rules! say {
    ($f:ident: $($part:expr),*; $($fact:expr),*) => {{
        $($part.facts($f);)*
        $($f($fact);)*
    }};
}

impl<T: Facts> Facts for [T] {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        self.iter().for_each(|part| part.facts(f));
    }
}

impl Facts for Step {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        let open = Fact::Variable(Variable::OpenElements);
        let list = Fact::Variable(Variable::ActiveFormattingElements);
        let pending = Fact::Variable(Variable::PendingTableCharacters);
        match self {
            Self::ParseError | Self::IgnoreNext(_) | Self::SwitchTokenizer(_) => {}
            Self::Set(slot, value) => say!(f: value; Fact::Writes(*slot)),
            Self::SetNode(state, value) => say!(f: value; Fact::State(*state)),
            Self::SetWord(state, _) => say!(f: ; Fact::State(*state)),
            Self::SetProperty(property, node, value) => {
                say!(f: node, value; Fact::Property(*property))
            }
            Self::Increment(slot, number) => {
                f(Fact::Reads(*slot));
                number.facts(f);
            }
            Self::SetPrevious(slot) => say!(f: ; Fact::Reads(*slot), open),
            Self::FosterParenting(_) => say!(f: ; Fact::Variable(Variable::FosterParenting)),
            Self::SwitchTo(mode) => say!(f: mode; Fact::LeadsTo(*mode)),
            Self::SetOriginalMode => say!(f: ; Fact::Variable(Variable::OriginalInsertionMode)),
            Self::PushMode(mode) => {
                say!(f: mode; Fact::Variable(Variable::TemplateInsertionModes), Fact::LeadsTo(*mode))
            }
            Self::PopMode => {
                say!(f: ; Fact::Variable(Variable::TemplateInsertionModes), Fact::Pops)
            }
            Self::Acknowledge => say!(f: ; Fact::Needs(Part::SelfClosing)),
            Self::UseRules(mode) => say!(f: mode; Fact::Delegates(*mode)),
            Self::RunArm(mode, arm) => say!(f: ; Fact::Runs(*mode, *arm)),
            Self::RunArmForPending(mode, arm) => say!(f: ; pending, Fact::Runs(*mode, *arm)),
            Self::Run(call) => say!(f: call;),
            Self::Host(call) => say!(f: call;),
            Self::Pop => say!(f: ; open, Fact::Pops),
            Self::PopUntil(types) => say!(f: types; open, Fact::Pops),
            Self::PopThrough(node) | Self::PopBelow(node) => say!(f: node; open, Fact::Pops),
            Self::Push(node) => say!(f: node; open),
            Self::Remove(variable, node) => say!(f: node; Fact::Variable(*variable)),
            Self::Replace(variable, node, by) => say!(f: node, by; Fact::Variable(*variable)),
            Self::InsertBelow(node, above) => say!(f: node, above; open),
            Self::Add(node) => say!(f: node; list),
            Self::AddMarker => say!(f: ; list),
            Self::InsertAtPosition(node, at) => say!(f: node, at; list),
            Self::Insert(node, at) => say!(f: node, at;),
            Self::Append(node, to) | Self::MoveChildren(node, to) => say!(f: node, to;),
            Self::Detach(node) => say!(f: node;),
            Self::AppendAttributes(token, to) => say!(f: token, to;),
            Self::AddMissingAttributes(node) => say!(f: node; Fact::Needs(Part::Attributes)),
            Self::DropAttributes => say!(f: ; Fact::Needs(Part::Attributes)),
            Self::Rename(text) => say!(f: text; Fact::Needs(Part::Name), Fact::Renames),
            Self::RenameBy(names) => {
                say!(f: ; Fact::Names(*names), Fact::Needs(Part::Name), Fact::Renames)
            }
            Self::AdjustAttributes(names) => {
                say!(f: ; Fact::Names(*names), Fact::Needs(Part::Attributes))
            }
            Self::AppendText(text, at) | Self::InsertText(text, at) => say!(f: text, at;),
            Self::InsertComment(at) => say!(f: at; Fact::Needs(Part::Data)),
            Self::InsertProcessingInstruction(at) => {
                say!(f: at; Fact::Needs(Part::Target), Fact::Needs(Part::Data))
            }
            Self::InsertEntityReference(at) | Self::InsertDoctype(at) => {
                say!(f: at; Fact::Needs(Part::Name))
            }
            Self::EmptyPending => say!(f: ; pending),
            Self::AppendPending => say!(f: ; Fact::NeedsCharacter, pending),
        }
    }
}

impl Facts for Exit {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Go(_) | Self::Done | Self::Reprocess | Self::StopParsing => {}
            Self::If { guard, .. } => say!(f: guard;),
            Self::Return(value) => say!(f: value;),
            Self::ReprocessUsing(mode) => say!(f: mode; Fact::Delegates(*mode)),
            Self::ActAs(mode, arm) => say!(f: ; Fact::Runs(*mode, *arm)),
        }
    }
}

impl Facts for Mode {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Named(_) | Self::Current => {}
            Self::Original => say!(f: ; Fact::Variable(Variable::OriginalInsertionMode)),
            Self::CurrentTemplate => say!(f: ; Fact::Variable(Variable::TemplateInsertionModes)),
        }
    }
}

impl Facts for Call {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        for (slot, value) in self.arguments.iter().enumerate() {
            f(Fact::Gives(self.body, slot, Given::of(value)));
        }
        say!(f: self.arguments; Fact::Calls(self.body));
    }
}

impl Facts for HostCall {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        say!(f: self.arguments; Fact::Host(self.host));
    }
}

impl Facts for Guard {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        let open = Fact::Variable(Variable::OpenElements);
        let list = Fact::Variable(Variable::ActiveFormattingElements);
        match self {
            Self::Not(guard) => say!(f: guard;),
            // What is asked of a token of one kind is not asked of others.
            Self::All(guards) if matches!(guards[..], [Self::TokenIs(_), ..]) => {}
            Self::All(guards) | Self::Any(guards) => say!(f: guards;),
            Self::True | Self::TokenIs(_) => {}
            Self::Condition(condition) => say!(f: ; Fact::Condition(*condition)),
            Self::Is(node, types) => say!(f: node, types;),
            Self::Same(node, other) => say!(f: node, other;),
            Self::IsNull(node)
            | Self::IsMarker(node)
            | Self::IsBody(node)
            | Self::HasParent(node) => say!(f: node;),
            Self::IsIn(node, variable) => say!(f: node; Fact::Variable(*variable)),
            Self::IsLower(node, other) => say!(f: node, other; open),
            Self::IsFirstEntry(node) | Self::HasThreeLike(node) => say!(f: node; list),
            Self::IsEmpty(variable) => say!(f: ; Fact::Variable(*variable)),
            Self::HasOneElement => say!(f: ; open),
            Self::HasInScope(types, scope) => say!(f: types; open, Fact::Scope(*scope)),
            Self::HasElementInScope(node, scope) => say!(f: node; open, Fact::Scope(*scope)),
            Self::IsOnStack(types) | Self::IsOtherOnStack(types) => say!(f: types; open),
            Self::HasTagNameOfToken(node) => say!(f: node; Fact::Needs(Part::Name)),
            Self::HasOtherNamespaceIn(node, _, namespace) => say!(f: node, namespace;),
            Self::TokenIsNamed(_) => say!(f: ; Fact::Needs(Part::Name)),
            Self::TokenHasAttribute(_) | Self::TokenHasValue(..) => {
                f(Fact::Needs(Part::Attributes))
            }
            Self::TokenIsSelfClosing => say!(f: ; Fact::Needs(Part::SelfClosing)),
            Self::Doctype(test) => say!(f: test;),
            Self::TokenMatches(quirks) => {
                say!(f: ; Fact::Quirks(*quirks), Fact::Needs(Part::PublicIdentifier))
            }
            Self::HasWord(state, _) | Self::IsYes(state) => say!(f: ; Fact::State(*state)),
            Self::InsertionModeIs(_) => say!(f: ; Fact::Variable(Variable::InsertionMode)),
            Self::FosterParenting => say!(f: ; Fact::Variable(Variable::FosterParenting)),
            Self::PendingHasOther(_) => say!(f: ; Fact::Variable(Variable::PendingTableCharacters)),
            Self::IsInDocument(at) | Self::HasTextBefore(at) => say!(f: at;),
            Self::IsInside(at, types) => say!(f: at, types;),
            Self::IsPossible(node, at) => say!(f: node, at;),
            Self::IsGreater(number, than) | Self::IsAtLeast(number, than) => say!(f: number, than;),
            Self::IsTrue(truth) => say!(f: truth;),
        }
    }
}

impl Facts for DoctypeTest {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::ForceQuirks => say!(f: ; Fact::Needs(Part::ForceQuirks)),
            Self::NameIs(_) => say!(f: ; Fact::Needs(Part::Name)),
            Self::Not(test) => say!(f: test;),
            Self::Both(one, other) => say!(f: one, other;),
            Self::IsMissing(of)
            | Self::Is(of, _)
            | Self::IsExactly(of, _)
            | Self::StartsWith(of, _) => match of {
                Identifier::Public => say!(f: ; Fact::Needs(Part::PublicIdentifier)),
                Identifier::System => say!(f: ; Fact::Needs(Part::SystemIdentifier)),
            },
        }
    }
}

impl Facts for Value {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Null => {}
            Self::Node(node) => say!(f: node;),
            Self::Location(at) => say!(f: at;),
            Self::Position(at) => say!(f: at;),
            Self::Text(text) => say!(f: text;),
            Self::Number(number) => say!(f: number;),
            Self::Truth(truth) => say!(f: truth;),
            Self::Token(token) => say!(f: token;),
            Self::Namespace(namespace) => say!(f: namespace;),
            Self::Types(types) => say!(f: types;),
        }
    }
}

impl Facts for Node {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        let open = Fact::Variable(Variable::OpenElements);
        let list = Fact::Variable(Variable::ActiveFormattingElements);
        match self {
            Self::Slot(slot) => say!(f: ; Fact::Reads(*slot)),
            Self::State(state) => say!(f: ; Fact::State(*state)),
            Self::Document => {}
            Self::Current | Self::AdjustedCurrent | Self::Top | Self::Second => say!(f: ; open),
            Self::New => say!(f: ; Fact::UsesNew),
            Self::Popped => say!(f: ; Fact::UsesPopped),
            Self::Last(types) => say!(f: types; open),
            Self::Above(node) => say!(f: node; open),
            Self::TopmostLower(types, node) => say!(f: types, node; open),
            Self::LastEntry => say!(f: ; list),
            Self::LastEntryOf(types) => say!(f: types; list),
            Self::EarliestLike(node) | Self::EntryBefore(node) | Self::EntryAfter(node) => {
                say!(f: node; list)
            }
            Self::In(at) => say!(f: at;),
            Self::Parent(node) | Self::Contents(node) => say!(f: node;),
            Self::Property(property, node) => say!(f: node; Fact::Property(*property)),
            Self::Create(name, namespace) => say!(f: name, namespace; Fact::CreatesNew),
            Self::Nearest(types, node) => say!(f: types, node;),
            Self::Call(call) => say!(f: call;),
        }
    }
}

impl Facts for Types {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => say!(f: ; Fact::Reads(*slot)),
            Self::Names(_) => {}
            Self::Set(set) => say!(f: ; Fact::Set(*set)),
            Self::SameName => say!(f: ; Fact::Needs(Part::Name)),
            Self::Named(name) | Self::NamedAny(name) => say!(f: name;),
            Self::In(namespace) => say!(f: namespace;),
            Self::Any(types) => say!(f: types;),
            Self::ButNot(one, other) => say!(f: one, other;),
        }
    }
}

impl Facts for Namespace {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => say!(f: ; Fact::Reads(*slot)),
            Self::Fixed(_) => {}
            Self::Of(node) => say!(f: node;),
        }
    }
}

impl Facts for Location {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => say!(f: ; Fact::Reads(*slot)),
            Self::LastChild(node) => say!(f: node;),
            Self::Before(node, before) | Self::Pair(node, before) => say!(f: node, before;),
            Self::Call(call) => say!(f: call;),
        }
    }
}

impl Facts for Position {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => say!(f: ; Fact::Reads(*slot)),
            Self::Of(node) | Self::After(node) => {
                say!(f: node; Fact::Variable(Variable::ActiveFormattingElements))
            }
        }
    }
}

impl Facts for TokenOf {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => say!(f: ; Fact::Reads(*slot)),
            // A procedure that gets the token makes an element from it.
            Self::Current => say!(f: ; Fact::Needs(Part::Name), Fact::Needs(Part::Attributes)),
            Self::Made(_) => {}
            Self::Created(node) => say!(f: node;),
        }
    }
}

impl Facts for Text {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => say!(f: ; Fact::Reads(*slot)),
            Self::Literal(_) => {}
            Self::Character => say!(f: ; Fact::NeedsCharacter),
            Self::Pending => say!(f: ; Fact::Variable(Variable::PendingTableCharacters)),
            Self::TagName(TokenOf::Current) => say!(f: ; Fact::Needs(Part::Name)),
            Self::TagName(token) => say!(f: token;),
        }
    }
}

impl Facts for Number {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => say!(f: ; Fact::Reads(*slot)),
            Self::Literal(_) => {}
        }
    }
}

impl Facts for Truth {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => say!(f: ; Fact::Reads(*slot)),
            Self::Literal(_) => {}
            Self::Host(call) => say!(f: call;),
        }
    }
}
