//! Suites of many cases: the cases of a file and a revision are one trial, which lists all that fail.

use std::panic::{AssertUnwindSafe, catch_unwind};

use libtest_mimic::{Arguments, Conclusion, Failed, Trial};

/// What a case runs.
pub type Run = Box<dyn FnOnce() -> Result<(), Failed> + Send>;

/// A case: its name, and what it runs.
pub type Case = (String, Run);

/// A suite, by trials.
pub struct Cases {
    suite: &'static str,
    trials: Vec<(String, Vec<Case>)>,
    /// Trials that run with `--ignored` only.
    ignored: Vec<String>,
}

impl Cases {
    /// A suite without cases.
    pub fn new(suite: &'static str) -> Self {
        Self {
            suite,
            trials: Vec::new(),
            ignored: Vec::new(),
        }
    }

    /// Adds a case, `html-2012/generated/test1.test#3` for example, to a trial, `html-2012/generated/test1.test`. The
    /// cases of a trial follow each other.
    pub fn add(
        &mut self,
        trial: impl Into<String>,
        case: impl Into<String>,
        run: impl FnOnce() -> Result<(), Failed> + Send + 'static,
    ) {
        let trial = trial.into();
        let case: Case = (case.into(), Box::new(run));
        match self.trials.last_mut() {
            Some((last, cases)) if *last == trial => cases.push(case),
            _ => self.trials.push((trial, vec![case])),
        }
    }

    /// Adds a trial that is one case.
    pub fn add_trial(
        &mut self,
        name: impl Into<String>,
        run: impl FnOnce() -> Result<(), Failed> + Send + 'static,
    ) {
        let name = name.into();
        self.add(name.clone(), name, run);
    }

    /// The same for one that takes long: it runs with `--ignored` only.
    pub fn add_ignored(
        &mut self,
        name: impl Into<String>,
        run: impl FnOnce() -> Result<(), Failed> + Send + 'static,
    ) {
        let name = name.into();
        self.ignored.push(name.clone());
        self.add_trial(name, run);
    }

    /// Trials of these names run with `--ignored` only.
    pub fn ignore(&mut self, takes_long: impl Fn(&str) -> bool) {
        let names = self.trials.iter().map(|(name, _)| name);
        self.ignored
            .extend(names.filter(|name| takes_long(name)).cloned());
    }

    /// Runs the trials and prints how many cases there are. The filter that the user gives selects cases too:
    /// `html-2012/generated/test1.test#3`.
    pub fn run(mut self, mut arguments: Arguments) -> Conclusion {
        if let Some(filter) = arguments.filter.take() {
            let exact = arguments.exact;
            let is = |name: &str| match exact {
                true => name == filter,
                false => name.contains(&filter),
            };
            for (trial, cases) in &mut self.trials {
                if !is(trial) {
                    cases.retain(|(name, _)| is(name));
                }
            }
            self.trials.retain(|(_, cases)| !cases.is_empty());
        }
        let count: usize = self.trials.iter().map(|(_, cases)| cases.len()).sum();
        println!("{}: {} cases", self.suite, count);
        let ignored = self.ignored;
        let trials = self.trials.into_iter().map(|(name, cases)| {
            let is_ignored = ignored.contains(&name);
            let title = match cases.len() {
                1 => name,
                count => format!("{name} ({count} cases)"),
            };
            Trial::test(title, || all(cases)).with_ignored_flag(is_ignored)
        });
        libtest_mimic::run(&arguments, trials.collect())
    }
}

/// Runs cases, all of them, and lists those that fail. One that panics fails too.
///
/// # Errors
/// When there are such.
pub fn all(cases: Vec<Case>) -> Result<(), Failed> {
    let count = cases.len();
    let mut failed = Vec::new();
    for (name, run) in cases {
        let what = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(())) => continue,
            Ok(Err(what)) => what.message().unwrap_or_default().to_owned(),
            Err(panic) => panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()))
                .unwrap_or_else(|| "it panicked".to_owned()),
        };
        failed.push(format!("{name}: {what}"));
    }
    if failed.is_empty() {
        return Ok(());
    }
    let heading = format!("{} of {count} cases fail:", failed.len());
    Err(format!("{heading}\n{}", failed.join("\n")).into())
}
