//! What is done, and bodies as functions.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::facts::{Fact, Facts, Given};
use super::super::machine::{
    BlockId, Body, BodyId, Exit, Guard, Location, Mode, Node, Step, Text, Value, Variable,
};
use super::super::shortcuts;
use super::blocks::{has_unread, is_read, threaded, uses, ways_out};
use super::bodies::rules_may_stop;
use super::calls::{Argument, expression, statement};
use super::code::{Condition, Statements};
use super::entrances::with_one_entrance;
use super::flow::{self, Graph, Parts};
use super::printer::{self, Printer, Printing};
use crate::emit::names::{doc_line, pascal};

impl Printer<'_> {
    /// The function of a body.
    pub(super) fn body(&self, id: BodyId, doc: &str) -> TokenStream {
        let body = &with_one_entrance(threaded(&self.machine.bodies[id]));
        let (function, host) = (&self.functions[id], Some(&self.hosts.bound));
        let printing = Printing {
            printer: self,
            function,
        };
        let (ways_out, rest) = ways_out(body);
        if !ways_out.is_empty()
            && Graph::of(body).has_loop()
            && body.parameters == 0
            && function.returns.is_none()
        {
            // What most calls come to is inlined.
            let guards = ways_out.iter().map(|guard| {
                let guard = printing.guard(guard);
                quote!(if #guard { return; })
            });
            let (statements, allowed) = printing.statements(&rest);
            let ident = &function.ident;
            let inner = crate::emit::names::behind("really", ident);
            let doc = doc_line(&format!(" {doc}"));
            let nothing = TokenStream::new();
            let questions = printer::function(
                host,
                ident,
                &nothing,
                None,
                &quote!(#(#guards)* #inner(b, t);),
            );
            let steps = printer::function(host, &inner, &nothing, None, &statements);
            return quote! {
                #[doc = #doc]
                #[inline(always)]
                #questions

                /// The steps after the first questions.
                #allowed
                #steps
            };
        }
        let (statements, allowed) = printing.statements(body);
        let doc = doc_line(&format!(" {doc}"));
        let parameters = function
            .slots
            .iter()
            .zip(&function.sorts)
            .take(body.parameters);
        let parameters = parameters.map(|(slot, &sort)| {
            let ty = sort_type(sort);
            quote!(, #slot: #ty)
        });
        let returns = function.returns.map(|sort| {
            let ty = sort_type(sort);
            quote!(-> #ty)
        });
        let ident = &function.ident;
        if let Some((guard, space)) = shortcuts::element(self.machine, id) {
            let (guard, space) = (printing.guard(&guard), self.names.space(space));
            let slot = &function.slots[0];
            let inner = crate::emit::names::behind("step_by_step", ident);
            let origin = quote!(, #slot: Origin);
            let at_once = quote! {
                if matches!(#slot, Origin::Token) && t.kind == Kind::StartTag && #guard && b.insert_at_once(t, #space) {
                    return;
                }
                #inner(b, t, #slot);
            };
            let at_once = printer::function(host, ident, &origin, None, &at_once);
            let steps = printer::function(host, &inner, &origin, None, &statements);
            return quote! {
                #[doc = #doc]
                #at_once

                /// The same, step by step.
                #[inline(never)]
                #allowed
                #steps
            };
        }
        let inline = self.is_inlined(id, body).then(|| quote!(#[inline(always)]));
        let parameters = quote!(#(#parameters)*);
        let steps = printer::function(host, ident, &parameters, returns, &statements);
        quote! {
            #[doc = #doc]
            #inline
            #allowed
            #steps
        }
    }
}

impl Printer<'_> {
    /// Whether a body is inlined: those without a loop that few others, or very short ones, run.
    fn is_inlined(&self, id: BodyId, body: &Body) -> bool {
        if self.machine.dispatcher == Some(id) {
            return true;
        }
        let is_procedure = self.calls[id] > 0;
        is_procedure
            && !Graph::of(body).has_loop()
            && (self.calls[id] <= 7 && size(body) < 25
                || self.is_at_most(id, &mut 2)
                // Most tokens are characters.
                || self.only_inserts_text(id))
    }

    /// Whether a body and the procedures that it runs have at most `left` steps and branches together. A procedure cannot run itself, but
    /// it may run another one twice, and that one a third twice: the count stops at the limit, so that it is not exponential.
    fn is_at_most(&self, id: BodyId, left: &mut usize) -> bool {
        let body = &self.machine.bodies[id];
        let Some(rest) = left.checked_sub(size(body)) else {
            return false;
        };
        *left = rest;
        let mut is_small = true;
        let mut note = |fact| {
            if let Fact::Calls(called) = fact {
                is_small = is_small && self.is_at_most(called, left);
            }
        };
        for block in &body.blocks {
            block.steps.iter().for_each(|step| step.facts(&mut note));
            block.exit.facts(&mut note);
        }
        is_small
    }
}

fn size(body: &Body) -> usize {
    body.blocks.iter().map(|block| block.steps.len() + 1).sum()
}

/// The type of what a slot holds.
fn sort_type(sort: Given) -> TokenStream {
    match sort {
        Given::Nothing | Given::Slot(_) | Given::Result(_) | Given::Node | Given::Found => {
            quote!(Node<S>)
        }
        Given::Location => quote!(Place<S>),
        Given::Position => quote!(Option<Position>),
        Given::Name => quote!(Name),
        Given::Characters => quote!(Data),
        Given::Number => quote!(u32),
        Given::Truth => quote!(bool),
        Given::Token => quote!(Origin),
        Given::Namespace => quote!(Space),
        Given::Types => quote!(impl Fn(&Element<S::Node>, Name) -> bool + Copy),
    }
}

/// What a slot holds before something is put into it.
fn initial(sort: Given) -> TokenStream {
    match sort {
        Given::Number => quote!(0),
        Given::Truth => quote!(false),
        Given::Name => quote!(Name(u32::MAX)),
        Given::Namespace => quote!(Space::None),
        Given::Token => quote!(Origin::Token),
        Given::Characters => quote!(Data::Literal("")),
        _ => quote!(None),
    }
}

/// The parts of a body, with where its slots are declared.
struct InBody<'p> {
    printing: &'p Printing<'p>,
    body: &'p Body,
    /// The block and the number of the step that declares a slot, with whether it changes later.
    declared: Vec<Option<(BlockId, usize)>>,
    changes: Vec<bool>,
}

impl Printing<'_> {
    /// The statements of a body, and the lint that what they set first and set again would meet.
    fn statements(&self, body: &Body) -> (TokenStream, Option<TokenStream>) {
        let graph = Graph::of(body);
        let (mut declared, mut changes, mut before) = (Vec::new(), Vec::new(), TokenStream::new());
        for slot in 0..body.slots.len() {
            let uses = uses(body, slot);
            let writes = uses.iter().filter(|it| it.2).count();
            let mut first = uses.iter().filter(|it| it.2 && slot >= body.parameters);
            let declaring = first.find(|(block, step, _)| {
                graph.is_reducible()
                    && uses.iter().all(|(other, at, _)| {
                        let follows = other == block && at >= step;
                        (follows || other != block && graph.dominates(*block, *other))
                            && graph.shares_loops(*block, *other)
                    })
            });
            if declaring.is_none() && (writes > 0) {
                let (name, first) = (self.slot(slot), initial(self.function.sorts[slot]));
                before.extend(match slot < body.parameters {
                    true => quote!(let mut #name = #name;),
                    false => {
                        let ty = sort_type(self.function.sorts[slot]);
                        quote!(let mut #name: #ty = #first;)
                    }
                });
            }
            declared.push(declaring.map(|&(block, step, _)| (block, step)));
            changes.push(writes > 1);
        }
        let parts = InBody {
            printing: self,
            body,
            declared,
            changes,
        };
        let statements = flow::print(body, &graph, &parts);
        let is_unread = |slot| is_read(body, slot) && has_unread(body, slot);
        let has_unread = !before.is_empty() || (0..body.slots.len()).any(is_unread);
        let allowed = has_unread.then(|| quote!(#[allow(unused_assignments)]));
        (quote!(#before #statements), allowed)
    }

    /// What a function returns where it has nothing to return.
    pub(super) fn nothing(&self) -> TokenStream {
        self.function.returns.map_or(TokenStream::new(), initial)
    }

    fn may_stop(&self, step: &Step) -> bool {
        let machine = self.printer.machine;
        let functions = &self.printer.functions;
        let mut stops = false;
        step.facts(&mut |fact| {
            stops |= match fact {
                Fact::Calls(body) => functions[body].may_stop,
                Fact::Runs(mode, arm) => functions[machine.body_of(mode, arm)].may_stop,
                Fact::Delegates(mode) => rules_may_stop(machine, mode, functions),
                _ => false,
            };
        });
        stops
    }

    fn set(&self, slot: usize, value: &Value) -> TokenStream {
        self.value(value, self.function.sorts[slot])
    }

    /// The rules of a mode, as a statement.
    pub(super) fn use_rules(&self, mode: Mode) -> TokenStream {
        match mode {
            Mode::Named(mode) => {
                let rules = self.printer.rules(mode);
                quote!(#rules(b, t);)
            }
            mode => {
                let mode = self.printer.mode(mode);
                quote!(let mode = #mode; rules(b, t, mode);)
            }
        }
    }

    pub(super) fn step(&self, step: &Step) -> TokenStream {
        let printer = self.printer;
        match step {
            Step::ParseError => quote!(b.error(t, None);),
            Step::Set(slot, value) => {
                let (name, value) = (self.slot(*slot), self.set(*slot, value));
                quote!(#name = #value;)
            }
            Step::SetNode(state, value) => {
                let field = printer.field(*state);
                if let Value::Node(node) = value {
                    self.check_own(node);
                }
                let value = self.value(value, Given::Node);
                quote!(b.own.#field = #value;)
            }
            Step::SetWord(state, word) => {
                let (ty, word) = (printer.words(*state), printer.word(*state, *word));
                let field = printer.field(*state);
                match printer.state(*state).is_known {
                    true => {
                        let setter = &printer.idents.setters[*state];
                        quote!(#setter(b, #ty::#word);)
                    }
                    false => quote!(b.own.#field = #ty::#word;),
                }
            }
            Step::SetProperty(number, node, value) => {
                let number = Literal::usize_unsuffixed(*number);
                let value = match value {
                    Value::Node(node) => self.kept(node),
                    _ => Argument::plain(quote!(None)),
                };
                let number = Argument::plain(quote!(#number));
                statement(self.method("set_property", vec![number, self.own(node), value]))
            }
            Step::Increment(slot, by) => {
                let (slot, by) = (self.slot(*slot), self.number(*by));
                quote!(#slot += #by;)
            }
            Step::SetPrevious(slot) => {
                let slot = self.slot(*slot);
                quote!(#slot = #slot.as_ref().and_then(|it| b.stack.above(it.serial)).cloned();)
            }
            Step::FosterParenting(enabled) => quote!(b.foster_parenting = #enabled;),
            Step::SwitchTo(Mode::Current) => TokenStream::new(),
            Step::SwitchTo(mode) => {
                let mode = printer.mode(*mode);
                quote!(b.mode = #mode;)
            }
            Step::SetOriginalMode => quote!(b.original_mode = b.mode;),
            Step::PushMode(mode) => {
                let mode = printer.mode(*mode);
                quote!(b.template_modes.push(#mode);)
            }
            Step::PopMode => quote!(b.template_modes.pop();),
            Step::SwitchTokenizer(content) => {
                let content = pascal(content);
                quote!(b.content = Some(Content::#content);)
            }
            Step::Acknowledge => quote!(t.must_be_acknowledged = false;),
            Step::IgnoreNext(character) => quote!(b.ignored_next = Some(#character);),
            Step::UseRules(mode) => self.use_rules(*mode),
            Step::RunArm(mode, arm) => {
                let arm = printer.arm(printer.machine.body_of(*mode, *arm));
                quote!(#arm;)
            }
            Step::RunArmForPending(mode, arm) => {
                let arm = printer.ident(printer.machine.body_of(*mode, *arm));
                quote!(b.for_pending(#arm);)
            }
            Step::Run(call) => statement(self.call(call)),
            Step::Host(call) => statement(self.host(call)),

            Step::Pop => quote!(b.pop(t);),
            Step::PopUntil(types) => {
                let test = self.outer_test(types);
                quote!(b.pop_until(t, #test);)
            }
            Step::PopThrough(node) => {
                statement(self.for_token("pop_through", vec![self.own(node)]))
            }
            Step::PopBelow(node) => statement(self.for_token("pop_below", vec![self.own(node)])),
            Step::Push(node) => statement(self.method("push", vec![self.own(node)])),
            Step::Remove(Variable::ActiveFormattingElements, node) => {
                self.check_own(node);
                let node = self.lent(node);
                quote!(if let Some(e) = #node { b.list.remove(e.serial); })
            }
            Step::Remove(_, node) => statement(self.with_token("remove", vec![self.own(node)])),
            Step::Replace(Variable::ActiveFormattingElements, node, with) => {
                let arguments = vec![self.own(node), self.own(with)];
                statement(self.with_token("replace_in_list", arguments))
            }
            Step::Replace(_, node, with) => {
                let arguments = vec![self.own(node), self.own(with)];
                statement(self.method("replace_on_stack", arguments))
            }
            Step::InsertBelow(node, above) => {
                let arguments = vec![self.own(node), self.own(above)];
                statement(self.method("insert_below", arguments))
            }
            Step::Add(node) => statement(self.with_token("add", vec![self.own(node)])),
            Step::AddMarker => quote!(b.add_marker();),
            Step::InsertAtPosition(node, position) => {
                let arguments = vec![self.own(node), self.spot(position)];
                statement(self.with_token("insert_at_position", arguments))
            }

            Step::Insert(node, location) => {
                let arguments = vec![self.shown(node), self.at(location)];
                statement(self.method("insert", arguments))
            }
            Step::Append(node, to) => {
                statement(self.method("append", vec![self.shown(node), self.kept(to)]))
            }
            Step::MoveChildren(from, to) => {
                statement(self.method("move_children", vec![self.shown(from), self.shown(to)]))
            }
            Step::Detach(node) => statement(self.method("detach", vec![self.shown(node)])),
            Step::AppendAttributes(..) => printer.refuse(
                "attributes that are appended to an element that was not created right before",
            ),
            Step::AddMissingAttributes(node) => {
                statement(self.with_token("add_missing_attributes", vec![self.shown(node)]))
            }
            Step::DropAttributes => quote!(t.attributes = TagAttributes::NONE;),
            Step::Rename(name) => statement(self.for_token("rename", vec![self.named(name)])),
            Step::RenameBy(list) => {
                let function = &printer.idents.lists[*list];
                quote!(if let Some(name) = #function(t.name) { b.rename(t, name); })
            }
            Step::AdjustAttributes(list) => {
                let function = &printer.idents.lists[*list];
                quote!(t.adjust_attributes(#function);)
            }
            Step::AppendText(text, location) | Step::InsertText(text, location) => {
                let data = Argument::plain(self.data(text));
                statement(self.with_token("insert_data", vec![data, self.at(location)]))
            }
            Step::InsertComment(at) => {
                statement(self.with_token("insert_comment", vec![self.at(at)]))
            }
            Step::InsertProcessingInstruction(at) => {
                let arguments = vec![self.at(at)];
                statement(self.with_token("insert_processing_instruction", arguments))
            }
            Step::InsertEntityReference(at) => {
                statement(self.with_token("insert_entity_reference", vec![self.at(at)]))
            }
            Step::InsertDoctype(Location::LastChild(Node::Document)) => {
                quote!(b.append_doctype(t);)
            }
            Step::InsertDoctype(_) => {
                printer.refuse("a DOCTYPE that is appended to another node than the Document")
            }
            Step::EmptyPending => quote!(b.empty_pending();),
            Step::AppendPending => quote!(b.append_pending(t);),
        }
    }
}

impl Parts for InBody<'_> {
    fn steps(&self, block: BlockId) -> TokenStream {
        let mut tokens = TokenStream::new();
        let mut steps = self.body.blocks[block].steps.iter().enumerate().peekable();
        while let Some((at, step)) = steps.next() {
            // An element and its attributes are created at once.
            let next = steps.peek().map(|(_, next)| *next);
            let mut created = None;
            if let Some(creation) = self.creation(step, next) {
                created = Some(creation);
                steps.next();
            }
            let declares = |slot: usize| self.declared[slot] == Some((block, at));
            let printed = match step {
                Step::Set(slot, value) => {
                    let name = self.printing.slot(*slot);
                    let is_null = *value == Value::Null;
                    let value = created.unwrap_or_else(|| self.printing.set(*slot, value));
                    let changes = self.changes[*slot].then(|| quote!(mut));
                    let ty = (is_null || changes.is_some()).then(|| {
                        let ty = sort_type(self.printing.function.sorts[*slot]);
                        quote!(: #ty)
                    });
                    match declares(*slot) {
                        true => quote!(let #changes #name #ty = #value;),
                        false => quote!(#name = #value;),
                    }
                }
                Step::SetPrevious(slot) => self.printing.previous(self.body, block, *slot),
                Step::Pop => self.printing.pop(self.body, block),
                Step::AppendText(..) | Step::InsertText(..) if !self.is_joined(block) => {
                    (self.printing.printer)
                        .refuse("characters that do not join a Text node before them")
                }
                step => self.printing.step(step),
            };
            tokens.extend(printed);
            let is_end = steps.peek().is_none() && self.body.blocks[block].exit == Exit::Done;
            if self.printing.may_stop(step) && !is_end {
                let nothing = self.printing.nothing();
                tokens.extend(quote!(if b.stopped { return #nothing; }));
            }
        }
        tokens
    }

    fn guard(&self, block: BlockId) -> Condition {
        let Exit::If { guard, yes, no } = &self.body.blocks[block].exit else {
            return Condition::Always;
        };
        // A Text node takes characters, be it there or not.
        if self.joins(guard, *yes, *no) {
            return Condition::Always;
        }
        if let Some(possible) = self.is_possible(guard, *yes, *no) {
            return possible;
        }
        let printed = self.printing.guard(guard);
        let reports = |block: BlockId| {
            let steps = &self.body.blocks[block].steps;
            !steps.is_empty() && steps.iter().all(|step| *step == Step::ParseError)
        };
        // A condition that only decides whether to report an error is tested only if errors are wanted.
        let only_reports = reports(*yes) && self.body.blocks[*yes].exit == Exit::Go(*no);
        match (only_reports, printed) {
            (false, printed) => printed,
            (true, Condition::All(mut parts)) => {
                parts.insert(0, Condition::One(quote!(S::ERRORS)));
                Condition::All(parts)
            }
            (true, printed) => Condition::All(vec![Condition::One(quote!(S::ERRORS)), printed]),
        }
    }

    fn end(&self, block: BlockId, is_last: bool) -> Statements {
        let printer = self.printing.printer;
        let nothing = self.printing.nothing();
        let leave = match (is_last, self.printing.function.returns) {
            (true, _) => nothing,
            (false, _) => quote!(return #nothing;),
        };
        let end = match &self.body.blocks[block].exit {
            Exit::Go(_) | Exit::If { .. } => return Statements::default(),
            Exit::Done => leave,
            Exit::Return(value) => {
                let (before, value) = self.returned(value);
                match is_last {
                    true => quote!(#before #value),
                    false => quote!(#before return #value;),
                }
            }
            Exit::Reprocess => quote!(b.reprocess = true; #leave),
            Exit::ReprocessUsing(mode) => {
                let rules = self.printing.use_rules(*mode);
                quote!(#rules #leave)
            }
            Exit::ActAs(mode, arm) => {
                let arm = printer.arm(printer.machine.body_of(*mode, *arm));
                quote!(#arm; #leave)
            }
            Exit::StopParsing => quote!(b.stop(t); #leave),
        };
        match is_last {
            true => Statements::of(end),
            false => Statements::leaving(end, None),
        }
    }
}

impl InBody<'_> {
    /// A value that is returned, with what stands in front of it.
    fn returned(&self, value: &Value) -> (TokenStream, TokenStream) {
        match value {
            Value::Node(Node::Slot(slot)) | Value::Location(Location::Slot(slot)) => {
                let slot = self.printing.slot(*slot);
                (TokenStream::new(), quote!(#slot))
            }
            Value::Node(Node::Call(call)) | Value::Location(Location::Call(call)) => {
                self.printing.call(call)
            }
            value => {
                let sort = self.printing.function.returns.unwrap_or(Given::Node);
                (TokenStream::new(), self.printing.value(value, sort))
            }
        }
    }

    /// The creation of an element for a token, if two steps are that.
    fn creation(&self, step: &Step, next: Option<&Step>) -> Option<TokenStream> {
        let Step::Set(slot, Value::Node(Node::Create(name, namespace))) = step else {
            return None;
        };
        let Text::TagName(token) = &**name else {
            return None;
        };
        let Some(Step::AppendAttributes(of, Node::Slot(to))) = next else {
            return None;
        };
        (of == token && to == slot).then(|| self.printing.create(token, namespace))
    }

    /// Whether two blocks append and insert the same characters at a place, as there is text before it or not.
    fn joins(&self, guard: &Guard, yes: BlockId, no: BlockId) -> bool {
        let [yes, no] = [yes, no].map(|it| &self.body.blocks[it]);
        match (guard, &yes.steps[..], &no.steps[..]) {
            (
                Guard::HasTextBefore(before),
                [Step::AppendText(text, at)],
                [Step::InsertText(other, place)],
            ) => text == other && at == place && at == before && yes.exit == no.exit,
            _ => false,
        }
    }

    /// Whether a node can be inserted somewhere, if it is inserted there then, and that is all. The sink leaves out what cannot be.
    fn is_possible(&self, guard: &Guard, yes: BlockId, no: BlockId) -> Option<Condition> {
        let (node, at, is_not, yes, no) = match guard {
            Guard::IsPossible(node, at) => (node, at, false, yes, no),
            Guard::Not(guard) => match &**guard {
                Guard::IsPossible(node, at) => (node, at, true, no, yes),
                _ => return None,
            },
            _ => return None,
        };
        let [inserts, other] = [yes, no].map(|it| &self.body.blocks[it]);
        let goes_on =
            inserts.exit == Exit::Go(no) || other.steps.is_empty() && other.exit == inserts.exit;
        let wanted = Step::Insert(node.clone(), at.clone());
        (inserts.steps == [wanted] && goes_on).then(|| {
            let arguments = vec![self.printing.looked_at(node), self.printing.at(at)];
            let possible = expression(self.printing.method("can_insert", arguments));
            let possible = Condition::One(possible);
            match is_not {
                true => possible.not(),
                false => possible,
            }
        })
    }

    /// Whether the characters of a block join those before them, or are the first of a new Text node.
    fn is_joined(&self, block: BlockId) -> bool {
        self.body.blocks.iter().any(|it| match &it.exit {
            Exit::If { guard, yes, no } => {
                [*yes, *no].contains(&block) && self.joins(guard, *yes, *no)
            }
            _ => false,
        })
    }
}
