//! The phrases that stand in lists of steps.

use super::pattern::{Holes, Pattern, patterns};
use super::sort::{
    ArmWanted, Assigned, CodePoint, Content, Flag, Label, NamesOf, NewName, Part, PropertyOf, Says,
    Sort, Term, Word,
};
use crate::diagnostic::Code;
use crate::tree::machine::{
    Exit, HostCall, Location, Mode, Node, Number, Position, SlotId, Step, Text, TokenOf, Types,
    Value, Variable,
};

use Says::{Does, Ends};

fn stack() -> Variable {
    Variable::OpenElements
}

fn list() -> Variable {
    Variable::ActiveFormattingElements
}

/// A slot that holds what a step needs; another one is refused.
fn slot_of(holes: &mut Holes<'_, '_>, assigned: &Assigned, sort: Sort) -> Option<SlotId> {
    match *assigned {
        Assigned::Slot(slot, of) if of == sort => Some(slot),
        _ => {
            let message = format!("this needs a variable that holds {}", sort.expected());
            let help = "declare one in this list or above: `let NAME be VALUE`";
            holes
                .faults
                .add(Code::TypeMismatch, holes.span, message)
                .help(help);
            None
        }
    }
}

fn arm_in_mode(holes: &mut Holes<'_, '_>, mode: Mode) -> Option<usize> {
    if let Mode::Named(mode) = mode {
        return Some(mode);
    }
    let message = "which arm that is must be known";
    let help = "name the insertion mode in quotes";
    holes
        .faults
        .add(Code::TypeMismatch, holes.span, message)
        .help(help);
    None
}

/// All of them.
pub(super) const STEPS: &[Pattern] = patterns! { Step;
    /// Report an error at the token.
    "parse error" => |_| Does(Step::ParseError);
    /// Do nothing more with the token. Ends the arm.
    "ignore the token" => |_| Ends(Exit::Done);
    /// Give the token to the dispatcher again, once all arms that run have ended. Ends the arm.
    "reprocess the token" => |_| Ends(Exit::Reprocess);
    /// Give the token to these rules, past the dispatcher. Ends the arm.
    "reprocess the token using the rules for MODE" = "reprocess the token using the rules for the current insertion mode"
        => |_, mode: Mode| Ends(Exit::ReprocessUsing(mode));
    /// Run these rules with the token and come back. The insertion mode stays, unless they switch it.
    "process the token using the rules for MODE" = "process the token using the rules for \"in body\""
        => |_, mode: Mode| Does(Step::UseRules(mode));
    /// Do what another arm of the same insertion mode does. Ends the arm.
    "act as ARM" = "act as anything else" => |_, arm: ArmWanted| Says::ActsAs(arm);
    /// Do what an arm of an insertion mode does, and come back.
    "act as ARM in MODE" = "act as any other end tag in \"in body\""
        => |holes, arm: ArmWanted, mode: Mode| Says::Runs(arm, arm_in_mode(holes, mode)?);
    /// Take no more tokens, and pop all elements. Ends the arm.
    "stop parsing" => |_| Ends(Exit::StopParsing);
    /// End the procedure or the arm.
    "return" => |_| Says::Returns(None);
    /// End the procedure, which stands for this value where it is used.
    "return VALUE" = "return element" => |_, value: Value| Says::Returns(Some(value));
    /// Leave the innermost `while`.
    "break" => |_| Says::Breaks;
    /// Ask the guard of the innermost `while` again.
    "continue" => |_| Says::Continues;
    /// Continue at a label of this list or of an enclosing one.
    "jump to the step labeled LABEL" = "jump to the step labeled Done" => |_, label: Label| Says::Jumps(label);
    /// The same.
    "return to the step labeled LABEL" = "return to the step labeled Loop" => |_, label: Label| Says::Jumps(label);
    /// Declare a variable of one word, and set it.
    "let NAME be VALUE" = "let node be the current node" => |_, name: NewName, value: Value| Says::Lets(name, value);
    /// Set a variable that is declared.
    "set VARIABLE to VALUE" = "set last to true" => |_, it: Assigned, value: Value| Says::Sets(it, value);
    /// Set a flag to one of its words.
    "set FLAG to WORD" = "set the frameset-ok flag to not ok"
        => |holes, flag: Flag, word: Word| Does(Step::SetWord(flag.0, holes.word(flag.0, &word)?));
    /// Keep a node, or null, with an element.
    "set the PROPERTY of ELEMENT to VALUE" = "set the insertion target of templateElement to null"
        => |_, property: PropertyOf, node: Node, value: Value| Does(Step::SetProperty(property.0, node, value));
    /// Add to a number.
    "increment VARIABLE by NUMBER" = "increment innerLoopCounter by 1"
        => |holes, it: Assigned, by: Number| Does(Step::Increment(slot_of(holes, &it, Sort::Number)?, by));
    /// Go to the entry above the one that the variable holds.
    "set VARIABLE to the previous entry in the stack of open elements" = "set node to the previous entry in the stack of open elements"
        => |holes, it: Assigned| Does(Step::SetPrevious(slot_of(holes, &it, Sort::Node)?));
    /// Run a host step.
    "HOST" = "set force async to false given element" => |_, host: HostCall| Does(Step::Host(host));

    /// From now on, what would be inserted into a table is inserted before it.
    "enable foster parenting" => |_| Does(Step::FosterParenting(true));
    /// The contrary.
    "disable foster parenting" => |_| Does(Step::FosterParenting(false));
    /// These rules take the next token; the steps after this one are done.
    "switch the insertion mode to MODE" = "switch the insertion mode to \"text\""
        => |_, mode: Mode| Does(Step::SwitchTo(mode));
    /// The same.
    "switch to MODE" = "switch to \"main\"" => |_, mode: Mode| Does(Step::SwitchTo(mode));
    /// Remember the insertion mode.
    "set the original insertion mode to the current insertion mode" => |_| Does(Step::SetOriginalMode);
    /// Push an insertion mode.
    "push MODE onto the stack of template insertion modes" = "push \"in row\" onto the stack of template insertion modes"
        => |_, mode: Mode| Does(Step::PushMode(mode));
    /// Pop the last one, if there is one.
    "pop the current template insertion mode off the stack of template insertion modes" => |_| Does(Step::PopMode);
    /// The tokenizer takes what follows as this content.
    "switch the tokenizer to CONTENT" = "switch the tokenizer to RCDATA"
        => |_, content: Content| Does(Step::SwitchTokenizer(content.0));
    /// The flag is no error. A start tag whose flag is set and not acknowledged at its end is one.
    "acknowledge the token's self-closing flag" => |_| Does(Step::Acknowledge);
    /// A note that the next token takes away, whatever it is.
    "if the next token is a CHARACTER character token, ignore it" = "if the next token is a U+000A character token, ignore it"
        => |_, character: CodePoint| Does(Step::IgnoreNext(character.0));

    /// Pop the last element, if there is one.
    "pop the current node off the stack of open elements" => |_| Does(Step::Pop);
    /// The same.
    "pop an element from the stack of open elements" => |_| Does(Step::Pop);
    /// Pop up to and with the first that is of these types; all, if none is.
    "pop elements from the stack of open elements until TYPES has been popped" = "pop elements from the stack of open elements until a p element has been popped"
        => |_, types: Types| Does(Step::PopUntil(types));
    /// Pop up to and with this element.
    "pop elements from the stack of open elements until ELEMENT has been popped" = "pop elements from the stack of open elements until node has been popped"
        => |_, node: Node| Does(Step::PopThrough(node));
    /// The same; both elements are one.
    "pop all the nodes from the current node up to ELEMENT, including ELEMENT" = "pop all the nodes from the current node up to node, including node"
        => |holes, node: Node, same: Node| Does(Step::PopThrough(one(holes, node, &same)?));
    /// Pop what is below this element.
    "pop all the nodes from the current node up to, but not including, ELEMENT" = "pop all the nodes from the current node up to, but not including, the top element of the stack of open elements"
        => |_, node: Node| Does(Step::PopBelow(node));
    /// It is the current node then.
    "push ELEMENT onto the stack of open elements" = "push root onto the stack of open elements"
        => |_, node: Node| Does(Step::Push(node));
    /// Take it out, if it is there. This is no pop.
    "remove ELEMENT from the stack of open elements" = "remove node from the stack of open elements"
        => |_, node: Node| Does(Step::Remove(stack(), node));
    /// Put another element in its place, if it is there. This is no pop.
    "replace ELEMENT in the stack of open elements with ELEMENT" = "replace node in the stack of open elements with newElement"
        => |_, node: Node, by: Node| Does(Step::Replace(stack(), node, by));
    /// Put the first immediately below the second.
    "insert ELEMENT into the stack of open elements immediately below ELEMENT" = "insert newElement into the stack of open elements immediately below furthestBlock"
        => |_, node: Node, above: Node| Does(Step::InsertBelow(node, above));
    /// Add it at the end.
    "add ELEMENT to the list of active formatting elements" = "add element to the list of active formatting elements"
        => |_, node: Node| Does(Step::Add(node));
    /// Add a marker.
    "insert a marker at the end of the list of active formatting elements" => |_| Does(Step::AddMarker);
    /// Take it out, if it is there. A position after it moves along.
    "remove ELEMENT from the list of active formatting elements" = "remove node from the list of active formatting elements"
        => |_, node: Node| Does(Step::Remove(list(), node));
    /// Put another element in its place, if it is there.
    "replace ELEMENT in the list of active formatting elements with ELEMENT" = "replace node in the list of active formatting elements with newElement"
        => |_, node: Node, by: Node| Does(Step::Replace(list(), node, by));
    /// Put it between two entries.
    "insert ELEMENT into the list of active formatting elements at POSITION" = "insert newElement into the list of active formatting elements at bookmark"
        => |_, node: Node, at: Position| Does(Step::InsertAtPosition(node, at));

    /// Insert a node; it leaves its parent first. Nothing, if the DOM rejects it.
    "insert ELEMENT at LOCATION" = "insert element at adjustedInsertionLocation"
        => |_, node: Node, at: Location| Does(Step::Insert(node, at));
    /// The first becomes the last child of the second; it leaves its parent first.
    "append ELEMENT to ELEMENT" = "append lastNode to node" => |_, node: Node, to: Node| Does(Step::Append(node, to));
    /// Move all children, in their order.
    "append all of the child nodes of ELEMENT to ELEMENT" = "append all of the child nodes of furthestBlock to newElement"
        => |_, from: Node, to: Node| Does(Step::MoveChildren(from, to));
    /// Take it from its parent, if it has one.
    "remove ELEMENT from its parent node" = "remove node from its parent node" => |_, node: Node| Does(Step::Detach(node));
    /// The element has been created for that token then.
    "append each attribute of TOKEN to ELEMENT" = "append each attribute of the token to element"
        => |_, token: TokenOf, to: Node| Does(Step::AppendAttributes(token, to));
    /// Give it those attributes of the token that it does not have.
    "for each attribute of the token that ELEMENT does not have, add it to that element" = "for each attribute of the token that the top element of the stack of open elements does not have, add it to that element"
        => |_, node: Node| Does(Step::AddMissingAttributes(node));
    /// Take all attributes from the token.
    "drop the attributes from the token" => |_| Does(Step::DropAttributes);
    /// Give the token another tag name.
    "change the token's tag name to TEXT" = "change the token's tag name to \"img\"" => |_, text: Text| Does(Step::Rename(text));
    /// Give it the name that a list has for its name, if there is one.
    "change the tag name of the token by NAMES" = "change the tag name of the token by SVG elements"
        => |_, names: NamesOf| Does(Step::RenameBy(names.0));
    /// Give its attributes the names that a list has for their names.
    "adjust NAMES for the token" = "adjust SVG attributes for the token" => |_, names: NamesOf| Does(Step::AdjustAttributes(names.0));
    /// There must be one.
    "append TEXT to the Text node immediately before LOCATION" = "append the token's character to the Text node immediately before place"
        => |_, text: Text, at: Location| Does(Step::AppendText(text, at));
    /// Nothing, if the text has no characters.
    "insert a Text node with TEXT at LOCATION" = "insert a Text node with the token's character at place"
        => |_, text: Text, at: Location| Does(Step::InsertText(text, at));
    /// Insert a comment with the token's data.
    "insert a Comment node with the token's data at LOCATION" = "insert a Comment node with the token's data at place"
        => |_, at: Location| Does(Step::InsertComment(at));
    /// Insert a comment with the token's data as the last child.
    "append a Comment node to ELEMENT" = "append a Comment node to the Document"
        => |_, to: Node| Does(Step::InsertComment(Location::LastChild(to)));
    /// Insert a processing instruction.
    "insert a ProcessingInstruction node with the token's target and data at LOCATION" = "insert a ProcessingInstruction node with the token's target and data at place"
        => |_, at: Location| Does(Step::InsertProcessingInstruction(at));
    /// The same as the last child.
    "append a ProcessingInstruction node to ELEMENT" = "append a ProcessingInstruction node to the Document"
        => |_, to: Node| Does(Step::InsertProcessingInstruction(Location::LastChild(to)));
    /// Insert a reference with the token's name, whose text is not known.
    "append an EntityReference node to ELEMENT" = "append an EntityReference node to the current element"
        => |_, to: Node| Does(Step::InsertEntityReference(Location::LastChild(to)));
    /// Insert a DOCTYPE. What the token does not have is empty.
    "append a DocumentType node to ELEMENT" = "append a DocumentType node to the Document"
        => |_, to: Node| Does(Step::InsertDoctype(Location::LastChild(to)));
    /// The same.
    "append a DocumentType node with the token's name, public identifier and system identifier to ELEMENT" = "append a DocumentType node with the token's name, public identifier and system identifier to the Document"
        => |_, to: Node| Does(Step::InsertDoctype(Location::LastChild(to)));
    /// Forget the pending characters.
    "empty the pending table character tokens" => |_| Does(Step::EmptyPending);
    /// Remember the token's character.
    "append the character token to the pending table character tokens" => |_| Does(Step::AppendPending);
    /// Run an arm with each of the pending characters, and come back.
    "reprocess each of them using the rules for ARM in MODE" = "reprocess each of them using the rules for anything else in \"in table\""
        => |holes, arm: ArmWanted, mode: Mode| Says::RunsForPending(arm, arm_in_mode(holes, mode)?);
};

fn one(holes: &mut Holes<'_, '_>, node: Node, same: &Node) -> Option<Node> {
    if node == *same {
        return Some(node);
    }
    let message = "both elements must be the same";
    let help = "write `pop all the nodes from the current node up to node, including node`";
    holes
        .faults
        .add(Code::TypeMismatch, holes.span, message)
        .help(help);
    None
}
