//! Runs of characters: an arm takes all at once whose effects add up.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::facts::{Fact, Facts};
use super::super::machine::{
    Body, BodyId, CHARACTER, Call, Candidate, Exit, Guard, ModeId, Node, Step, Text, Tokens, Value,
    Variable,
};
use super::bodies::Function;
use super::printer::{Printer, function, pattern};
use super::rules::of_kind;
use crate::emit::names::doc_line;

/// Characters of a class, as sorted ranges.
type Class = Vec<(char, char)>;

/// The characters of a mode that come to the same arms.
struct Group<'m> {
    /// None for those of no class.
    class: Option<&'m Class>,
    candidates: Vec<Candidate<'m>>,
}

/// Ranges of ASCII characters as a pattern of bytes.
fn bytes_pattern(class: &[(char, char)]) -> TokenStream {
    let byte = |c: char| proc_macro2::Literal::byte_character(u8::try_from(c).unwrap_or(0));
    let ranges = class.iter().map(|&(first, last)| {
        let (low, high) = (byte(first), byte(last));
        match first == last {
            true => quote!(#low),
            false => quote!(#low..=#high),
        }
    });
    quote!(#(#ranges)|*)
}

impl<'m> Printer<'m> {
    /// The characters of a mode, by the arms that they come to.
    fn groups(&self, mode: ModeId) -> Vec<Group<'m>> {
        let rules = &self.machine.modes[mode];
        let parts = rules.arms.iter().flat_map(|arm| &arm.takes);
        let mut classes: Vec<&Class> = Vec::new();
        for part in parts {
            if let Tokens::Characters(class) = &part.tokens
                && !classes.contains(&class)
            {
                classes.push(class);
            }
        }
        let overlap = |one: &Class, other: &Class| {
            let mut pairs = one.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
            pairs.any(|(a, b)| a.0 <= b.1 && b.0 <= a.1)
        };
        for (at, class) in classes.iter().enumerate() {
            if classes[..at].iter().any(|other| overlap(class, other)) {
                self.refuse("classes of characters that overlap in one insertion mode");
            }
        }
        let of = |class: Option<&Class>| {
            rules.candidates(&|tokens| match tokens {
                Tokens::Characters(it) => (Some(it) == class).then_some(0),
                tokens => of_kind(tokens, CHARACTER),
            })
        };
        classes
            .iter()
            .map(|&class| Some(class))
            .chain([None])
            .map(|class| Group {
                class,
                candidates: of(class),
            })
            .collect()
    }

    /// For each group of characters of a mode the keys of its arms, and whether a run of them is taken at once.
    pub(super) fn runs_of(&self, mode: ModeId) -> Vec<(Vec<&'m str>, bool)> {
        let groups = self.groups(mode);
        let run = |group: &Group<'m>| {
            let arms = group.candidates.iter().map(|(_, arm)| *arm);
            let is_handed_on =
                matches!(group.candidates[..], [(None, arm)] if self.delegates(arm.body).is_some());
            let keys = arms.map(|arm| arm.key.as_str()).collect();
            (keys, is_handed_on || self.adds_up(group).is_some())
        };
        groups.iter().map(run).collect()
    }

    /// The function for characters in a mode.
    pub(super) fn characters(&self, mode: ModeId, ident: &Ident) -> TokenStream {
        let name = self.mode_name(mode);
        let body = self.runs(&self.groups(mode));
        let doc = doc_line(&format!(" The rules of {name:?} for characters."));
        let body = function(
            Some(&self.hosts.bound),
            ident,
            &TokenStream::new(),
            None,
            &body,
        );
        quote!(#[doc = #doc] #body)
    }

    fn runs(&self, groups: &[Group<'_>]) -> TokenStream {
        // Groups whose arms do the same, but for setting words, are taken together.
        let mut together: Vec<Vec<&Group<'_>>> = Vec::new();
        for group in groups {
            let of = self.adds_up(group);
            let same = of.as_ref().and_then(|of| {
                let mut all = together.iter_mut();
                all.find(|it| self.adds_up(it[0]).as_ref() == Some(of))
            });
            match same {
                Some(same) => same.push(group),
                None => together.push(vec![group]),
            }
        }
        let is_rest = |groups: &[&Group<'_>]| groups.iter().any(|group| group.class.is_none());
        let mut arms = Vec::new();
        let mut last = TokenStream::new();
        for these in &together {
            let taken = self.take(these, groups);
            if is_rest(these) {
                last = taken;
            } else {
                let classes = these.iter().filter_map(|group| group.class);
                let classes = classes.map(|class| pattern(class));
                arms.push(quote!(#(#classes)|* => { #taken }));
            }
        }
        match arms.is_empty() {
            true => last,
            false => quote! {
                match t.character() {
                    #(#arms)*
                    _ => { #last }
                }
            },
        }
    }

    /// Takes characters of some groups.
    fn take(&self, these: &[&Group<'_>], all: &[Group<'_>]) -> TokenStream {
        let first = these[0];
        let is_in = |group: &Group<'_>| these.iter().any(|it| it.class == group.class);
        let pattern_of = |groups: &[&Group<'_>]| {
            let classes = groups.iter().filter_map(|group| group.class);
            let classes = classes.map(|class| pattern(class));
            quote!(#(#classes)|*)
        };
        let others: Vec<&Group<'_>> = all.iter().filter(|group| !is_in(group)).collect();
        let take = match (others.is_empty(), is_in(&all[all.len() - 1])) {
            (true, _) => TokenStream::new(),
            (false, true) => {
                let is_ascii = |group: &&&Group<'_>| {
                    group
                        .class
                        .is_some_and(|class| class.iter().all(|(_, last)| last.is_ascii()))
                };
                match others.iter().filter(is_ascii).count() == others.len() {
                    true => {
                        let bytes = others.iter().filter_map(|group| group.class);
                        let bytes = bytes.map(|class| bytes_pattern(class));
                        quote!(t.take_until_byte(|it| matches!(it, #(#bytes)|*));)
                    }
                    false => {
                        let others = pattern_of(&others);
                        quote!(t.take_until(|it| matches!(it, #others));)
                    }
                }
            }
            (false, false) => {
                let these = pattern_of(these);
                quote!(t.take_until(|it| !matches!(it, #these));)
            }
        };
        if self.adds_up(first).is_none() {
            let leaf = self.leaf(CHARACTER, &first.candidates);
            // Rules that only hand characters on leave them together.
            return match first.candidates[..] {
                [(None, arm)] if self.delegates(arm.body).is_some() => quote!(#take #leaf),
                _ => quote!(t.take_one(); #leaf),
            };
        }
        let nothing = Function::none();
        let printing = self.outside(&nothing);
        let body = &self.machine.bodies[first.candidates[0].1.body];
        let steps = body.blocks[0].steps.iter().filter(|step| !sets_word(step));
        let steps: TokenStream = steps.map(|step| printing.step(step)).collect();
        let mut words = TokenStream::new();
        for group in these {
            let body = &self.machine.bodies[group.candidates[0].1.body];
            for step in body.blocks[0].steps.iter().filter(|step| sets_word(step)) {
                let Step::SetWord(state, word) = step else {
                    continue;
                };
                let (field, ty) = (self.field(*state), self.words(*state));
                let word = self.word(*state, *word);
                let set = printing.step(step);
                let holds = self.some_character(group, all, these.len());
                words.extend(quote!(if b.own.#field != #ty::#word #holds { #set }));
            }
        }
        quote!(#take #steps #words)
    }

    /// Whether a character of the run is of this group, if that is not known.
    fn some_character(&self, group: &Group<'_>, all: &[Group<'_>], together: usize) -> TokenStream {
        if together == 1 {
            return TokenStream::new();
        }
        match group.class {
            Some(class) => {
                let class = pattern(class);
                quote!(&&t.text.contains(|it| matches!(it, #class)))
            }
            None => {
                let classes = all.iter().filter_map(|group| group.class);
                let classes = classes.map(|class| pattern(class));
                quote!(&&t.text.contains(|it| !matches!(it, #(#classes)|*)))
            }
        }
    }

    /// The steps of the arm that takes characters of a group, without those that set words, if the effect of a run is the
    /// sum of the effects of its characters.
    fn adds_up(&self, group: &Group<'_>) -> Option<Vec<Step>> {
        let [(None, arm)] = group.candidates[..] else {
            return None;
        };
        let body = &self.machine.bodies[arm.body];
        let [block] = &body.blocks[..] else {
            return None;
        };
        let add_up = block.steps.iter().all(|step| match step {
            Step::SetWord(..) | Step::AppendPending => true,
            Step::Run(call) if call.arguments.is_empty() => self.settles(call.body),
            Step::Run(call) => self.inserts_characters(call),
            _ => false,
        });
        let steps = block.steps.iter().filter(|step| !sets_word(step)).cloned();
        (add_up && block.exit == Exit::Done).then(|| steps.collect())
    }

    /// Whether a procedure does nothing but to insert the token's character, at a place that depends on nothing that this
    /// changes: so the next character goes behind it.
    fn inserts_characters(&self, call: &Call) -> bool {
        call.arguments[..] == [Value::Text(Text::Character)] && self.only_inserts_text(call.body)
    }

    pub(super) fn only_inserts_text(&self, body: BodyId) -> bool {
        let body: &Body = &self.machine.bodies[body];
        body.blocks
            .iter()
            .flat_map(|block| &block.steps)
            .all(|step| match step {
                Step::AppendText(..) | Step::InsertText(..) => true,
                Step::Set(..) => {
                    let mut is_pure = true;
                    step.facts(&mut |fact| {
                        is_pure &= match fact {
                            Fact::Calls(body) => self.only_inserts_text(body),
                            Fact::CreatesNew | Fact::Host(_) => false,
                            _ => true,
                        }
                    });
                    is_pure
                }
                _ => false,
            })
    }

    /// Whether a procedure does nothing when it has just run. That is so if it returns at once when the last entry of the list is
    /// open, and all that it changes is to put entries of the list back onto the stack of open elements.
    fn settles(&self, body: BodyId) -> bool {
        let body = &self.machine.bodies[body];
        let returns = body.blocks.iter().any(|block| match &block.exit {
            Exit::If { guard, yes, .. } => {
                let open = Guard::IsIn(Node::LastEntry, Variable::OpenElements);
                *guard == open && ends(body, *yes)
            }
            _ => false,
        });
        let list = Variable::ActiveFormattingElements;
        returns
            && body
                .blocks
                .iter()
                .flat_map(|block| &block.steps)
                .all(|step| match step {
                    Step::Set(..) => true,
                    Step::Replace(variable, _, Node::New) => *variable == list,
                    Step::Run(call) => matches!(
                        call.arguments[..],
                        [Value::Token(super::super::machine::TokenOf::Created(_))]
                    ),
                    _ => false,
                })
    }
}

fn ends(body: &Body, block: usize) -> bool {
    let block = &body.blocks[block];
    block.steps.is_empty() && block.exit == Exit::Done
}

fn sets_word(step: &Step) -> bool {
    matches!(step, Step::SetWord(..))
}
