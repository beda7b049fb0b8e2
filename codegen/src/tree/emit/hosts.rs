//! The host: a trait with the steps, questions and properties that are the table's own, and the calls of its methods.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::machine::{Holds, HostCall, HostStep, Node, State, Value};
use super::idents::Item;
use super::printer::{Printer, Printing};
use crate::emit::names::doc_line;

impl Printer<'_> {
    /// Whether the module has a trait `Host`.
    pub(super) fn has_host(&self) -> bool {
        self.hosts.bound == "Host"
    }

    /// The trait of the table's own host steps, questions and properties.
    pub(super) fn host_trait(&self, items: &mut Vec<Item>) {
        if !self.has_host() {
            return;
        }
        let machine = self.machine;
        let steps = machine.hosts.iter().zip(&self.hosts.steps);
        let steps = steps.filter(|(it, _)| !it.is_known).map(|(it, method)| {
            let parameters = (1..=it.arguments).map(|number| match it.arguments {
                1 => format_ident!("node"),
                _ => format_ident!("node_{number}"),
            });
            let returns = match (it.may_pause, it.answers) {
                (true, _) => quote!(-> HostAnswer),
                (false, true) => quote!(-> bool),
                (false, false) => TokenStream::new(),
            };
            let doc = doc_line(&format!(" {}", it.name));
            quote! {
                #[doc = #doc]
                fn #method(&mut self #(, #parameters: Option<&Self::Node>)*) #returns;
            }
        });
        let states = machine.states.iter().zip(&self.hosts.questions).enumerate();
        let questions = states.filter(|(_, (it, _))| it.is_asked && !it.is_known);
        let questions = questions.map(|(state, (it, method))| {
            let returns = match &it.holds {
                Holds::Words(_) => {
                    let ty = self.words(state);
                    quote!(#ty)
                }
                Holds::Truth => quote!(bool),
                Holds::Node => self.refuse(&format!("the question {:?}: an element", it.name)),
            };
            let doc = doc_line(&format!(" {}: asked before the first token.", it.name));
            quote!(#[doc = #doc] fn #method(&mut self) -> #returns;)
        });
        let properties = machine.properties.iter().zip(&self.hosts.properties);
        let properties = properties.filter(|((_, is_known), _)| !is_known);
        let properties = properties.map(|((name, _), method)| {
            let doc =
                format!(" {name}: asked after a host step that answers yes, about its last node.");
            let doc = doc_line(&doc);
            quote!(#[doc = #doc] fn #method(&mut self) -> Option<Self::Node>;)
        });
        let base = match self.hosts.has_known {
            true => quote!(HtmlHost),
            false => quote!(TreeSink),
        };
        let name = &machine.name;
        let message = format!("`{{Self}}` does not run the host steps of the table {name}");
        let note = "a sink of this builder needs the trait `Host` of its module: a method for each of them";
        let item = quote! {
            /// The host steps, questions and properties of the table, each a method with the name that the table gives it. `None` means null.
            #[diagnostic::on_unimplemented(message = #message, note = #note)]
            pub trait Host: #base {
                #(#steps)*
                #(#questions)*
                #(#properties)*
            }
        };
        items.push((None, item));
    }

    /// What elements keep, as the rules say it to the runtime.
    pub(super) fn properties(&self) -> Option<TokenStream> {
        let methods = &self.hosts.properties;
        let count = Literal::usize_unsuffixed(methods.len());
        let known = self.machine.properties.iter().zip(methods);
        let rows = known.enumerate().map(|(number, ((_, is_known), method))| {
            let number = Literal::usize_unsuffixed(number);
            match is_known {
                true => quote!(#number => sink.#method(),),
                false => quote!(#number => Host::#method(sink),),
            }
        });
        (!methods.is_empty()).then(|| {
            quote! {
                const PROPERTIES: usize = #count;
                fn property(sink: &mut S, number: usize) -> Option<S::Node> {
                    match number { #(#rows)* _ => None }
                }
            }
        })
    }

    /// The answer to a question.
    pub(super) fn answer(&self, state: usize, it: &State) -> TokenStream {
        let method = &self.hosts.questions[state];
        match it.is_known {
            true => quote!(options.#method()),
            false => quote!(Host::#method(sink)),
        }
    }
}

impl Printing<'_> {
    /// The statements before a host step, and its call. For a step that answers, the value is whether the answer is yes.
    pub(super) fn host(&self, call: &HostCall) -> (TokenStream, TokenStream) {
        let (mut before, mut arguments, mut last) = (TokenStream::new(), Vec::new(), quote!(None));
        for (at, value) in call.arguments.iter().enumerate() {
            let Value::Node(node) = value else {
                arguments.push(quote!(None));
                last = quote!(None);
                continue;
            };
            let name = match node {
                Node::Slot(slot) => self.slot(*slot).clone(),
                node => {
                    let (node, name) = (self.node(node), format_ident!("given_{at}"));
                    before.extend(quote!(let #name = #node;));
                    name
                }
            };
            arguments.push(quote!(node_of(&#name)));
            last = quote!(#name.as_ref());
        }
        let HostStep {
            answers,
            may_pause,
            is_known,
            ..
        } = self.printer.machine.hosts[call.host];
        let method = &self.printer.hosts.steps[call.host];
        let step = match is_known {
            true => quote!(b.sink.#method(#(#arguments),*)),
            false => quote!(Host::#method(&mut b.sink, #(#arguments),*)),
        };
        if !answers && !may_pause {
            return (before, step);
        }
        before.extend(quote!(let answer_0 = #step;));
        (before, quote!(b.answered(answer_0, #last)))
    }
}
