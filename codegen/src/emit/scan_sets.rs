//! Byte sets that self-loops stop at, as types that the runtime's scanner takes.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::context::{Context, Unique};
use crate::analyse::scan::{ByteSet, ForValues, SelfLoop, Stops};
use crate::charset::CharSet;
use crate::machine::{Action, RegisterId, StateId};

/// The scanner takes so many ranges.
pub(crate) const MOST_RANGES: usize = 8;

/// The distinct sets of a machine, named after the first state that uses them.
#[derive(Default)]
pub(crate) struct ScanSets {
    names: BTreeMap<Vec<(u8, u8)>, Ident>,
    unique: Unique,
    items: Vec<TokenStream>,
}

impl ScanSets {
    /// The statements that skip what a self-loop takes; `at` is where it stopped afterwards.
    pub(crate) fn scan(
        &mut self,
        context: &Context<'_>,
        id: StateId,
        run: &SelfLoop,
    ) -> TokenStream {
        let emits = matches!(run.actions[..], [Action::EmitText(_)]);
        let end = match &run.by_value {
            None => self.find_in(context, id, "", (&run.stops, emits), quote!(at)),
            Some((registers, found)) => {
                let arms: Vec<_> = (found.iter())
                    .map(|found| {
                        let patterns = found.values.iter().map(|v| pattern(context, registers, v));
                        let patterns: Vec<_> = patterns.collect();
                        let suffix: String = (registers.iter().zip(&found.values[0]))
                            .filter_map(|(id, value)| Some(context.finite_name(*id, (*value)?)))
                            .collect();
                        let stops = (&found.stops, emits);
                        let find = self.find_in(context, id, &suffix, stops, quote!(at));
                        quote!(#(#patterns)|* => #find,)
                    })
                    .collect();
                let fields = registers.iter().map(|id| context.register(*id));
                let fields: Vec<_> = fields.map(|field| quote!(t.#field)).collect();
                let value = match &fields[..] {
                    [field] => field.clone(),
                    _ => quote!((#(#fields),*)),
                };
                match self.usual(context, id, registers, (found, emits)) {
                    Some(usual) => {
                        let rt = &context.runtime;
                        quote!(match #value {
                            #usual
                            others => match #rt::rt::opaque(others) { #(#arms)* }
                        })
                    }
                    None => quote!(match #value { #(#arms)* }),
                }
            }
        };
        let takes = run.actions.iter().map(|action| match action {
            Action::Append(field, _) => {
                let place = context.field_place(*field);
                quote!(#place.push_run(input, at, end);)
            }
            Action::AppendAttribute(token, part, _) => {
                use crate::machine::AttributePart;
                let attributes = context.attributes_place(*token);
                let part = match part {
                    AttributePart::Name => quote!(name),
                    AttributePart::Value => quote!(value),
                };
                quote!(#attributes.#part.push_run(input, at, end);)
            }
            Action::AppendRegister(register, _) => {
                let register = context.register(*register);
                quote!(t.#register.push_run(input, at, end);)
            }
            _ => {
                let emit_run = context.emit_run(id);
                quote!(t.core.#emit_run(input, at, end);)
            }
        });
        quote! {
            let end = #end;
            #(#takes)*
            let at = end;
        }
    }

    /// The arm for the registers' initial values, which a hot state mostly finds: a comparison in front of a jump by
    /// table for all others.
    fn usual(
        &mut self,
        context: &Context<'_>,
        id: StateId,
        registers: &[RegisterId],
        (found, emits): (&[ForValues], bool),
    ) -> Option<TokenStream> {
        let initial = |values: &&Vec<Option<u32>>| values.iter().all(|value| *value == Some(0));
        let all = found
            .iter()
            .flat_map(|found| found.values.iter().map(move |v| (v, found)));
        let (values, found) =
            (all.filter(|_| context.hot.contains(&id))).find(|(values, _)| initial(values))?;
        let pattern = pattern(context, registers, values);
        let find = self.find_in(context, id, "", (&found.stops, emits), quote!(at));
        Some(quote!(#pattern => #find,))
    }

    /// Finds the first byte of the set from a place on, for a sink that takes no errors or for one that does.
    pub(super) fn find(
        &mut self,
        context: &Context<'_>,
        id: StateId,
        suffix: &str,
        stops: &Stops,
        at: TokenStream,
    ) -> TokenStream {
        self.find_in(context, id, suffix, (stops, false), at)
    }

    /// The same; in a run that is emitted, for a sink that gets each U+0000 alone, too.
    fn find_in(
        &mut self,
        context: &Context<'_>,
        id: StateId,
        suffix: &str,
        (stops, emits): (&Stops, bool),
        at: TokenStream,
    ) -> TokenStream {
        let rt = &context.runtime;
        let find = |set: Ident| match stops.near {
            None if context.hot.contains(&id) => {
                quote!(#rt::rt::scan::find::<sets::#set>(input.bytes(), #at))
            }
            None => quote!(#rt::rt::scan::find_by_call::<sets::#set>(input.bytes(), #at)),
            Some(near) => {
                let (near, reach) = (byte(near.byte), Literal::usize_unsuffixed(near.reach));
                quote!(#rt::rt::scan::find_or_near::<sets::#set>(input.bytes(), #at, #near, #reach))
            }
        };
        let without = find(self.set(context, id, suffix, &stops.bytes));
        let (mut all, has_nulls) = (stops.with_errors, emits && !stops.bytes.contains(0));
        let (condition, suffix) = match (all == stops.bytes, has_nulls) {
            (true, false) => return without,
            (true, true) => (quote!(S::NULLS_ALONE), format!("{suffix}OrNull")),
            (false, true) => (
                quote!(S::ERRORS || S::NULLS_ALONE),
                format!("{suffix}OrError"),
            ),
            (false, false) => (quote!(S::ERRORS), format!("{suffix}OrError")),
        };
        if has_nulls {
            all.insert(0);
        }
        let with = find(self.set(context, id, &suffix, &all));
        quote!(if #condition { #with } else { #without })
    }

    /// Finds the first byte that is not one of these characters, which are ASCII.
    pub(super) fn skip(
        &mut self,
        context: &Context<'_>,
        id: StateId,
        ignored: &CharSet,
        at: TokenStream,
    ) -> TokenStream {
        let mut stops = ByteSet::default();
        for byte in 0..=0xFF {
            if !ignored.contains(char::from(byte)) {
                stops.insert(byte);
            }
        }
        let stops = Stops {
            bytes: stops,
            with_errors: stops,
            near: None,
        };
        self.find(context, id, "Ignoring", &stops, at)
    }

    fn set(&mut self, context: &Context<'_>, id: StateId, suffix: &str, set: &ByteSet) -> Ident {
        let ranges = encode(set);
        if let Some(name) = self.names.get(&ranges) {
            return name.clone();
        }
        let wanted = format_ident!("{}{suffix}", context.variant(id));
        let name = self.unique.one(wanted);
        let rt = &context.runtime;
        let list = ranges.iter().map(|&(first, last)| {
            let (first, last) = (byte(first), byte(last));
            quote!((#first, #last))
        });
        self.items.push(quote! {
            pub(super) struct #name;
            impl #rt::rt::scan::Set for #name {
                const RANGES: &'static [(u8, u8)] = &[#(#list),*];
            }
        });
        self.names.insert(ranges, name.clone());
        name
    }

    /// The module with the sets.
    pub(crate) fn module(self) -> TokenStream {
        let items = self.items;
        quote! {
            /// The bytes at which states stop skipping.
            mod sets { #(#items)* }
        }
    }
}

/// Values of registers as a pattern.
fn pattern(context: &Context<'_>, registers: &[RegisterId], values: &[Option<u32>]) -> TokenStream {
    let values = registers.iter().zip(values).map(|(id, value)| match value {
        Some(value) => context.finite_value(*id, *value),
        None => quote!(_),
    });
    let values: Vec<_> = values.collect();
    match &values[..] {
        [value] => value.clone(),
        _ => quote!((#(#values),*)),
    }
}

pub(crate) fn byte(byte: u8) -> TokenStream {
    if byte.is_ascii_graphic() || byte == b' ' {
        let literal = Literal::byte_character(byte);
        quote!(#literal)
    } else {
        super::patterns::hex(u32::from(byte))
    }
}

/// The set as few ranges. It may come out larger: the scan stops at a byte that does not concern the
/// state, whose arm for anything else takes it and goes on.
pub fn encode(set: &ByteSet) -> Vec<(u8, u8)> {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for byte in set.iter() {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == byte => *last = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    // NUL and CR with controls that documents seldom have: these two ranges are one question for the scanner.
    let stops = |byte: u8| set.contains(byte);
    if stops(0) && stops(b'\r') && !(0x08..=0x0B).any(stops) {
        let behind = ranges.iter().position(|(first, _)| *first > 0x0F);
        let behind = behind.unwrap_or(ranges.len());
        let last = ranges[behind - 1].1.max(0x0F);
        ranges.splice(..behind, [(0, 0x07), (0x0C, last)]);
    }
    // One comparison for all of white space and the controls around it.
    let low = ranges
        .iter()
        .take_while(|(first, _)| *first <= b' ')
        .count();
    if low > 2 && ranges[low - 1].1 >= b' ' {
        let last = ranges[low - 1].1;
        ranges.splice(..low, [(0, last)]);
    }
    // One for neighbours with little between them that documents seldom have there: what stops at `=` and
    // the space is a name.
    let stops = |byte: u8| {
        ranges
            .iter()
            .any(|&(first, last)| first <= byte && byte <= last)
    };
    let (seldom, most): (&[u8], _) = if stops(b' ') && stops(b'=') {
        (b"<=>?@[\\]^`{|}~!\"#$%&'()*+,;", 4)
    } else {
        (b"<=>?@[\\]^`{|}~", 2)
    };
    let mut index = 1;
    while index < ranges.len() {
        let ((from, before), (after, to)) = (ranges[index - 1], ranges[index]);
        let between = before + 1..after;
        if between.len() <= most
            && (from < before || after < to)
            && between.clone().all(|b| seldom.contains(&b))
        {
            ranges[index - 1].1 = to;
            ranges.remove(index);
        } else {
            index += 1;
        }
    }
    while ranges.len() > MOST_RANGES {
        let nearest = (1..ranges.len())
            .min_by_key(|&i| ranges[i].0 - ranges[i - 1].1)
            .unwrap_or(1);
        let (_, last) = ranges.remove(nearest);
        ranges[nearest - 1].1 = last;
    }
    ranges
}
