//! Which sentences belong to which condition: "If …", "Otherwise, if …", "Otherwise, …", "In any case, …".

use crate::clauses::{Antecedent, clauses};
use crate::conditions::condition;
use crate::cursor::{Cursor, Names};
use crate::document::{ArmText, Item, Text};
use crate::facts::{Guard, Step, walk};
use crate::words::{Sentence, Word, sentences};

/// A sentence, or points of a list that belong to the sentence before it.
enum Part<'i> {
    Sentence(Sentence),
    Points(&'i [Vec<Item>]),
}

/// What reading leaves behind.
pub(crate) struct Reading<'n> {
    pub(crate) names: &'n Names,
    /// Sentences read.
    pub(crate) sentences: usize,
    /// Those that are not understood.
    pub(crate) not_understood: Vec<Text>,
    /// Character names that contradict themselves.
    pub(crate) slips: Vec<Text>,
    /// Rows of tables.
    pub(crate) rows: Vec<Text>,
    /// What the table lists as saying nothing.
    pub(crate) remarks: &'n dyn Fn(&str) -> bool,
}

/// How a sentence begins.
enum Opening {
    If(Guard),
    OtherwiseIf(Guard),
    Otherwise,
    /// Adds to the branch before it.
    Also(Guard),
    Plain,
}

impl Reading<'_> {
    /// The steps that paragraphs and lists say.
    pub(crate) fn steps(&mut self, items: &[Item]) -> Vec<Step> {
        self.steps_with(items, &mut Antecedent::default())
    }

    fn steps_with(&mut self, items: &[Item], antecedent: &mut Antecedent) -> Vec<Step> {
        let mut parts = Vec::new();
        for item in items {
            match item {
                Item::Paragraph(text) => {
                    let found = self.sentences_of(text);
                    parts.extend(found.into_iter().map(Part::Sentence));
                }
                Item::List(points) => parts.push(Part::Points(points)),
                Item::Row(row) => self.rows.push(row.clone()),
                Item::Arms(arms) => {
                    for arm in arms {
                        self.refuse_arm(arm);
                    }
                }
            }
        }
        let mut at = 0;
        self.block(&parts, &mut at, antecedent)
    }

    /// The sentences of a paragraph that say something.
    pub(crate) fn sentences_of(&mut self, text: &Text) -> Vec<Sentence> {
        let mut out = Vec::new();
        for sentence in sentences(text.line, &text.text) {
            self.sentences += 1;
            if (self.remarks)(&sentence.text) {
                continue;
            }
            self.note(&sentence);
            if !sentence.words.is_empty() {
                out.extend(split_otherwise(sentence));
            }
        }
        out
    }

    /// Counts sentences that were understood in another way than clause by clause, and notes them.
    pub(crate) fn take<'s>(&mut self, sentences: impl IntoIterator<Item = &'s Sentence>) {
        for sentence in sentences {
            self.sentences += 1;
            self.note(sentence);
        }
    }

    /// Remembers a sentence that is not understood.
    pub(crate) fn refuse(&mut self, sentence: &Sentence) {
        self.not_understood.push(Text {
            line: sentence.line,
            text: sentence.text.clone(),
        });
    }

    /// Remembers an arm of which something is not understood.
    pub(crate) fn refuse_arm(&mut self, arm: &ArmText) {
        self.not_understood.extend(arm.conditions.first().cloned());
    }

    /// Takes notice of a sentence's slips and of remarks in it that could say anything.
    pub(crate) fn note(&mut self, sentence: &Sentence) {
        let line = sentence.line;
        let slips = sentence.slips.iter().cloned();
        self.slips.extend(slips.map(|text| Text { line, text }));
        if sentence
            .remarks
            .iter()
            .any(|remark| !is_remark(remark, self.names))
        {
            self.refuse(sentence);
        }
    }

    fn block(
        &mut self,
        parts: &[Part<'_>],
        at: &mut usize,
        antecedent: &mut Antecedent,
    ) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        while let Some(part) = parts.get(*at) {
            let sentence = match part {
                Part::Points(points) => {
                    *at += 1;
                    for point in *points {
                        steps.extend(self.steps_with(point, antecedent));
                    }
                    continue;
                }
                Part::Sentence(sentence) => sentence,
            };
            let (head, rest) = self.head(sentence);
            match head {
                Opening::If(guard) | Opening::OtherwiseIf(guard) => {
                    let mut chain = self.chain(parts, at, guard, rest, antecedent);
                    // Where the condition held all is said: what follows is for the other case.
                    if let Step::If(_, then, otherwise) = &mut chain
                        && otherwise.is_empty()
                        && has_successor(then)
                        && !self.sees_common(parts.get(*at))
                    {
                        *otherwise = self.block(parts, at, antecedent);
                    }
                    steps.push(chain);
                }
                Opening::Also(guard) => {
                    *at += 1;
                    let also = self.clauses_from(sentence, rest, antecedent);
                    add_before_end(&mut steps, Step::If(guard, also, Vec::new()));
                }
                // Without an "if" before it: the other case of what was said before the list.
                Opening::Otherwise => {
                    *at += 1;
                    steps.extend(self.branch(parts, at, sentence, rest, antecedent));
                }
                Opening::Plain => {
                    *at += 1;
                    steps.extend(self.clauses_from(sentence, rest, antecedent));
                }
            }
        }
        steps
    }

    /// An "if" and what is otherwise.
    fn chain(
        &mut self,
        parts: &[Part<'_>],
        at: &mut usize,
        guard: Guard,
        rest: usize,
        antecedent: &mut Antecedent,
    ) -> Step {
        let mut then = Vec::new();
        if let Some(Part::Sentence(sentence)) = parts.get(*at) {
            *at += 1;
            then = self.branch(parts, at, sentence, rest, antecedent);
        }
        let mut otherwise = Vec::new();
        if let Some(Part::Sentence(sentence)) = parts.get(*at) {
            match self.head(sentence) {
                (Opening::OtherwiseIf(guard), rest) => {
                    otherwise = vec![self.chain(parts, at, guard, rest, antecedent)];
                }
                (Opening::Otherwise, rest) => {
                    *at += 1;
                    otherwise = self.branch(parts, at, sentence, rest, antecedent);
                }
                _ => {}
            }
        }
        Step::If(guard, then, otherwise)
    }

    /// The steps of a branch: the rest of its sentence, the points below it, and the sentences of the same
    /// paragraph until it is said where it leads.
    fn branch(
        &mut self,
        parts: &[Part<'_>],
        at: &mut usize,
        sentence: &Sentence,
        rest: usize,
        antecedent: &mut Antecedent,
    ) -> Vec<Step> {
        let mut steps = self.clauses_from(sentence, rest, antecedent);
        if let Some(Part::Points(points)) = parts.get(*at)
            && sentence.text.ends_with(':')
        {
            *at += 1;
            for point in *points {
                steps.extend(self.steps_with(point, antecedent));
            }
            return steps;
        }
        while let Some(Part::Sentence(next)) = parts.get(*at) {
            let (head, rest) = self.head(next);
            match head {
                Opening::Also(guard) if !next.first => {
                    *at += 1;
                    let also = self.clauses_from(next, rest, antecedent);
                    add_before_end(&mut steps, Step::If(guard, also, Vec::new()));
                }
                Opening::Plain if !next.first && !has_successor(&steps) => {
                    *at += 1;
                    steps.extend(self.clauses_from(next, rest, antecedent));
                }
                Opening::If(guard) if !next.first && !has_successor(&steps) => {
                    let chain = self.chain(parts, at, guard, rest, antecedent);
                    steps.push(chain);
                }
                _ => break,
            }
        }
        steps
    }

    /// Whether what follows is done in any case.
    fn sees_common(&self, part: Option<&Part<'_>>) -> bool {
        match part {
            Some(Part::Sentence(s)) => {
                let cursor = Cursor::new(&s.words, self.names);
                cursor.sees("in any case") || cursor.sees("finally")
            }
            _ => false,
        }
    }

    /// How a sentence begins, and with which word what it says begins.
    fn head(&self, sentence: &Sentence) -> (Opening, usize) {
        let mut cursor = Cursor::new(&sentence.words, self.names);
        let also = cursor.eat("additionally|however ,") || cursor.eat("in this case ,");
        let otherwise = cursor.eat("otherwise");
        if otherwise {
            for mark in [",", ":"] {
                cursor.eat(mark);
            }
        }
        cursor.eat("but");
        let mut ahead = cursor;
        if ahead.eat("if|when")
            && let Some(guard) = condition(&mut ahead)
        {
            for mark in [",", ":"] {
                ahead.eat(mark);
            }
            ahead.eat("then");
            let head = match (also, otherwise) {
                (true, _) => Opening::Also(guard),
                (_, true) => Opening::OtherwiseIf(guard),
                _ => Opening::If(guard),
            };
            return (head, ahead.at);
        }
        if otherwise {
            return (Opening::Otherwise, cursor.at);
        }
        cursor.eat("in any case ,");
        (Opening::Plain, cursor.at)
    }

    /// The clauses of a sentence from a word on.
    fn clauses_from(
        &mut self,
        sentence: &Sentence,
        from: usize,
        antecedent: &mut Antecedent,
    ) -> Vec<Step> {
        let mut cursor = Cursor::new(&sentence.words, self.names);
        cursor.at = from;
        match clauses(&mut cursor, antecedent) {
            Some(steps) => steps,
            None => {
                self.refuse(sentence);
                Vec::new()
            }
        }
    }
}

/// "add 0x0020 to …", "subtract 0x0030 from …": what makes a letter small, and a digit a number.
fn is_conversion(words: &[Word], names: &Names) -> bool {
    let mut cursor = Cursor::new(words, names);
    let fits = if cursor.eat("add") {
        cursor.number() == Some(0x20) && cursor.eat("to")
    } else {
        cursor.eat("subtract")
            && matches!(cursor.number(), Some(0x30 | 0x37 | 0x57))
            && cursor.eat("from")
    };
    fits && cursor.eat("character's code point") && cursor.is_done()
}

/// "If …, …, otherwise …" is two sentences.
fn split_otherwise(sentence: Sentence) -> Vec<Sentence> {
    let is = |word: &Word, text: &str| matches!(word, Word::Plain(w) if w == text);
    let at = sentence
        .words
        .iter()
        .position(|word| is(word, "otherwise"))
        .filter(|at| *at > 0 && sentence.words.first().is_some_and(|w| is(w, "if")));
    let Some(at) = at else { return vec![sentence] };
    let second = Sentence {
        words: sentence.words[at..].to_vec(),
        remarks: Vec::new(),
        slips: Vec::new(),
        first: false,
        ..sentence.clone()
    };
    let mut words = sentence.words.clone();
    words.truncate(at);
    vec![Sentence { words, ..sentence }, second]
}

/// Whether steps say where they lead.
fn has_successor(steps: &[Step]) -> bool {
    let mut has_successor = false;
    walk(steps, &mut |step| {
        has_successor |= matches!(
            step,
            Step::Go(_) | Step::Return(_) | Step::AsAnythingElse | Step::Attempt(_)
        );
    });
    has_successor
}

/// Adds a step in front of what the steps return.
fn add_before_end(steps: &mut Vec<Step>, step: Step) {
    match steps.last_mut() {
        Some(Step::If(_, _, otherwise)) if !otherwise.is_empty() => {
            add_before_end(otherwise, step);
        }
        Some(Step::If(_, then, _)) => add_before_end(then, step),
        Some(Step::Return(_)) => {
            let at = steps.len() - 1;
            steps.insert(at, step);
        }
        _ => steps.push(step),
    }
}

/// Remarks in parentheses that say nothing, or nothing that is not said otherwise.
const REMARKS: &[&str] = &[
    "as given by second column",
    "ascii hex digits or ascii digits",
    "compared in ascii case-insensitive manner",
    "don't consume any",
    "don't emit token yet",
    "either hexadecimal or decimal as appropriate",
    "eof",
    "five uppercase letters",
    "fragment case",
    "i.e",
    "if any",
    "if comment was started by",
    "if one was found before end of file",
    "in case-sensitive manner",
    "in order they were added to buffer",
    "its other state is",
    "in other words ,",
    "not missing",
    "one immediately after",
    "s",
    "these are all",
    "this can only happen if",
    "this cannot happen if",
    "this does not set",
    "this is not error",
    "unconsume",
    "and before emitting tag token",
    "and unconsume",
    "which is",
];

fn is_remark(words: &[Word], names: &Names) -> bool {
    let glyph = matches!(words, [Word::Quoted(_)] | [Word::Number(_)]);
    glyph
        || is_conversion(words, names)
        || REMARKS
            .iter()
            .any(|remark| Cursor::new(words, names).sees(remark))
}
