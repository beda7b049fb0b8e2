//! What every part of the emitter looks up: identifiers, made once, and facts from the analyses.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::names::{RESERVED_TYPES, behind, pascal, shouting, snake};
use super::vocabulary::{kind_field, type_names};
use crate::analyse::{
    self,
    emission::{Emission, Shared},
    whole_tag::WholeTag,
};
use crate::charset::CharSet;
use crate::machine::{
    FieldId, Machine, RegisterId, RegisterType, StateId, StateKind, Token, TokenId,
};

/// The emitter's view of one machine.
pub(crate) struct Context<'m> {
    pub(crate) machine: &'m Machine,
    /// Path of the runtime crate.
    pub(crate) runtime: TokenStream,
    /// Path of the module with the vocabulary's items.
    pub(crate) vocabulary: TokenStream,
    /// States of the hot loop, in order.
    pub(crate) hot: Vec<StateId>,
    pub(crate) entry_states: BTreeSet<StateId>,
    pub(crate) whole_tags: Vec<WholeTag>,
    /// What several arms end with, which is a step of its own.
    pub(crate) emissions: Vec<SharedEmission>,
    functions: Vec<Ident>,
    /// What states do after their run that whole tags come from.
    after_runs: BTreeMap<StateId, Ident>,
    /// The functions for what states do with anything else.
    anything_else: Vec<Ident>,
    variants: Vec<Ident>,
    registers: Vec<Ident>,
    /// For each register; used where it is finite.
    finite_enums: Vec<Ident>,
    errors: Vec<Ident>,
}

/// An emission and the state after it, with the names of the step that they are.
pub(crate) struct SharedEmission {
    pub(crate) emission: Emission,
    /// Whether an arm of a hot state ends with it.
    pub(crate) hot: bool,
    pub(crate) function: Ident,
    pub(crate) variant: Ident,
}

impl<'m> Context<'m> {
    pub(crate) fn new(machine: &'m Machine, runtime: TokenStream, vocabulary: TokenStream) -> Self {
        let mut functions = Unique::reserving(&RESERVED_FUNCTIONS);
        functions.reserve(&RESERVED_VARIABLES);
        let mut types = Unique::reserving(&RESERVED_TYPES).in_camel_case();
        let of_tokens = machine.vocabulary.tokens.iter().flat_map(type_names);
        of_tokens.for_each(|name| {
            types.one(name);
        });
        let mut variants = Unique::reserving(&["Suspended"]).in_camel_case();
        let mut registers = Unique::reserving(&["core", "tokens", "resume", "after_pause", "mark"]);
        let mut errors = Unique::default();
        let function_names: Vec<_> = machine
            .states
            .iter()
            .map(|s| functions.one(snake(&s.name)))
            .collect();
        let variant_names: Vec<_> = machine
            .states
            .iter()
            .map(|s| variants.one(pascal(&s.name)))
            .collect();
        let hot = analyse::hot::hot(machine);
        let emissions = analyse::emission::shared(machine)
            .into_iter()
            .map(|Shared { emission, states }| {
                let token = &machine.vocabulary.tokens[emission.token.0 as usize].name;
                let next = &machine.states[emission.next.0 as usize].name;
                let name = format!("emit {token} then {next}");
                SharedEmission {
                    emission,
                    hot: states.iter().any(|id| hot.contains(id)),
                    function: functions.one(snake(&name)),
                    variant: variants.one(pascal(&name)),
                }
            })
            .collect();
        let whole_tags = analyse::whole_tag::whole_tags(machine, &hot);
        let names: BTreeSet<_> = whole_tags.iter().map(|tag| tag.name).collect();
        let after_runs = names.into_iter().map(|id| {
            let name = format!("{} after run", machine.states[id.0 as usize].name);
            (id, functions.one(snake(&name)))
        });
        let after_runs = after_runs.collect();
        let anything_else = machine.states.iter().map(|state| {
            let name = format!("{} anything else", state.name);
            functions.one(snake(&name))
        });
        let anything_else = anything_else.collect();
        Self {
            machine,
            after_runs,
            anything_else,
            whole_tags,
            runtime,
            vocabulary,
            hot,
            entry_states: analyse::token_start::entry_states(machine),
            emissions,
            functions: function_names,
            variants: variant_names,
            registers: machine
                .registers
                .iter()
                .map(|r| registers.one(snake(&r.name)))
                .collect(),
            finite_enums: machine
                .registers
                .iter()
                .map(|r| match r.ty {
                    RegisterType::Finite(_) => types.one(pascal(&r.name)),
                    _ => pascal(&r.name),
                })
                .collect(),
            errors: machine
                .errors
                .iter()
                .map(|e| errors.one(shouting(e)))
                .collect(),
        }
    }

    pub(crate) fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.machine.states.len() as u32).map(StateId)
    }

    /// The set without the CR, which no state sees where newlines are normalised.
    pub(crate) fn without_cr(&self, set: &CharSet) -> CharSet {
        match self.machine.preprocessing.normalize_newlines {
            true => set.difference(&CharSet::single('\r')),
            false => set.clone(),
        }
    }

    /// How a state emits characters of the input. Text starts where it stands, but behind an entry state where that was
    /// left, if characters were dropped since.
    pub(crate) fn emit_run(&self, id: StateId) -> Ident {
        let name = if self.entry_states.contains(&id) {
            "emit_run"
        } else {
            "emit_run_of_token"
        };
        format_ident!("{name}")
    }

    /// How a state emits a newline that is not an LF in the input.
    pub(crate) fn emit_newline(&self, id: StateId) -> Ident {
        let name = if self.entry_states.contains(&id) {
            "emit_newline"
        } else {
            "emit_newline_of_token"
        };
        format_ident!("{name}")
    }

    /// The function of a state.
    pub(crate) fn function(&self, id: StateId) -> &Ident {
        &self.functions[id.0 as usize]
    }

    /// `State::TagOpen`.
    pub(crate) fn state(&self, id: StateId) -> TokenStream {
        let variant = self.variant(id);
        quote!(State::#variant)
    }

    /// Whether a state goes through the next one at once, by a call: one that consumes nothing only
    /// decides where to go on. (Those that do so themselves do not, so that calls do not nest.)
    pub(crate) fn goes_through(&self, from: StateId, next: StateId) -> bool {
        let steps = |id: StateId| {
            let kind = &self.machine.states[id.0 as usize].kind;
            matches!(kind, StateKind::Steps(_))
        };
        steps(next) && !steps(from) && (self.hot.contains(&next) || !self.hot.contains(&from))
    }

    /// The step that is this emission, if several arms end with it.
    pub(crate) fn shared(&self, emission: Emission) -> Option<&SharedEmission> {
        self.emissions.iter().find(|e| e.emission == emission)
    }

    pub(crate) fn variant(&self, id: StateId) -> &Ident {
        &self.variants[id.0 as usize]
    }

    /// The field of a register in the machine struct.
    pub(crate) fn register(&self, id: RegisterId) -> &Ident {
        &self.registers[id.0 as usize]
    }

    /// The enum of a finite register.
    pub(crate) fn finite_enum(&self, id: RegisterId) -> &Ident {
        &self.finite_enums[id.0 as usize]
    }

    /// `ContentModelFlag::Rcdata`.
    pub(crate) fn finite_value(&self, id: RegisterId, value: u32) -> TokenStream {
        let name = self.finite_enum(id);
        let RegisterType::Finite(values) = &self.machine.registers[id.0 as usize].ty else {
            return quote!(#name);
        };
        let variant = finite_variants(values).swap_remove(value as usize);
        quote!(#name::#variant)
    }

    /// `Rcdata`.
    pub(crate) fn finite_name(&self, id: RegisterId, value: u32) -> String {
        match &self.machine.registers[id.0 as usize].ty {
            RegisterType::Finite(values) => pascal(&values[value as usize]).to_string(),
            _ => String::new(),
        }
    }

    /// `errors::EOF_IN_TAG`.
    pub(crate) fn error(&self, id: crate::machine::ErrorId) -> TokenStream {
        let name = &self.errors[id.0 as usize];
        quote!(errors::#name)
    }

    pub(crate) fn error_name(&self, index: usize) -> &Ident {
        &self.errors[index]
    }

    pub(crate) fn token(&self, id: TokenId) -> &'m Token {
        &self.machine.vocabulary.tokens[id.0 as usize]
    }

    /// `t.tokens.tag`.
    pub(crate) fn token_place(&self, id: TokenId) -> TokenStream {
        let name = snake(&self.token(id).name);
        quote!(t.tokens.#name)
    }

    /// `t.tokens.tag.kind`.
    pub(crate) fn kind_place(&self, id: TokenId) -> TokenStream {
        let (token, field) = (self.token_place(id), kind_field(self.token(id)));
        quote!(#token.#field)
    }

    /// `t.tokens.tag.name`.
    pub(crate) fn field_place(&self, id: FieldId) -> TokenStream {
        let token = self.token_place(id.token);
        let field = snake(&self.token(id.token).fields[id.field as usize].name);
        quote!(#token.#field)
    }

    /// The attribute list of a token.
    pub(crate) fn attributes_place(&self, id: TokenId) -> TokenStream {
        use crate::machine::FieldType;
        let fields = &self.token(id).fields;
        let index = fields.iter().position(|f| f.ty == FieldType::Attributes);
        self.field_place(FieldId {
            token: id,
            field: index.unwrap_or_default() as u32,
        })
    }

    /// The function that emits a token.
    pub(crate) fn emit_function(&self, id: TokenId) -> Ident {
        behind("emit", &snake(&self.token(id).name))
    }

    /// The function that emits a token of a kind that has only a name.
    pub(crate) fn emit_whole_function(&self, id: TokenId, kind: u32) -> Ident {
        behind(
            "emit_whole",
            &snake(&self.token(id).kinds[kind as usize].name),
        )
    }

    /// The function for what a state does after its run, if it is needed.
    pub(crate) fn after_run(&self, id: StateId) -> Option<&Ident> {
        self.after_runs.get(&id)
    }

    /// The function for what a state does with anything else, if that is needed more than once.
    pub(crate) fn anything_else(&self, id: StateId) -> &Ident {
        &self.anything_else[id.0 as usize]
    }

    /// Whether a sink's answer to the token matters.
    pub(crate) fn answers(&self, id: TokenId) -> bool {
        self.machine.vocabulary.answers(id)
    }
}

/// The variants of a finite register's enum.
pub(crate) fn finite_variants(values: &[String]) -> Vec<Ident> {
    let mut unique = Unique::default().in_camel_case();
    values.iter().map(|v| unique.one(pascal(v))).collect()
}

/// Names that the generated module has for itself.
const RESERVED_FUNCTIONS: [&str; 6] = [
    "run",
    "cold",
    "at_end",
    "replacement",
    "tokens",
    "content_after",
];

/// Names of variables in whose scope states' functions are called.
#[rustfmt::skip]
const RESERVED_VARIABLES: [&str; 10] = [
    "t", "input", "from", "step", "at", "end", "length", "value", "answer", "last_start_tag_ahead",
];

/// Gives out identifiers, each once.
#[derive(Default)]
pub(crate) struct Unique {
    times: BTreeMap<String, u32>,
    /// Whether they are types or variants, whose names have no `_`.
    camel_case: bool,
}

impl Unique {
    fn reserving(names: &[&str]) -> Self {
        let mut unique = Self::default();
        unique.reserve(names);
        unique
    }

    /// For types and variants.
    pub(crate) fn in_camel_case(self) -> Self {
        Self {
            camel_case: true,
            ..self
        }
    }

    fn reserve(&mut self, names: &[&str]) {
        self.times
            .extend(names.iter().map(|n| ((*n).to_owned(), 1)));
    }

    pub(crate) fn one(&mut self, wanted: Ident) -> Ident {
        let text = wanted.to_string();
        let mut name = text.clone();
        let between = if self.camel_case { "" } else { "_" };
        while let Some(times) = self.times.get_mut(&name) {
            *times += 1;
            name = format!("{}{between}{times}", text.trim_end_matches('_'));
        }
        self.times.insert(name.clone(), 1);
        format_ident!("{name}")
    }
}
