//! Names of elements and sets of them as constants.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::super::machine::{ElementName, Member, Scope, Space, TreeMachine};
use super::idents::{Item, unused};
use crate::emit::names::{doc_line, parameters, shouting};

/// How many sets an element can know that it is in.
const MOST_SETS: usize = 64;

/// How many kinds of tokens a table may have that are not in the shared vocabulary.
const MOST_KINDS: usize = 200;

/// The most names that the index of a builder has room for.
const MOST_NAMES: usize = 512;

/// The names that a builder uses, and the sets in which elements are: all constants of a module.
#[derive(Default)]
pub(super) struct Names {
    /// The constants of scopes, and of kinds of tokens that the runtime does not know.
    pub(super) scopes: Vec<Ident>,
    pub(super) kinds: Vec<Ident>,
    /// The constants of local names.
    locals: RefCell<BTreeMap<String, Ident>>,
    taken: RefCell<BTreeSet<String>>,
    sets: RefCell<Vec<Set>>,
    /// The sets of the table with their names.
    of_table: Vec<(String, Vec<ElementName>)>,
    /// Whether the names are needed that have another one in ASCII lowercase.
    needs_raised: Cell<bool>,
}

struct Set {
    members: Vec<Member>,
    ident: Ident,
    doc: String,
}

impl Names {
    /// The names of a table; `own_kinds` are its kinds of tokens that are not in the shared vocabulary.
    pub(super) fn new(machine: &TreeMachine, own_kinds: &[usize]) -> Self {
        let taken = ["NAMES", "NAMES_LENGTH", "SETS", "SCOPES"].map(str::to_owned);
        let of_table = machine.sets.iter().map(|set| {
            let elements = set.members.iter().map(|it| it.element.clone());
            (set.name.clone(), elements.collect())
        });
        let mut names = Self {
            taken: RefCell::new(BTreeSet::from(taken)),
            of_table: of_table.collect(),
            ..Self::default()
        };
        let scopes = machine.scopes.iter().map(|scope| names.unused(&scope.name));
        names.scopes = scopes.collect();
        let kinds = own_kinds.iter().map(|kind| &machine.kinds[*kind].name);
        names.kinds = kinds
            .map(|kind| names.unused(&format!("{kind} token")))
            .collect();
        names
    }

    /// A constant that no other has the name of.
    pub(super) fn unused(&self, wanted: &str) -> Ident {
        unused(&mut self.taken.borrow_mut(), &shouting(wanted), "_NO_")
    }

    /// The constant of a local name.
    pub(super) fn local(&self, name: &str) -> TokenStream {
        let mut locals = self.locals.borrow_mut();
        let ident = locals
            .entry(name.to_owned())
            .or_insert_with(|| self.unused(&camel_words(name)));
        quote!(#ident)
    }

    /// The type of an element.
    pub(super) fn ty(&self, element: &ElementName) -> TokenStream {
        let local = self.local(&element.name);
        match element.space {
            Space::Html => quote!(Type::html(#local)),
            space => {
                let space = self.space(space);
                quote!(Type::new(#space, #local))
            }
        }
    }

    /// A namespace.
    pub(super) fn space(&self, space: Space) -> TokenStream {
        match space {
            Space::Html => quote!(Space::Html),
            Space::MathMl => quote!(Space::MathMl),
            Space::Svg => quote!(Space::Svg),
            Space::XLink => quote!(Space::XLink),
            Space::Xml => quote!(Space::Xml),
            Space::Xmlns => quote!(Space::Xmlns),
            Space::None => quote!(Space::None),
        }
    }

    /// The constant of a set with a name.
    pub(super) fn named_set(&self, name: &str, members: &[Member]) -> TokenStream {
        let doc = format!(" Elements in the set \"{name}\".");
        self.set(members, name, doc)
    }

    /// The constant of the elements with one of these names.
    pub(super) fn list(&self, elements: &[ElementName]) -> TokenStream {
        let members: Vec<Member> = elements
            .iter()
            .map(|element| Member {
                element: element.clone(),
                attribute: None,
            })
            .collect();
        let shown = |element: &ElementName| match element.space {
            Space::Html => element.name.clone(),
            space => format!("{} {}", space.as_str(), element.name),
        };
        let words: Vec<_> = elements.iter().map(shown).collect();
        let of_set = || self.like_a_set(elements);
        let name = match &words[..] {
            [_] | [_, _] | [_, _, _] => words.join(" or "),
            [_, _, _, _] | [_, _, _, _, _] | [_, _, _, _, _, _] => words.join(" "),
            [first, ..] => {
                of_set().unwrap_or_else(|| format!("{first} or {} more", words.len() - 1))
            }
            [] => String::new(),
        };
        let doc = format!(" {}.", words.join(", "));
        self.set(&members, &name, doc)
    }

    /// `special but not address or div or p`, if elements are those of a set of the table but for a few.
    fn like_a_set(&self, elements: &[ElementName]) -> Option<String> {
        let elements: BTreeSet<&ElementName> = elements.iter().collect();
        self.of_table.iter().find_map(|(name, set)| {
            let set: BTreeSet<&ElementName> = set.iter().collect();
            let without: Vec<&str> = set.difference(&elements).map(|it| &*it.name).collect();
            let is_like = elements.is_subset(&set) && matches!(without.len(), 1..=3);
            is_like.then(|| format!("{name} but not {}", without.join(" or ")))
        })
    }

    /// The constant of the ends of a scope.
    pub(super) fn scope_ends(&self, scope: &Scope) -> TokenStream {
        let members: Vec<Member> = scope
            .ends
            .iter()
            .map(|element| Member {
                element: element.clone(),
                attribute: None,
            })
            .collect();
        let doc = format!(" Where the search in \"{}\" ends.", scope.name);
        let name = format!("ends of {}", scope.name);
        self.set(&members, &name, doc)
    }

    /// All local names.
    pub(super) fn all(&self) -> Vec<String> {
        for set in self.sets.borrow().iter() {
            set.members
                .iter()
                .for_each(|it| _ = self.local(&it.element.name));
        }
        self.locals.borrow().keys().cloned().collect()
    }

    /// Notes that the module needs the function `raised`, which turns `foreignobject` into `foreignObject`.
    pub(super) fn needs_raised(&self) -> bool {
        self.needs_raised.set(true);
        true
    }

    fn set(&self, members: &[Member], name: &str, doc: String) -> TokenStream {
        let mut sets = self.sets.borrow_mut();
        let mut sorted = members.to_vec();
        sorted.sort_by(|a, b| (&a.element, &a.attribute).cmp(&(&b.element, &b.attribute)));
        sorted.dedup();
        let known = sets.iter().find(|set| set.members == sorted);
        let ident = match known {
            Some(set) => set.ident.clone(),
            None => {
                let ident = self.unused(name);
                sets.push(Set {
                    members: sorted,
                    ident: ident.clone(),
                    doc,
                });
                ident
            }
        };
        quote!(#ident)
    }

    /// What of the language a builder cannot be made for.
    pub(super) fn fault(&self) -> Option<String> {
        let sets = self.sets.borrow().len();
        if sets > MOST_SETS {
            return Some(format!(
                "the table uses {sets} sets of elements; a builder has room for {MOST_SETS}"
            ));
        }
        if self.kinds.len() > MOST_KINDS {
            return Some(format!("more than {MOST_KINDS} kinds of tokens"));
        }
        let locals = self.locals.borrow();
        if locals.len() > MOST_NAMES {
            return Some(format!(
                "the table uses {} names of elements; a builder has room for {MOST_NAMES}",
                locals.len()
            ));
        }
        let mut lower = BTreeSet::new();
        let mut raised = locals
            .keys()
            .filter(|name| name.to_ascii_lowercase() != **name);
        let twice = raised.find(|name| !lower.insert(name.to_ascii_lowercase()))?;
        let fault =
            format!("names that differ from {twice:?} in case only, and tags with their name");
        self.needs_raised.get().then_some(fault)
    }

    /// The constants, and the function that says in which sets an element is.
    pub(super) fn items(&self) -> Vec<Item> {
        self.all();
        let sets = self.sets.borrow();
        let idents = self.locals.borrow().clone();
        let names = idents.values().enumerate().map(|(number, ident)| {
            let number = Literal::usize_unsuffixed(number);
            (
                Some(ident.clone()),
                quote!(const #ident: Name = Name(#number);),
            )
        });
        let locals = idents.keys();
        let constants = sets.iter().enumerate().map(|(bit, set)| {
            let (ident, doc) = (&set.ident, doc_line(&set.doc));
            let bit = Literal::usize_unsuffixed(bit);
            (
                Some(ident.clone()),
                quote!(#[doc = #doc] const #ident: u64 = 1 << #bit;),
            )
        });
        let kinds = self.kinds.iter().enumerate().map(|(number, ident)| {
            let number = Literal::usize_unsuffixed(number);
            (
                Some(ident.clone()),
                quote!(const #ident: Kind = Kind::other(#number);),
            )
        });
        let of_html = sets.iter().filter_map(|set| {
            let members = set
                .members
                .iter()
                .filter(|member| member.element.space == Space::Html && member.attribute.is_none());
            let names: Vec<_> = members.map(|it| self.local(&it.element.name)).collect();
            let ident = &set.ident;
            (!names.is_empty()).then(|| quote!((#ident, &[#(#names),*])))
        });
        let of_html = quote!(&[#(#of_html),*]);
        let [math, svg] = [Space::MathMl, Space::Svg].map(|space| {
            // By the number of the name.
            let mut of: BTreeMap<&str, Vec<&Ident>> = BTreeMap::new();
            for set in sets.iter() {
                for member in &set.members {
                    if member.element.space == space && member.attribute.is_none() {
                        of.entry(&member.element.name).or_default().push(&set.ident);
                    }
                }
            }
            let rows = of.iter().map(|(name, sets)| {
                let name = self.local(name);
                quote!((#name, #(#sets)|*))
            });
            quote!(&[#(#rows),*])
        });
        let mut with_attributes: BTreeMap<&ElementName, TokenStream> = BTreeMap::new();
        for (set, member) in sets
            .iter()
            .flat_map(|set| set.members.iter().map(move |it| (set, it)))
        {
            if let Some((name, value)) = &member.attribute {
                let (tests, set) = (
                    with_attributes.entry(&member.element).or_default(),
                    &set.ident,
                );
                tests.extend(quote! {
                    if attributes.get(#name).is_some_and(|it| it.eq_ignore_ascii_case(#value)) {
                        sets |= #set;
                    }
                });
            }
        }
        let html_is_plain = with_attributes.keys().all(|it| it.space != Space::Html);
        let with_attributes = with_attributes.into_iter().map(|(element, tests)| {
            let ty = self.ty(element);
            quote!(if ty == #ty { #tests })
        });
        let html = html_is_plain.then(|| {
            quote!(if ty.space() == Space::Html {
                return SETS.of(ty);
            })
        });
        let pairs: Vec<(&Ident, &Ident)> = (idents.iter())
            .filter_map(|(name, ident)| {
                let lower = name.to_ascii_lowercase();
                let lower = idents.get(&lower).filter(|_| lower != *name)?;
                Some((ident, lower))
            })
            .collect();
        let lower = pairs.iter().map(|(it, lower)| quote!(#it => #lower,));
        let raised = self.needs_raised.get().then(|| {
            let raised = pairs.iter().map(|(it, lower)| quote!(#lower => #it,));
            quote! {
                /// The name that is another one in ASCII lowercase.
                fn raised(name: Name) -> Name {
                    match name {
                        #(#raised)*
                        _ => name,
                    }
                }
            }
        });
        let tests = quote!(#(#with_attributes)*);
        let [attributes] = parameters(["attributes"], &tests);
        let sets = match tests.is_empty() {
            true => quote!(SETS.of(ty)),
            false => quote!(let mut sets = SETS.of(ty); #tests sets),
        };
        let table = quote!(#[doc = " The names that the table knows, by number."] pub static NAMES: NameTable = NameTable::new(&[#(#locals),*]););
        let functions = quote! {
            static SETS: Sets<{ NAMES_LENGTH }> = Sets::new(#of_html, #math, #svg);
            const NAMES_LENGTH: usize = NAMES.names().len();

            /// The sets in which an element is.
            #[inline(always)]
            fn sets(ty: Type, attributes: &TagAttributes<'_>) -> u64 {
                #html
                other_sets(ty, attributes)
            }

            fn other_sets(ty: Type, #attributes: &TagAttributes<'_>) -> u64 {
                #sets
            }

            /// A name in ASCII lowercase.
            #[inline]
            fn lower(name: Name) -> Name {
                match name {
                    #(#lower)*
                    _ => name,
                }
            }

            #raised
        };
        let mut items = vec![(None, table)];
        items.extend(names.chain(constants).chain(kinds));
        items.push((None, functions));
        items
    }
}

/// The words of `foreignObject`.
fn camel_words(name: &str) -> String {
    let mut words = String::new();
    for (at, c) in name.char_indices() {
        if c.is_ascii_uppercase() && at > 0 {
            words.push(' ');
        }
        words.push(c);
    }
    words
}
