//! What a step, a guard, a value or an exit reads, writes and uses, said once: the checks ask here.

use super::machine::{
    ArmId, BodyId, Call, DoctypeTest, Exit, Guard, HostCall, Identifier, Location, Mode, ModeId,
    Namespace, Node, Number, Part, Position, ScopeId, SetId, SlotId, StateId, Step, Text, TokenOf,
    Truth, Types, Value, Variable,
};

/// One of them, in the order in which they happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// What has facts.
pub(super) trait Facts {
    fn facts(&self, f: &mut dyn FnMut(Fact));
}

fn all(parts: &[&dyn Facts], f: &mut dyn FnMut(Fact)) {
    parts.iter().for_each(|part| part.facts(f));
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
            Self::Set(slot, value) => {
                value.facts(f);
                f(Fact::Writes(*slot));
            }
            Self::SetNode(state, value) => {
                value.facts(f);
                f(Fact::State(*state));
            }
            Self::SetWord(state, _) => f(Fact::State(*state)),
            Self::SetProperty(property, node, value) => {
                all(&[node, value], f);
                f(Fact::Property(*property));
            }
            Self::Increment(slot, number) => {
                f(Fact::Reads(*slot));
                number.facts(f);
            }
            Self::SetPrevious(slot) => {
                f(Fact::Reads(*slot));
                f(open);
            }
            Self::FosterParenting(_) => f(Fact::Variable(Variable::FosterParenting)),
            Self::SwitchTo(mode) => {
                mode.facts(f);
                f(Fact::LeadsTo(*mode));
            }
            Self::SetOriginalMode => f(Fact::Variable(Variable::OriginalInsertionMode)),
            Self::PushMode(mode) => {
                mode.facts(f);
                f(Fact::Variable(Variable::TemplateInsertionModes));
                f(Fact::LeadsTo(*mode));
            }
            Self::PopMode => {
                f(Fact::Variable(Variable::TemplateInsertionModes));
                f(Fact::Pops);
            }
            Self::Acknowledge => f(Fact::Needs(Part::SelfClosing)),
            Self::UseRules(mode) => {
                mode.facts(f);
                f(Fact::Delegates(*mode));
            }
            Self::RunArm(mode, arm) => f(Fact::Runs(*mode, *arm)),
            Self::RunArmForPending(mode, arm) => {
                f(pending);
                f(Fact::Runs(*mode, *arm));
            }
            Self::Run(call) => call.facts(f),
            Self::Host(call) => call.facts(f),
            Self::Pop => {
                f(open);
                f(Fact::Pops);
            }
            Self::PopUntil(types) => {
                types.facts(f);
                f(open);
                f(Fact::Pops);
            }
            Self::PopThrough(node) | Self::PopBelow(node) => {
                node.facts(f);
                f(open);
                f(Fact::Pops);
            }
            Self::Push(node) => {
                node.facts(f);
                f(open);
            }
            Self::Remove(variable, node) => {
                node.facts(f);
                f(Fact::Variable(*variable));
            }
            Self::Replace(variable, node, by) => {
                all(&[node, by], f);
                f(Fact::Variable(*variable));
            }
            Self::InsertBelow(node, above) => {
                all(&[node, above], f);
                f(open);
            }
            Self::Add(node) => {
                node.facts(f);
                f(list);
            }
            Self::AddMarker => f(list),
            Self::InsertAtPosition(node, at) => {
                all(&[node, at], f);
                f(list);
            }
            Self::Insert(node, at) => all(&[node, at], f),
            Self::Append(node, to) | Self::MoveChildren(node, to) => all(&[node, to], f),
            Self::Detach(node) => node.facts(f),
            Self::AppendAttributes(token, to) => all(&[token, to], f),
            Self::AddMissingAttributes(node) => {
                node.facts(f);
                f(Fact::Needs(Part::Attributes));
            }
            Self::DropAttributes => f(Fact::Needs(Part::Attributes)),
            Self::Rename(text) => {
                text.facts(f);
                f(Fact::Needs(Part::Name));
                f(Fact::Renames);
            }
            Self::RenameBy(names) => {
                f(Fact::Names(*names));
                f(Fact::Needs(Part::Name));
                f(Fact::Renames);
            }
            Self::AdjustAttributes(names) => {
                f(Fact::Names(*names));
                f(Fact::Needs(Part::Attributes));
            }
            Self::AppendText(text, at) | Self::InsertText(text, at) => all(&[text, at], f),
            Self::InsertComment(at) => {
                at.facts(f);
                f(Fact::Needs(Part::Data));
            }
            Self::InsertProcessingInstruction(at) => {
                at.facts(f);
                f(Fact::Needs(Part::Target));
                f(Fact::Needs(Part::Data));
            }
            Self::InsertEntityReference(at) | Self::InsertDoctype(at) => {
                at.facts(f);
                f(Fact::Needs(Part::Name));
            }
            Self::EmptyPending => f(pending),
            Self::AppendPending => {
                f(Fact::NeedsCharacter);
                f(pending);
            }
        }
    }
}

impl Facts for Exit {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Go(_) | Self::Done | Self::Reprocess | Self::StopParsing => {}
            Self::If { guard, .. } => guard.facts(f),
            Self::Return(value) => value.facts(f),
            Self::ReprocessUsing(mode) => {
                mode.facts(f);
                f(Fact::Delegates(*mode));
            }
            Self::ActAs(mode, arm) => f(Fact::Runs(*mode, *arm)),
        }
    }
}

impl Facts for Mode {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Named(_) | Self::Current => {}
            Self::Original => f(Fact::Variable(Variable::OriginalInsertionMode)),
            Self::CurrentTemplate => f(Fact::Variable(Variable::TemplateInsertionModes)),
        }
    }
}

impl Facts for Call {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        self.arguments.facts(f);
        f(Fact::Calls(self.body));
    }
}

impl Facts for HostCall {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        self.arguments.facts(f);
        f(Fact::Host(self.host));
    }
}

impl Facts for Guard {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        let open = Fact::Variable(Variable::OpenElements);
        let list = Fact::Variable(Variable::ActiveFormattingElements);
        match self {
            Self::Not(guard) => guard.facts(f),
            // What is asked of a token of one kind is not asked of others.
            Self::All(guards) if matches!(guards[..], [Self::TokenIs(_), ..]) => {}
            Self::All(guards) | Self::Any(guards) => guards.facts(f),
            Self::True | Self::TokenIs(_) => {}
            Self::Condition(condition) => f(Fact::Condition(*condition)),
            Self::Is(node, types) => all(&[node, types], f),
            Self::Same(node, other) => all(&[node, other], f),
            Self::IsNull(node)
            | Self::IsMarker(node)
            | Self::IsBody(node)
            | Self::HasParent(node) => node.facts(f),
            Self::IsIn(node, variable) => {
                node.facts(f);
                f(Fact::Variable(*variable));
            }
            Self::IsLower(node, other) => {
                all(&[node, other], f);
                f(open);
            }
            Self::IsFirstEntry(node) | Self::HasThreeLike(node) => {
                node.facts(f);
                f(list);
            }
            Self::IsEmpty(variable) => f(Fact::Variable(*variable)),
            Self::HasOneElement => f(open),
            Self::HasInScope(types, scope) => {
                types.facts(f);
                f(open);
                f(Fact::Scope(*scope));
            }
            Self::HasElementInScope(node, scope) => {
                node.facts(f);
                f(open);
                f(Fact::Scope(*scope));
            }
            Self::IsOnStack(types) | Self::IsOtherOnStack(types) => {
                types.facts(f);
                f(open);
            }
            Self::HasTagNameOfToken(node) => {
                node.facts(f);
                f(Fact::Needs(Part::Name));
            }
            Self::HasOtherNamespaceIn(node, _, namespace) => all(&[node, namespace], f),
            Self::TokenIsNamed(_) => f(Fact::Needs(Part::Name)),
            Self::TokenHasAttribute(_) | Self::TokenHasValue(..) => {
                f(Fact::Needs(Part::Attributes))
            }
            Self::TokenIsSelfClosing => f(Fact::Needs(Part::SelfClosing)),
            Self::Doctype(test) => test.facts(f),
            Self::TokenMatches(quirks) => {
                f(Fact::Quirks(*quirks));
                f(Fact::Needs(Part::PublicIdentifier));
            }
            Self::HasWord(state, _) | Self::IsYes(state) => f(Fact::State(*state)),
            Self::InsertionModeIs(_) => f(Fact::Variable(Variable::InsertionMode)),
            Self::FosterParenting => f(Fact::Variable(Variable::FosterParenting)),
            Self::PendingHasOther(_) => f(Fact::Variable(Variable::PendingTableCharacters)),
            Self::IsInDocument(at) | Self::HasTextBefore(at) => at.facts(f),
            Self::IsInside(at, types) => all(&[at, types], f),
            Self::IsPossible(node, at) => all(&[node, at], f),
            Self::IsGreater(number, than) | Self::IsAtLeast(number, than) => {
                all(&[number, than], f)
            }
            Self::IsTrue(truth) => truth.facts(f),
        }
    }
}

impl Facts for DoctypeTest {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::ForceQuirks => f(Fact::Needs(Part::ForceQuirks)),
            Self::NameIs(_) => f(Fact::Needs(Part::Name)),
            Self::Not(test) => test.facts(f),
            Self::Both(one, other) => all(&[&**one, &**other], f),
            Self::IsMissing(of)
            | Self::Is(of, _)
            | Self::IsExactly(of, _)
            | Self::StartsWith(of, _) => match of {
                Identifier::Public => f(Fact::Needs(Part::PublicIdentifier)),
                Identifier::System => f(Fact::Needs(Part::SystemIdentifier)),
            },
        }
    }
}

impl Facts for Value {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Null => {}
            Self::Node(node) => node.facts(f),
            Self::Location(at) => at.facts(f),
            Self::Position(at) => at.facts(f),
            Self::Text(text) => text.facts(f),
            Self::Number(number) => number.facts(f),
            Self::Truth(truth) => truth.facts(f),
            Self::Token(token) => token.facts(f),
            Self::Namespace(namespace) => namespace.facts(f),
            Self::Types(types) => types.facts(f),
        }
    }
}

impl Facts for Node {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        let open = Fact::Variable(Variable::OpenElements);
        let list = Fact::Variable(Variable::ActiveFormattingElements);
        match self {
            Self::Slot(slot) => f(Fact::Reads(*slot)),
            Self::State(state) => f(Fact::State(*state)),
            Self::Document => {}
            Self::Current | Self::AdjustedCurrent | Self::Top | Self::Second => f(open),
            Self::New => f(Fact::UsesNew),
            Self::Popped => f(Fact::UsesPopped),
            Self::Last(types) => {
                types.facts(f);
                f(open);
            }
            Self::Above(node) => {
                node.facts(f);
                f(open);
            }
            Self::TopmostLower(types, node) => {
                all(&[&**types, &**node], f);
                f(open);
            }
            Self::LastEntry => f(list),
            Self::LastEntryOf(types) => {
                types.facts(f);
                f(list);
            }
            Self::EarliestLike(node) | Self::EntryBefore(node) | Self::EntryAfter(node) => {
                node.facts(f);
                f(list);
            }
            Self::In(at) => at.facts(f),
            Self::Parent(node) | Self::Contents(node) => node.facts(f),
            Self::Property(property, node) => {
                node.facts(f);
                f(Fact::Property(*property));
            }
            Self::Create(name, namespace) => {
                all(&[&**name, &**namespace], f);
                f(Fact::CreatesNew);
            }
            Self::Nearest(types, node) => all(&[&**types, &**node], f),
            Self::Call(call) => call.facts(f),
        }
    }
}

impl Facts for Types {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => f(Fact::Reads(*slot)),
            Self::Names(_) => {}
            Self::Set(set) => f(Fact::Set(*set)),
            Self::SameName => f(Fact::Needs(Part::Name)),
            Self::Named(name) | Self::NamedAny(name) => name.facts(f),
            Self::In(namespace) => namespace.facts(f),
            Self::Any(types) => types.facts(f),
            Self::ButNot(one, other) => all(&[&**one, &**other], f),
        }
    }
}

impl Facts for Namespace {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => f(Fact::Reads(*slot)),
            Self::Fixed(_) => {}
            Self::Of(node) => node.facts(f),
        }
    }
}

impl Facts for Location {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => f(Fact::Reads(*slot)),
            Self::LastChild(node) => node.facts(f),
            Self::Before(node, before) => all(&[node, before], f),
            Self::Call(call) => call.facts(f),
        }
    }
}

impl Facts for Position {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => f(Fact::Reads(*slot)),
            Self::Of(node) | Self::After(node) => {
                node.facts(f);
                f(Fact::Variable(Variable::ActiveFormattingElements));
            }
        }
    }
}

impl Facts for TokenOf {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => f(Fact::Reads(*slot)),
            // Whoever is given it makes an element of it.
            Self::Current => {
                f(Fact::Needs(Part::Name));
                f(Fact::Needs(Part::Attributes));
            }
            Self::Made(_) => {}
            Self::Created(node) => node.facts(f),
        }
    }
}

impl Facts for Text {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => f(Fact::Reads(*slot)),
            Self::Literal(_) => {}
            Self::Character => f(Fact::NeedsCharacter),
            Self::Pending => f(Fact::Variable(Variable::PendingTableCharacters)),
            Self::TagName(TokenOf::Current) => f(Fact::Needs(Part::Name)),
            Self::TagName(token) => token.facts(f),
        }
    }
}

impl Facts for Number {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => f(Fact::Reads(*slot)),
            Self::Literal(_) => {}
        }
    }
}

impl Facts for Truth {
    fn facts(&self, f: &mut dyn FnMut(Fact)) {
        match self {
            Self::Slot(slot) => f(Fact::Reads(*slot)),
            Self::Literal(_) => {}
            Self::Host(call) => call.facts(f),
        }
    }
}
