//! Phrases with their names looked up.

use super::Checker;
use super::model::{Branch, Goal, Step, StepKind};
use super::phrases::{Means, PHRASES, is_phrase};
use crate::diagnostic::{Code, Span};
use crate::lexer::{normal, tokens};
use crate::machine::{Action, RegisterType, TokenId};
use crate::phrase::{self, Cursor, NAME, Name, Operand, Reading, several};
use crate::suggest::{closest, did_you_mean};
use crate::written::{self, BranchWord};

impl Checker<'_, '_> {
    /// A list of steps.
    pub(super) fn steps(&mut self, steps: &written::Steps) -> Vec<Step> {
        let mut list: Vec<Step> = Vec::new();
        // Whether the last step is an `if` that can still go on.
        let mut open = false;
        for step in &steps.list {
            match step {
                written::Step::Phrase(text) => {
                    open = false;
                    let before = list.len();
                    self.phrase(text, steps.is_list, &mut list);
                    if list.len() == before {
                        let (span, kind) = (text.span(), StepKind::Unknown);
                        list.push(Step { span, kind });
                    }
                }
                written::Step::Fault => {
                    let span = Span::default();
                    let kind = StepKind::Unknown;
                    list.push(Step { span, kind });
                }
                written::Step::Branch(branch, then) => {
                    let span = branch.key.span();
                    let then = self.steps(then);
                    let guard = self.branch_guard(branch);
                    let head = Branch {
                        guard,
                        label: normal(branch.guard()),
                        span: branch.guard_span(),
                    };
                    if branch.word == BranchWord::If {
                        open = true;
                        let kind = StepKind::If(vec![(head, then)], Vec::new());
                        list.push(Step { span, kind });
                        continue;
                    }
                    let last = list.last_mut().filter(|_| open).map(|s| &mut s.kind);
                    let Some(StepKind::If(branches, otherwise)) = last else {
                        // What was refused may have been the `if`.
                        if !matches!(
                            list.last(),
                            Some(Step {
                                kind: StepKind::Unknown,
                                ..
                            })
                        ) {
                            branch.refuse_without_if(self.faults);
                        }
                        continue;
                    };
                    if branch.word == BranchWord::OtherwiseIf {
                        branches.push((head, then));
                    } else {
                        *otherwise = then;
                        open = false;
                    }
                }
            }
        }
        list
    }

    /// One phrase; some stand for two steps.
    fn phrase(&mut self, text: &written::Text, in_list: bool, list: &mut Vec<Step>) {
        let span = text.span();
        let name = normal(&text.text);
        if let Some(&found) = self.list_numbers.get(&name) {
            self.used_procedures.insert(name);
            list.push(Step {
                span,
                kind: StepKind::StepList(found),
            });
            return;
        }
        if let Some(procedure) = self.procedure_names.iter().find(|p| **p == name) {
            let help = format!("did you mean `attempt to {procedure}`?");
            let message = format!("`{name}` is a sub-machine, not a step");
            self.fault(Code::UnknownPhrase, span, message).help(help);
            return;
        }
        let ((kinds, is_read), own) = self.apart(|c| {
            let tokens = tokens(&text.text, span, c.faults);
            let whole = Cursor::new(&text.text, &tokens, span);
            let read = phrase::phrase(PHRASES, whole, c.faults);
            (c.one_reading(&read, span), !read.is_empty())
        });
        let meant = match own.any_error() {
            true => self.meant(text, in_list, is_read),
            false => None,
        };
        match meant {
            Some(help) => {
                let message = format!("`{name}` is not a phrase");
                self.fault(Code::UnknownPhrase, span, message).help(help);
            }
            None => self.faults.append(own.only_of_quotes()),
        }
        for kind in kinds.map(|(kinds, _)| kinds).unwrap_or_default() {
            list.push(Step { span, kind });
        }
    }

    /// What to say of a faulty phrase that the phrase itself does not tell.
    fn meant(&self, text: &written::Text, in_list: bool, is_read: bool) -> Option<String> {
        let is_one = |piece: &str| self.list_numbers.contains_key(piece) || is_phrase(piece);
        if let Some(help) = several(&text.text, in_list, is_one) {
            return Some(help);
        }
        let name = normal(&text.text);
        let leads = ["", "go to ", "goto ", "to ", "switch ", "-> ", "=> ", "→ "];
        let mut states = leads.into_iter().filter_map(|lead| name.strip_prefix(lead));
        if let Some(state) = states.find(|state| self.state_named(state).is_some()) {
            return Some(format!("did you mean `switch to {state}`?"));
        }
        let calls = ["call ", "run ", "do ", "use ", "perform "];
        let mut called = calls.into_iter().filter_map(|lead| name.strip_prefix(lead));
        if let Some(called) = called.next() {
            if self.list_numbers.contains_key(called) {
                return Some(format!(
                    "a list of steps is used by its name alone: `{called}`"
                ));
            }
            if self.procedure_names.iter().any(|it| *it == called) {
                return Some(format!("did you mean `attempt to {called}`?"));
            }
        }
        // A table may have very many lists of steps.
        let lists = self.list_names.iter().filter(|_| !is_read);
        let meant = closest(&name, lists.map(String::as_str))?;
        Some(format!("did you mean `{meant}`?"))
    }

    /// What a text means. If it can be read in several ways, its names decide.
    pub(super) fn one_reading<T>(
        &mut self,
        readings: &[Reading<'_, Means<T>>],
        span: Span,
    ) -> Option<(T, bool)> {
        let first = readings.first()?;
        let is_clear = readings.len() == 1 || first.rank == NAME;
        let mut groups = readings.chunk_by(|one, other| one.rank == other.rank);
        while let Some(group) = groups.next().filter(|_| !is_clear) {
            let mut sound = Vec::new();
            for reading in group {
                let means = reading.row.means;
                let (meaning, own) = self.apart(|c| means(c, &reading.holes, span));
                let meaning = meaning.filter(|_| !own.any_error());
                sound.extend(meaning.map(|meaning| (reading, meaning)));
            }
            if let [(one, _), (other, _), ..] = sound.as_slice() {
                let message = "this can be read in two ways";
                self.fault(Code::Ambiguous, span, message).help(format!(
                    "as `{}`, or as `{}`: give one of them another name",
                    one.shown, other.shown
                ));
                return None;
            }
            if let Some((reading, meaning)) = sound.pop() {
                return Some((meaning, reading.negated));
            }
        }
        let meaning = (first.row.means)(self, &first.holes, span)?;
        Some((meaning, first.negated))
    }

    pub(super) fn emit(&mut self, token: TokenId) -> Action {
        self.emitted_tokens.insert(token.0);
        Action::Emit(token)
    }

    /// The kind that a token becomes.
    pub(super) fn kind_made(
        &mut self,
        name: &Name,
        of: Option<TokenId>,
        span: Span,
    ) -> Option<(TokenId, u32)> {
        let (token, kind) = self.kind(name, of)?;
        self.made_kinds.entry((token.0, kind)).or_insert(span);
        Some((token, kind))
    }

    /// A state, or a register that holds one.
    pub(super) fn goal(&mut self, name: &Name) -> Option<Goal> {
        if let Some(state) = self.find_state(name) {
            if self.state_procedures[state.0] == self.procedure {
                return Some(Goal::State(state));
            }
            let message = format!("the sub-machine has no state `{}`", name.text);
            self.fault(Code::UnknownState, name.span, message)
                .help("a sub-machine switches among its own states only, and ends with `return`");
            return None;
        }
        let is_state = |r: &crate::machine::Register| r.ty == RegisterType::State;
        let register = self
            .registers
            .iter()
            .any(|r| is_state(r) && name.is(&r.name));
        if register {
            return Some(Goal::Register(self.find_register(name)?));
        }
        let registers: Vec<String> = self
            .registers
            .iter()
            .filter(|r| is_state(r))
            .map(|r| r.name.clone())
            .collect();
        self.unknown_state(name, "state or state register", &registers);
        None
    }

    /// `with` is the character register that it sets, and to what if not to none.
    pub(super) fn attempt(
        &mut self,
        name: &Name,
        with: Option<(&Name, Option<&Operand>)>,
    ) -> Option<StepKind> {
        let found = self.procedure_names.iter().position(|p| name.is(p));
        let with = match with {
            None => None,
            Some((name, value)) => {
                let is_character = |ty: &RegisterType| *ty == RegisterType::Character;
                let register = self.register(name, "character", is_character);
                let value = match value {
                    None => Some(None),
                    Some(value) => self.character(name, value),
                };
                Some((register?, value?))
            }
        };
        let Some(found) = found else {
            let names = || self.procedure_names.iter().map(String::as_str);
            let help = if self.list_names.contains(&name.text) {
                format!("it is a list of steps: say `{}`", name.text)
            } else {
                did_you_mean(&name.text, names(), || {
                    "declare it in `procedures`, as a mapping with `states`".to_owned()
                })
            };
            self.faults
                .unknown(Code::UnknownProcedure, name.span, "sub-machine", &name.text)
                .help(help);
            return None;
        };
        self.used_procedures
            .insert(self.procedure_names[found].clone());
        Some(StepKind::Attempt {
            procedure: found,
            with,
        })
    }

    /// The token that an end tag is.
    pub(super) fn start_tag_token(&mut self, span: Span) -> Option<TokenId> {
        let has = |t: &crate::machine::Token| t.kinds.iter().any(|k| k.is_start_tag);
        let found = self.vocabulary.tokens.iter().position(has);
        if found.is_none() {
            let message = "no kind of token is the start tag";
            self.fault(Code::MisplacedGuard, span, message)
                .help("the vocabulary `markup` has one; one of the table's own says which: `start tag: KIND`");
        }
        Some(TokenId(u32::try_from(found?).ok()?))
    }
}
