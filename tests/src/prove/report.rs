//! What a run has seen, and the page that says so.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use speclex_analysis::diff::{Diff, Witness};
use speclex_codegen::machine::Machine;

use super::verdict::Verdict;

/// The page.
pub const FILE: &str = "docs/proofs.md";

/// Of the changes that show in no input, at least this percentage is proven to be without effect.
const LEAST_PROVEN: u64 = 75;

const PAGE: &str = "\
# `diff` tested with planted changes

Written by `cargo xtask prove --write`.

How far can one trust `diff` when it says that two tables are equal, or that they differ? `cargo xtask prove` plants small changes in
a table, such as a slip of the pen would make, and asks `diff` about the table and its changed copy (mutation testing). It does that
for every arm of every state of the shipped tables: another target, an action less, an action changed or earlier, a character more or
less in the arm's set, another error, a flag the other way round, `reconsume` for `switch to`, a question negated, another word in a
question, another text copied. It also changes every row of the tables of numbers and of references, and of what elements hold.

- **different**: `diff` has an input on which the two tables differ, and the interpreter shows the difference when it runs both
  tables. The last column says how many of these changes were also compiled: the generated tokenizer does on the same
  input what the interpreter does.
- **equal**: `diff` has proven that no input tells the two tables apart, and none of 10,000 random inputs that lead to the changed
  arm does.
- **no table**: no table that `check` accepts has this change. The changed state leads into the middle of a procedure, or to a machine
  that goes round in circles, or the change is in what is done on a character that is replaced before states see it.
- **not decided**: `diff` found no difference and no proof, and says so. The table below says what the prover could not follow.

`cargo xtask prove` ends with 1 if anything called equal is not, if a change that shows is proven to be without effect, or if fewer than
75 % of the changes that show in no input are proven. `.ci/run` plants the changes of one state in 400, chosen by the tree's hash
(`cargo xtask prove --one-in 400 --seed N`).

| table | changes | different in tokens | in errors only | in positions only | equal | no table | not decided | compiled |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
";

const REWRITTEN: &str = "
## Tables that are written differently

Each shipped table is also rewritten, everywhere at once, in ways that change nothing of what it does. `diff` must not call the
rewritten table different. The numbers say for how many tables it has proven that nothing differs; a table that has no place for the
change is not counted.

| what is written differently | equal | not decided |
|---|--:|---|
";

/// How the line of a table ends that is proven equal.
const EQUAL: &str = ": equal";

/// What became of the changes of a table.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Changes that show, by what differs.
    different: [u64; 3],
    equal: u64,
    no_table: u64,
    undecided: u64,
    compiled: u64,
}

impl Row {
    fn planted(&self) -> u64 {
        self.different.iter().sum::<u64>() + self.equal + self.no_table + self.undecided
    }
}

/// A change that shows, to be compiled.
#[derive(Debug)]
pub(super) struct Sampled {
    table: String,
    what: String,
    pub(super) mutant: Machine,
    pub(super) witness: Witness,
}

/// What became of all changes.
#[derive(Debug, Default)]
pub struct Summary {
    rows: BTreeMap<String, Row>,
    /// Changes that are not decided, with the reason.
    undecided: Vec<String>,
    /// For each way to write a table differently the tables with the verdict on each.
    rewritten: BTreeMap<&'static str, Vec<String>>,
    /// What is wrong.
    failures: Vec<String>,
    pub(super) sampled: Vec<Sampled>,
}

impl Summary {
    /// Counts a change of a table.
    pub(super) fn add(
        &mut self,
        [table, mutant]: [&Machine; 2],
        what: &str,
        verdict: Verdict,
        compiles: bool,
    ) {
        let row = self.rows.entry(table.name.clone()).or_default();
        let line = |reason: &str| format!("{}: {what}: {reason}", table.name);
        match verdict {
            Verdict::Different(witness) => {
                row.different[witness.kind as usize] += 1;
                if compiles {
                    self.sampled.push(Sampled {
                        table: table.name.clone(),
                        what: what.to_owned(),
                        mutant: mutant.clone(),
                        witness: *witness,
                    });
                }
            }
            Verdict::Equal => row.equal += 1,
            Verdict::NoTable => row.no_table += 1,
            Verdict::Undecided(reason) => {
                row.undecided += 1;
                self.undecided.push(line(&reason));
            }
            Verdict::False(input) => self
                .failures
                .push(line(&format!("called equal, but not on {input:?}"))),
        }
    }

    /// Notes what is said of a table that is written differently.
    pub(super) fn add_rewritten(&mut self, table: &Machine, how: &'static str, diff: &Diff) {
        if diff.differs() {
            self.failures
                .push(format!("{}: {how}: called different", table.name));
        }
        let verdict = match diff.proven_equal() {
            true => "equal",
            false => "not decided",
        };
        let row = self.rewritten.entry(how).or_default();
        row.push(format!("{}: {verdict}", table.name));
    }

    /// Adds what another part has.
    pub fn join(&mut self, other: Self) {
        for (table, row) in other.rows {
            let own = self.rows.entry(table).or_default();
            (own.different.iter_mut().zip(row.different)).for_each(|(own, more)| *own += more);
            own.equal += row.equal;
            own.no_table += row.no_table;
            own.undecided += row.undecided;
            own.compiled += row.compiled;
        }
        for (how, verdicts) in other.rewritten {
            self.rewritten.entry(how).or_default().extend(verdicts);
        }
        self.undecided.extend(other.undecided);
        self.failures.extend(other.failures);
        self.sampled.extend(other.sampled);
    }

    /// Notes what is wrong.
    pub(super) fn fail(&mut self, what: String) {
        self.failures.push(what);
    }

    /// Counts a change that was compiled.
    pub(super) fn count_compiled(&mut self, sampled: &Sampled, checked: Result<(), String>) {
        self.rows.entry(sampled.table.clone()).or_default().compiled += 1;
        if let Err(what) = checked {
            self.fail(format!("{}: {}: {what}", sampled.table, sampled.what));
        }
    }

    /// What is wrong.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    /// How many changes were planted, how many of them are proven to be without effect, and how many are not decided.
    fn planted(&self) -> [u64; 3] {
        let rows = self.rows.values();
        rows.fold([0; 3], |[all, equal, open], row| {
            [all + row.planted(), equal + row.equal, open + row.undecided]
        })
    }

    /// What the run has seen, in a line.
    pub fn line(&self) -> String {
        let sum = |of: &dyn Fn(&Row) -> u64| self.rows.values().map(of).sum::<u64>();
        let rewritten = self.rewritten.values().flatten();
        let (equal, open): (Vec<&String>, Vec<&String>) =
            rewritten.partition(|it| it.ends_with(EQUAL));
        format!(
            "{} changes planted: {}, {}, {} different in tokens, errors, positions, {} equal, {} in no table, {} not decided, \
             {} compiled; written differently: {} equal, {} not decided",
            sum(&Row::planted),
            sum(&|row| row.different[0]),
            sum(&|row| row.different[1]),
            sum(&|row| row.different[2]),
            sum(&|row| row.equal),
            sum(&|row| row.no_table),
            sum(&|row| row.undecided),
            sum(&|row| row.compiled),
            equal.len(),
            open.len()
        )
    }

    /// Complains if too few of all changes that show in no input are proven.
    pub fn check(&mut self) {
        let [_, equal, open] = self.planted();
        if equal * 100 < (equal + open) * LEAST_PROVEN {
            self.fail(format!(
                "of {} changes that show in no input only {equal} are proven: fewer than {LEAST_PROVEN} %",
                equal + open
            ));
        }
    }

    /// The page with all that the run has seen.
    pub fn page(&self) -> String {
        let mut text = PAGE.to_owned();
        for (name, row) in &self.rows {
            let [tokens, errors, positions] = row.different;
            let _ = writeln!(
                text,
                "| `{name}` | {} | {tokens} | {errors} | {positions} | {} | {} | {} | {} |",
                row.planted(),
                row.equal,
                row.no_table,
                row.undecided,
                row.compiled
            );
        }
        let [all, equal, open] = self.planted();
        let _ = writeln!(
            text,
            "\nOf {all} changes {} show in no input: {equal} are proven to be without effect, {open} are not decided.\n\n\
             | what the prover could not follow | changes | for example |\n|---|--:|---|",
            equal + open
        );
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for line in &self.undecided {
            let (change, reason) = line.rsplit_once(": ").unwrap_or((line, ""));
            reasons.entry(reason).or_default().push(change);
        }
        for (reason, changes) in &reasons {
            let _ = writeln!(text, "| {reason} | {} | {} |", changes.len(), changes[0]);
        }
        text += REWRITTEN;
        for (how, verdicts) in &self.rewritten {
            let equal = verdicts.iter().filter(|it| it.ends_with(EQUAL)).count();
            let open = verdicts.iter().filter(|it| !it.ends_with(EQUAL));
            let open: Vec<&str> = open.filter_map(|it| it.split(':').next()).collect();
            let _ = writeln!(text, "| {how} | {equal} | {} |", open.join(", "));
        }
        text
    }
}
