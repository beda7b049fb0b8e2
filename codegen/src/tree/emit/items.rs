//! The types of the module: modes, variables, and the rules as the runtime calls them.

use std::collections::BTreeMap;

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::super::machine::{
    DoctypeTest, Guard, Holds, Identifier, ModeId, Renamed, Space, State, StateId,
};
use super::super::shortcuts::{self, Ends, Start};
use super::bodies::Function;
use super::code::Condition;
use super::guards::{doctype, identifier};
use super::idents::Item;
use super::printer::{Printer, function};
use crate::emit::names::{doc_line, mentions, parameters, pascal};

impl Printer<'_> {
    /// All items but the functions of bodies and modes, and the names: those that others use may be left out.
    pub(super) fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        self.modes(&mut items);
        self.variables(&mut items);
        self.host_trait(&mut items);
        self.contract(&mut items);
        items.extend(self.conditions());
        items.extend(self.quirks_tests());
        items.extend(self.renaming());
        items
    }

    fn modes(&self, items: &mut Vec<Item>) {
        let (machine, host) = (self.machine, &self.hosts.bound);
        let modes = 0..machine.modes.len();
        let variants: Vec<_> = modes.clone().map(|mode| self.variant(mode)).collect();
        let names: Vec<_> = machine.modes.iter().map(|rules| &rules.name).collect();
        let docs = names.iter().map(|name| doc_line(&format!(" {name}")));
        let functions = modes.map(|mode| self.rules(mode));
        let variants_of_modes = quote! {
            /// The insertion modes.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum Mode {
                #(#[doc = #docs] #variants,)*
            }
        };
        let rules = quote! {
            /// Gives the token to the rules of a mode.
            #[inline(always)]
            fn rules<S: #host>(b: &mut Builder<S>, t: &mut Token<'_>, mode: Mode) {
                match mode {
                    #(Mode::#variants => #functions(b, t),)*
                }
            }
        };
        let mode_name = quote! {
            fn mode_name(mode: Mode) -> &'static str {
                match mode {
                    #(Mode::#variants => #names,)*
                }
            }
        };
        let rules = (Some(format_ident!("rules")), rules);
        items.extend([(None, variants_of_modes), rules, (None, mode_name)]);
    }

    /// The types and fields of the table's own variables and questions, and what sets them.
    fn variables(&self, items: &mut Vec<Item>) {
        let host = &self.hosts.bound;
        let states: Vec<StateId> = (0..self.machine.states.len()).collect();
        let (mut fields, mut initial, mut types, mut setters) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for state in states {
            let it = self.state(state);
            let (field, name) = (self.field(state), &it.name);
            let doc = doc_line(&format!(" {name}"));
            match &it.holds {
                Holds::Words(words) => {
                    let ty = self.words(state);
                    let variants = &self.idents.words[state];
                    let first = &variants[0];
                    if !it.is_known {
                        let docs = words.iter().map(|word| doc_line(&format!(" {word}")));
                        types.push(quote! {
                            #[doc = #doc]
                            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
                            pub enum #ty { #(#[doc = #docs] #variants),* }
                        });
                    }
                    fields.push(quote!(#[doc = #doc] pub #field: #ty));
                    initial.push(match it.is_asked {
                        false => quote!(#field: #ty::#first),
                        true => {
                            let answer = self.answer(state, it);
                            quote!(#field: #answer)
                        }
                    });
                    if it.is_known && !it.is_asked {
                        let setter = &self.idents.setters[state];
                        let item = quote! {
                            #[inline]
                            fn #setter<S: #host>(b: &mut Builder<S>, word: #ty) {
                                b.own.#field = word;
                                b.sink.#setter(word);
                            }
                        };
                        setters.push((Some(setter.clone()), item));
                    }
                }
                Holds::Node if it.is_asked => {}
                Holds::Node => {
                    fields.push(quote!(#[doc = #doc] pub #field: Option<Element<N>>));
                    initial.push(quote!(#field: None));
                }
                Holds::Truth => {
                    fields.push(quote!(#[doc = #doc] pub #field: bool));
                    let answer = self.answer(state, it);
                    initial.push(quote!(#field: #answer));
                }
            }
        }
        let holds_node = |it: &State| it.holds == Holds::Node && !it.is_asked;
        if !self.machine.states.iter().any(holds_node) {
            fields.push(quote!(#[doc(hidden)] pub _nodes: ::core::marker::PhantomData<N>));
            initial.push(quote!(_nodes: ::core::marker::PhantomData));
        }
        let [sink, options] = parameters(["sink", "options"], &quote!(#(#initial)*));
        let variables = quote! {
            #(#types)*

            /// The variables of the table, and the answers to its questions.
            #[derive(Clone, Debug)]
            pub struct Variables<N> { #(#fields,)* }

            fn variables<S: #host>(#sink: &mut S, #options: &Options) -> Variables<S::Node> {
                Variables { #(#initial,)* }
            }
        };
        items.push((None, variables));
        items.append(&mut setters);
    }

    fn conditions(&self) -> impl Iterator<Item = Item> {
        let (nothing, host) = (Function::none(), &self.hosts.bound);
        let conditions = self.machine.conditions.iter().zip(&self.idents.conditions);
        conditions.map(move |(condition, name)| {
            let doc = doc_line(&format!(" {}", condition.name));
            let guard = self.outside(&nothing).guard(&condition.guard);
            let item = function(
                Some(host),
                name,
                &TokenStream::new(),
                Some(quote!(-> bool)),
                &guard.into_token_stream(),
            );
            (Some(name.clone()), quote!(#[doc = #doc] #[inline] #item))
        })
    }

    fn quirks_tests(&self) -> impl Iterator<Item = Item> {
        let lists = self.machine.quirks.iter().zip(&self.idents.quirks);
        lists.map(|((name, tests), function)| {
            let doc = doc_line(&format!(" Whether a DOCTYPE wants {name}."));
            let tests = match &tests[..] {
                [] => quote!(false),
                tests => {
                    let (starts, others): (Vec<_>, Vec<_>) =
                        (tests.iter()).partition(|it| matches!(it, DoctypeTest::StartsWith(..)));
                    let mut lists: Vec<(Identifier, Vec<&str>)> = Vec::new();
                    for test in starts {
                        let DoctypeTest::StartsWith(which, text) = test else {
                            continue;
                        };
                        match lists.iter_mut().find(|list| list.0 == *which) {
                            Some(list) => list.1.push(text),
                            None => lists.push((*which, vec![text])),
                        }
                    }
                    let lists = lists.iter().map(|(which, list)| {
                        let which = identifier(which);
                        Condition::One(quote!(starts_with_any(#which, &[#(#list),*])))
                    });
                    let tests = others.into_iter().map(doctype).chain(lists);
                    Condition::any(tests).into_token_stream()
                }
            };
            let [it] = parameters(["it"], &tests);
            let item = quote! {
                #[doc = #doc]
                fn #function(#it: &Doctype<'_>) -> bool { #tests }
            };
            (Some(function.clone()), item)
        })
    }

    /// The lists of names that steps use.
    fn renaming(&self) -> impl Iterator<Item = Item> {
        let lists = self
            .machine
            .names
            .iter()
            .zip(&self.idents.lists)
            .enumerate();
        lists.map(|(list, (names, function))| {
            let doc = doc_line(&format!(" {}", names.name));
            if self.renames_tags(list) {
                let rows = names.entries.iter().map(|(from, to)| {
                    let (from, to) = (self.names.local(from), self.names.local(&to.local));
                    quote!(#from => #to,)
                });
                let item = quote! {
                    #[doc = #doc]
                    fn #function(name: Name) -> Option<Name> {
                        Some(match name { #(#rows)* _ => return None })
                    }
                };
                return (Some(function.clone()), item);
            }
            let rows = names.entries.iter().map(|(from, to)| {
                let Renamed {
                    prefix,
                    local,
                    namespace,
                } = to;
                let prefix = match prefix {
                    Some(prefix) => quote!(Some(#prefix)),
                    None => quote!(None),
                };
                let space =
                    namespace.map_or_else(|| quote!(Space::None), |space| self.names.space(space));
                quote!(#from => (#prefix, #local, #space),)
            });
            let item = quote! {
                #[doc = #doc]
                fn #function(name: &str) -> Option<AttributeName<'static>> {
                    let (prefix, local, space) = match name { #(#rows)* _ => return None };
                    Some(AttributeName { prefix, local, space })
                }
            };
            (Some(function.clone()), item)
        })
    }

    /// What the runtime calls.
    fn contract(&self, items: &mut Vec<Item>) {
        let (machine, host) = (self.machine, &self.hosts.bound);
        let scopes = Literal::usize_unsuffixed(machine.scopes.len());
        let numbers = machine.scopes.iter().enumerate().map(|(number, scope)| {
            let ident = self.scope(number);
            let (number, doc) = (
                Literal::usize_unsuffixed(number),
                doc_line(&format!(" {}", scope.name)),
            );
            (
                Some(ident.clone()),
                quote!(#[doc = #doc] const #ident: usize = #number;),
            )
        });
        items.push((None, quote!(const SCOPES: usize = #scopes;)));
        items.extend(numbers);
        let ends = machine.scopes.iter().map(|scope| {
            let (sets, all_except) = (self.names.scope_ends(scope), scope.all_except);
            quote!(ScopeEnds { sets: #sets, all_except: #all_except })
        });
        let initial = self.variant(machine.initial);
        let dispatch = match machine.dispatcher {
            Some(body) => {
                let ident = self.ident(body);
                quote!(#ident(b, t);)
            }
            None => quote!(let mode = b.mode; rules(b, t, mode);),
        };
        let popped = machine.on_popping.iter().map(|(element, body)| {
            let (ty, body) = (self.names.ty(element), self.ident(*body));
            quote! {
                if popped.is(#ty) {
                    b.popped = Some(popped.clone());
                    #body(b, t);
                }
            }
        });
        let follows_pop = machine.on_popping.iter().map(|(element, _)| {
            let ty = self.names.ty(element);
            quote!(ty == #ty)
        });
        let follows_pop = match machine.on_popping.is_empty() {
            true => quote!(false),
            false => quote!(#(#follows_pop)||*),
        };
        let (characters, starts) = (self.characters_at_once(), self.starts());
        let (end_tags, end_tables) = self.ends();
        let nothing = Function::none();
        let printing = self.outside(&nothing);
        let (fragment, content) = match &machine.fragments {
            None => (quote!(None), quote!(None)),
            Some(fragments) => {
                let steps = self.ident(fragments.steps);
                let result = printing.node(&fragments.result);
                let rows = fragments.contents.iter().map(|first| {
                    let element = self.names.local(&first.element);
                    let content = pascal(&first.content);
                    let guard = first.guard.as_ref().map(|guard| {
                        let guard = printing.guard(guard);
                        quote!(if #guard)
                    });
                    quote!(#element #guard => Some(Content::#content),)
                });
                let content = quote! {
                    let ty = b.context.as_ref()?.ty;
                    if ty.space() != Space::Html { return None; }
                    match ty.name() { #(#rows)* _ => None }
                };
                (quote!(#steps(b, t); #result), content)
            }
        };
        let cdata = machine
            .conditions
            .iter()
            .zip(&self.idents.conditions)
            .find(|(condition, _)| condition.name == "CDATA sections are allowed");
        let cdata = match cdata.map(|(_, name)| name) {
            Some(name) => quote!(#name(b, &mut Token::none())),
            None => quote!(false),
        };
        let method = |name: &str, more, returns, body| {
            function(None, &format_ident!("{name}"), &more, returns, &body)
        };
        let none = TokenStream::new;
        let dispatch = method("dispatch", none(), None, dispatch);
        let start_fragment = method("start_fragment", none(), Some(quote!(-> Node<S>)), fragment);
        let returns = quote!(-> Option<Content>);
        let first_content = method("first_content", none(), Some(returns), content);
        let popped = quote!(#(#popped)*);
        let [it] = parameters(["popped"], &popped);
        let popped = method("popped", quote!(, #it: &Element<S::Node>), None, popped);
        let [ty] = parameters(["ty"], &follows_pop);
        let lent = |body: &TokenStream| {
            let [b] = parameters(["b"], body);
            quote!(#b: &mut Builder<S>)
        };
        let (at_characters, at_start, at_cdata) = (lent(&characters), lent(&starts), lent(&cdata));
        let [name_of_start] = parameters(["name"], &starts);
        let [mode, name_of_end] = parameters(["mode", "name"], &end_tags);
        let (title, name) = (&machine.title, &machine.name);
        let properties = self.properties();
        let doc = doc_line(&format!(
            " A builder of trees for {title}: a sink of the tokenizer of {:?}.",
            machine.tokenizer
        ));
        let own_kinds = self.own_kinds.iter().map(|kind| &machine.kinds[*kind].name);
        let own_kinds = (own_kinds.len() > 0)
            .then(|| quote!(const KINDS: &'static [&'static str] = &[#(#own_kinds),*];));
        let rules = quote! {
            #[doc = #doc]
            pub type Builder<S> = Shared<S, Rules, SCOPES>;

            /// The rules of the table.
            #[derive(Clone, Copy, Debug)]
            pub struct Rules;

            impl<S: #host> Contract<S, SCOPES> for Rules {
                type Mode = Mode;
                type Content = Content;
                type Variables = Variables<S::Node>;

                const TABLE: &'static str = #name;
                const NAMES: &'static NameTable = &NAMES;
                const INITIAL: Mode = Mode::#initial;
                const SCOPES: [ScopeEnds; SCOPES] = [#(#ends),*];
                #own_kinds
                #properties

                fn mode_name(mode: Mode) -> &'static str { mode_name(mode) }
                fn variables(sink: &mut S, options: &Options) -> Variables<S::Node> { variables(sink, options) }
                #[inline(always)]
                fn sets(ty: Type, attributes: &TagAttributes<'_>) -> u64 { sets(ty, attributes) }
                #[inline]
                fn lower(name: Name) -> Name { lower(name) }
                #[inline(always)]
                #dispatch
                #[inline]
                #popped
                #[inline(always)]
                fn follows_pop(#ty: Type) -> bool { #follows_pop }
                #[inline(always)]
                fn only_inserts_characters(#at_characters) -> bool { #characters }
                #[inline(always)]
                fn starts(#at_start, #name_of_start: Name) -> Starts { #starts }
                #[inline(always)]
                fn ends(#mode: Mode, #name_of_end: Name) -> Ends { #end_tags }
                #start_fragment
                #first_content
                fn cdata_sections_are_allowed(#at_cdata) -> bool { #cdata }
            }

            #end_tables

            type Node<S> = Option<Element<<S as TreeSink>::Node>>;
        };
        let place = quote!(
            type Place<S> = Option<Location<<S as TreeSink>::Node>>;
        );
        items.extend([(None, rules), (Some(format_ident!("Place")), place)]);
    }

    /// Whether characters are only inserted in the insertion mode.
    fn characters_at_once(&self) -> TokenStream {
        let rows = self.by_mode(|mode| {
            let guard = shortcuts::characters(self.machine, mode)?;
            Some(self.asked_before(&guard))
        });
        let arms = self.arms_by_mode(&rows);
        quote!(match b.mode { #arms _ => false })
    }

    /// What a start tag does at once, by the insertion mode and the name.
    fn starts(&self) -> TokenStream {
        let names = self.names.all();
        let hot = self.machine.hot.as_ref();
        let is_hot =
            |name: &str| name.is_empty() || hot.is_none_or(|hot| hot.iter().any(|it| it == name));
        let start =
            |mode, name| shortcuts::start(self.machine, mode, name).filter(|_| is_hot(name));
        let of = |mode, name| match start(mode, name) {
            Some(Start {
                guard,
                space: Space::Html,
                enters_list,
            }) => {
                let guard = self.asked_before(&guard);
                let starts = match enters_list {
                    true => quote!(InsertsAndEntersList),
                    false => quote!(Inserts),
                };
                quote!(Starts::only_if(Starts::#starts, #guard))
            }
            _ => quote!(Starts::More),
        };
        let none = quote!(Starts::More).to_string();
        let rows = self.by_mode(|mode| {
            let others = of(mode, "");
            let mut groups: Vec<(String, TokenStream, Vec<TokenStream>)> = Vec::new();
            for name in &names {
                let (starts, name) = (of(mode, name), self.names.local(name));
                let shown = starts.to_string();
                match groups.iter_mut().find(|group| group.0 == shown) {
                    Some(group) => group.2.push(name),
                    None => groups.push((shown, starts, vec![name])),
                }
            }
            let shown = others.to_string();
            groups.retain(|group| group.0 != shown);
            let is_of_use = !groups.is_empty() || shown != none;
            let arms = groups.iter();
            let arms = arms.map(|(_, starts, names)| quote!(#(#names)|* => { #starts }));
            is_of_use.then(|| quote!(match name { #(#arms)* _ => { #others } }))
        });
        let arms = self.arms_by_mode(&rows);
        quote!(match b.mode { #arms _ => Starts::More })
    }

    /// A guard that is asked before a token.
    fn asked_before(&self, guard: &Guard) -> TokenStream {
        let nothing = Function::none();
        let guard = self.outside(&nothing).guard(guard).into_token_stream();
        match mentions(&guard, "t") {
            true => quote!({ let t = &mut Token::none(); #guard }),
            false => guard,
        }
    }

    fn arms_by_mode(&self, rows: &[(TokenStream, Vec<ModeId>)]) -> TokenStream {
        let arms = rows.iter().map(|(row, modes)| {
            let modes = modes.iter().map(|&mode| self.variant(mode));
            quote!(#(Mode::#modes)|* => #row,)
        });
        arms.collect()
    }

    /// What end tags do if the current node has their name: by the insertion mode, and the tables of that.
    fn ends(&self) -> (TokenStream, TokenStream) {
        let names = self.names.all();
        let rows = self.by_mode(|mode| {
            let others = shortcuts::ends(self.machine, mode, "");
            let mut known: BTreeMap<Ends, Vec<TokenStream>> = BTreeMap::new();
            for name in &names {
                let ends = shortcuts::ends(self.machine, mode, name);
                if ends != others {
                    known.entry(ends).or_default().push(self.names.local(name));
                }
            }
            let rows = known.iter().map(|(ends, names)| {
                let ends = variant(*ends);
                quote!((#ends, &[#(#names),*]))
            });
            let is_of_use = others != Ends::More || !known.is_empty();
            let others = variant(others);
            is_of_use.then(|| quote!(EndsByName::new(#others, &[#(#rows),*])))
        });
        let mut tables = TokenStream::new();
        let arms = rows.into_iter().map(|(table, modes)| {
            let first = self.mode_name(modes[0]);
            let ident = self.names.unused(&format!("ends in {first}"));
            let doc = doc_line(&format!(
                " What end tags do in {first:?} if the current node has their name."
            ));
            tables.extend(quote! {
                #[doc = #doc]
                static #ident: EndsByName<{ NAMES_LENGTH }> = #table;
            });
            let modes = modes.iter().map(|&mode| self.variant(mode));
            quote!(#(Mode::#modes)|* => #ident.of(name),)
        });
        let arms: TokenStream = arms.collect();
        (quote!(match mode { #arms _ => Ends::More }), tables)
    }

    /// What is printed for each insertion mode, with the modes for which it is the same.
    fn by_mode(
        &self,
        print: impl Fn(ModeId) -> Option<TokenStream>,
    ) -> Vec<(TokenStream, Vec<ModeId>)> {
        let mut rows: Vec<(TokenStream, Vec<ModeId>)> = Vec::new();
        for mode in 0..self.machine.modes.len() {
            let Some(printed) = print(mode) else { continue };
            let mut known = rows.iter_mut();
            match known.find(|row| row.0.to_string() == printed.to_string()) {
                Some(row) => row.1.push(mode),
                None => rows.push((printed, vec![mode])),
            }
        }
        rows
    }

    /// Whether a list is of names of tags: a step changes the name of the token by it.
    fn renames_tags(&self, list: usize) -> bool {
        let bodies = self.machine.bodies.iter().flat_map(|body| &body.blocks);
        let mut steps = bodies.flat_map(|block| &block.steps);
        steps.any(|step| matches!(step, super::super::machine::Step::RenameBy(it) if *it == list))
    }
}

fn variant(ends: Ends) -> TokenStream {
    match ends {
        Ends::Pops => quote!(Ends::Pops),
        Ends::PopsAndLeavesList => quote!(Ends::PopsAndLeavesList),
        Ends::More => quote!(Ends::More),
    }
}
