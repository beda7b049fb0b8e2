//! A machine as text, with names instead of numbers.

use speclex_codegen::machine::*;

/// All of it but the tables of characters.
pub(crate) fn dump(machine: &Machine) -> String {
    let mut dump = Dump {
        machine,
        out: String::new(),
    };
    dump.head();
    for state in &machine.states {
        dump.state(state);
    }
    dump.out
}

struct Dump<'m> {
    machine: &'m Machine,
    out: String,
}

macro_rules! line {
    ($dump:expr, $depth:expr, $($text:tt)+) => {{
        let text = format!($($text)+);
        let indented = format!("{}{text}", "  ".repeat($depth));
        $dump.out.push_str(indented.trim_end());
        $dump.out.push('\n');
    }};
}

impl<'m> Dump<'m> {
    fn head(&mut self) {
        let machine = self.machine;
        line!(self, 0, "{}: {}", machine.name, machine.title);
        if machine.vocabulary.shared.is_none() {
            line!(self, 0, "vocabulary {:?}", machine.vocabulary);
        }
        line!(self, 0, "errors {:?}", machine.errors);
        for register in &machine.registers {
            line!(self, 0, "register {}: {:?}", register.name, register.ty);
        }
        let preprocessing = &machine.preprocessing;
        if *preprocessing != Preprocessing::default() {
            let errors: Vec<String> = preprocessing
                .errors
                .iter()
                .map(|(set, error)| format!("{set}: {}", self.error(*error)))
                .collect();
            line!(
                self,
                0,
                "preprocessing drop_bom={} normalize_newlines={} replace={:?} errors={errors:?}",
                preprocessing.drop_bom,
                preprocessing.normalize_newlines,
                preprocessing.replace,
            );
        }
        if !machine.references.is_empty() {
            line!(self, 0, "references {:?}", machine.references);
        }
        if !machine.replacements.is_empty() {
            line!(self, 0, "replacements {:?}", machine.replacements);
        }
        for entry in &machine.entries {
            let content = &machine.vocabulary.contents[entry.content as usize];
            let sets: Vec<String> = entry
                .sets
                .iter()
                .map(|&(r, word)| self.word(r, word))
                .collect();
            line!(
                self,
                0,
                "entry {content}: {} {sets:?}",
                self.name(entry.state)
            );
        }
        for on_emit in &machine.on_emit {
            let token = &machine.vocabulary.tokens[on_emit.token.0 as usize];
            line!(
                self,
                0,
                "on emitting {}",
                token.kinds[on_emit.kind as usize].name
            );
            for (guard, actions) in &on_emit.steps {
                let guard = guard.as_ref().map(|g| format!("if {}: ", self.guard(g)));
                let actions: Vec<String> = actions.iter().map(|a| self.action(a)).collect();
                line!(
                    self,
                    1,
                    "{}{}",
                    guard.unwrap_or_default(),
                    actions.join(", ")
                );
            }
        }
        if !machine.hot.is_empty() {
            let hot: Vec<&str> = machine.hot.iter().map(|s| self.name(*s)).collect();
            line!(self, 0, "hot {hot:?}");
        }
    }

    fn state(&mut self, state: &State) {
        line!(self, 0, "");
        line!(
            self,
            0,
            "{} [{}] of {}",
            state.name,
            state.section,
            state.origin
        );
        match &state.kind {
            StateKind::Consume(consume) => {
                for literal in &consume.literals {
                    let case = if literal.ignore_case {
                        " in any case"
                    } else {
                        ""
                    };
                    line!(self, 1, "{:?}{case}", literal.text);
                    self.body(&literal.body, 2);
                }
                for arm in &consume.arms {
                    let peeked = if arm.peeked { " peeked" } else { "" };
                    line!(self, 1, "{}{peeked} [{}]", arm.label, arm.set);
                    self.body(&arm.body, 2);
                }
                line!(self, 1, "EOF");
                self.body(&consume.eof, 2);
            }
            StateKind::Steps(body) => self.body(body, 1),
            StateKind::Match { matched, unmatched } => {
                line!(self, 1, "match");
                self.body(matched, 2);
                line!(self, 1, "no match");
                self.body(unmatched, 2);
            }
        }
    }

    fn body(&mut self, body: &Body, depth: usize) {
        for action in &body.actions {
            line!(self, depth, "{}", self.action(action));
        }
        match &body.next {
            Next::Go { target, reconsume } => {
                let target = match target {
                    Target::State(state) => self.name(*state).to_owned(),
                    Target::Register(register) => format!("*{}", self.register(*register)),
                    Target::End => "end".to_owned(),
                };
                let verb = if *reconsume { "reconsume in" } else { "go to" };
                line!(self, depth, "{verb} {target}");
            }
            Next::If {
                guard,
                then,
                otherwise,
            } => {
                line!(self, depth, "if {}", self.guard(guard));
                self.body(then, depth + 1);
                line!(self, depth, "else");
                self.body(otherwise, depth + 1);
            }
        }
    }

    fn name(&self, state: StateId) -> &'m str {
        &self.machine.states[state.0 as usize].name
    }

    fn register(&self, register: RegisterId) -> &str {
        &self.machine.registers[register.0 as usize].name
    }

    fn error(&self, error: ErrorId) -> &str {
        &self.machine.errors[error.0 as usize]
    }

    fn word(&self, register: RegisterId, word: u32) -> String {
        match &self.machine.registers[register.0 as usize].ty {
            RegisterType::Finite(words) => {
                format!("{} = {}", self.register(register), words[word as usize])
            }
            other => panic!("{other:?} has no words"),
        }
    }

    fn action(&self, action: &Action) -> String {
        match action {
            Action::Error(error) => format!("error {}", self.error(*error)),
            Action::SetFinite(register, word) => self.word(*register, *word),
            Action::SetState(register, state) => {
                format!("{} = {}", self.register(*register), self.name(*state))
            }
            other => self.named(&format!("{other:?}")),
        }
    }

    fn guard(&self, guard: &Guard) -> String {
        let list = |parts: &[Guard], with: &str| {
            let parts: Vec<String> = parts.iter().map(|g| self.guard(g)).collect();
            format!("({})", parts.join(with))
        };
        match guard {
            Guard::Not(inner) => format!("not {}", self.guard(inner)),
            Guard::All(parts) => list(parts, " and "),
            Guard::Any(parts) => list(parts, " or "),
            Guard::FiniteIs(register, words) => {
                let words: Vec<String> = words.iter().map(|&w| self.word(*register, w)).collect();
                words.join(" or ")
            }
            Guard::StateIs(register, states) => {
                let states: Vec<&str> = states.iter().map(|&s| self.name(s)).collect();
                format!("{} is {states:?}", self.register(*register))
            }
            other => self.named(&format!("{other:?}")),
        }
    }

    /// The debug form with names for the numbers of registers, fields and tokens.
    fn named(&self, debug: &str) -> String {
        let mut text = debug.to_owned();
        for (register, id) in self.machine.registers.iter().zip(0..) {
            text = text.replace(&format!("{:?}", RegisterId(id)), &register.name);
        }
        for (token, id) in self.machine.vocabulary.tokens.iter().zip(0..) {
            let id = TokenId(id);
            for (field, index) in token.fields.iter().zip(0..) {
                let field_id = FieldId {
                    token: id,
                    field: index,
                };
                let name = format!("{} {}", token.name, field.name);
                text = text.replace(&format!("{field_id:?}"), &name);
            }
            text = text.replace(&format!("{id:?}"), &token.name);
        }
        text
    }
}
