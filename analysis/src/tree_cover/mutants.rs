//! Single changes of a table: a document that notices one shows what is changed.

use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{
    Block, BlockId, BodyId, Exit, HostCall, HostStep, Step, Tokens,
};

use crate::tree::Passed;

/// A single change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mutant {
    /// The table says when something is reached: a document that reaches it shows it.
    Probe(Passed),
    /// Without a step.
    WithoutStep(BodyId, BlockId, usize),
    /// A question always gets this answer.
    Always(BodyId, BlockId, bool),
    /// The body just ends there.
    Ends(BodyId, BlockId),
    /// Without a name in the key of an arm, by the insertion mode, the arm, the part of the key and the name.
    WithoutName(usize, usize, usize, usize),
    /// Without a member of a set of element types.
    WithoutMember(usize, usize),
    /// Without an element type at which a scope ends.
    WithoutEnd(usize, usize),
    /// Without a name of a list of names.
    WithoutRenamed(usize, usize),
    /// Without a condition of a document mode.
    WithoutDoctype(usize, usize),
    /// Without a content for a context element.
    WithoutContent(usize),
}

impl Mutant {
    /// All changes of steps, answers and ends, in the order of the table; then those of its lists.
    pub(super) fn all(tree: &TreeMachine) -> Vec<Self> {
        let mut all = Vec::new();
        for (body, it) in tree.bodies.iter().enumerate() {
            for (block, it) in it.blocks.iter().enumerate() {
                // What a host does shows in no tree.
                let steps = it.steps.iter().enumerate();
                let steps = steps.filter(|(_, step)| !matches!(step, Step::Host(_)));
                all.extend(steps.map(|(step, _)| Self::WithoutStep(body, block, step)));
                match &it.exit {
                    Exit::If { .. } => {
                        all.extend([true, false].map(|answer| Self::Always(body, block, answer)));
                    }
                    Exit::Go(_) | Exit::Done => {}
                    _ => all.push(Self::Ends(body, block)),
                }
            }
        }
        for (mode, rules) in tree.modes.iter().enumerate() {
            for (arm, it) in rules.arms.iter().enumerate() {
                for (part, takes) in it.takes.iter().enumerate() {
                    if let Tokens::Named(_, names) = &takes.tokens {
                        let names = 0..names.len();
                        all.extend(names.map(|name| Self::WithoutName(mode, arm, part, name)));
                    }
                }
            }
        }
        let lists =
            |count: usize, length: &dyn Fn(usize) -> usize, it: fn(usize, usize) -> Self| {
                let pairs = (0..count).flat_map(|list| (0..length(list)).map(move |at| (list, at)));
                pairs.map(|(list, at)| it(list, at)).collect::<Vec<_>>()
            };
        all.extend(lists(
            tree.sets.len(),
            &|it| tree.sets[it].members.len(),
            Self::WithoutMember,
        ));
        all.extend(lists(
            tree.scopes.len(),
            &|it| tree.scopes[it].ends.len(),
            Self::WithoutEnd,
        ));
        all.extend(lists(
            tree.names.len(),
            &|it| tree.names[it].entries.len(),
            Self::WithoutRenamed,
        ));
        all.extend(lists(
            tree.quirks.len(),
            &|it| tree.quirks[it].1.len(),
            Self::WithoutDoctype,
        ));
        let contents = tree.fragments.as_ref().map_or(0, |it| it.contents.len());
        all.extend((0..contents).map(Self::WithoutContent));
        all
    }

    /// What a document must pass to notice it, if that can be said.
    pub(super) fn passes(self) -> Option<Passed> {
        Some(match self {
            Self::Probe(passed) => passed,
            Self::WithoutStep(body, block, _) | Self::Ends(body, block) => {
                Passed::Block(body, block)
            }
            Self::Always(body, block, answer) => Passed::Answer(body, block, !answer),
            Self::WithoutName(mode, arm, part, name) => Passed::Name(mode, arm, part, name),
            _ => return None,
        })
    }

    /// The table with this change.
    pub(super) fn applied(self, tree: &TreeMachine) -> TreeMachine {
        let mut made = tree.clone();
        match self {
            Self::Probe(passed) => {
                let host = made.hosts.len();
                made.hosts.push(HostStep {
                    name: "say that these steps run".to_owned(),
                    arguments: 0,
                    answers: false,
                    may_pause: false,
                    is_known: true,
                });
                let arguments = Vec::new();
                probe(&mut made, passed, Step::Host(HostCall { host, arguments }));
            }
            Self::WithoutStep(body, block, step) => edit(&mut made, body, block, |it| {
                it.steps.remove(step);
            }),
            Self::Always(body, block, answer) => edit(&mut made, body, block, |it| {
                if let Exit::If { yes, no, .. } = it.exit {
                    it.exit = Exit::Go(if answer { yes } else { no });
                }
            }),
            Self::Ends(body, block) => edit(&mut made, body, block, |it| it.exit = Exit::Done),
            Self::WithoutName(mode, arm, part, name) => {
                without_name(&mut made, [mode, arm, part, name]);
            }
            Self::WithoutMember(set, at) => drop(made.sets[set].members.remove(at)),
            Self::WithoutEnd(scope, at) => drop(made.scopes[scope].ends.remove(at)),
            Self::WithoutRenamed(names, at) => drop(made.names[names].entries.remove(at)),
            Self::WithoutDoctype(mode, at) => drop(made.quirks[mode].1.remove(at)),
            Self::WithoutContent(at) => {
                if let Some(fragments) = &mut made.fragments {
                    fragments.contents.remove(at);
                }
            }
        }
        made
    }
}

/// Puts a step before the steps of a block, or after an answer.
fn probe(tree: &mut TreeMachine, passed: Passed, step: Step) {
    match passed {
        Passed::Block(body, block) => edit(tree, body, block, |it| it.steps.insert(0, step)),
        Passed::Answer(body, block, answer) => {
            let new = tree.bodies[body].blocks.len();
            let mut to = block;
            edit(tree, body, block, |it| {
                if let Exit::If { yes, no, .. } = &mut it.exit {
                    to = std::mem::replace(if answer { yes } else { no }, new);
                }
            });
            tree.bodies[body].blocks.push(Block {
                steps: vec![step],
                exit: Exit::Go(to),
            });
        }
        // Without the name, other steps run.
        Passed::Name(mode, arm, part, name) => without_name(tree, [mode, arm, part, name]),
    }
}

fn without_name(tree: &mut TreeMachine, [mode, arm, part, name]: [usize; 4]) {
    if let Tokens::Named(_, names) = &mut tree.modes[mode].arms[arm].takes[part].tokens {
        names.remove(name);
    }
}

/// Changes a block. The lines of the body are others, too: that is how tables are compared.
fn edit(tree: &mut TreeMachine, body: BodyId, block: BlockId, change: impl FnOnce(&mut Block)) {
    let body = &mut tree.bodies[body];
    change(&mut body.blocks[block]);
    // An empty list has no line.
    body.lines.push(String::new());
    body.lines.iter_mut().for_each(|line| line.push(' '));
}
