//! What rules come to in the usual case, found by partial evaluation: end tags of the current node that only pop it, characters that
//! are only inserted, start tags that only insert an element. No element and no insertion mode is named here.

mod course;

use std::cell::Cell;
use std::collections::BTreeSet;

use super::machine::{
    BodyId, CHARACTER, Guard, ModeId, Space, Step, TokenOf, Tokens, TreeMachine, Value,
};
use course::{Course, Effect, Situation, Stop};

/// More questions are not asked one after the other.
const QUESTIONS: usize = 16;

/// A guard with more questions is not asked.
const MOST: usize = 12;

/// What an end tag does if the current node is an HTML element with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ends {
    /// It pops the current node.
    Pops,
    /// It pops the current node and takes it off the list of active formatting elements, if it is the last entry there.
    PopsAndLeavesList,
    /// Something else, or more.
    More,
}

/// The number of a kind of token.
fn kind(machine: &TreeMachine, name: &str) -> Option<usize> {
    machine.kinds.iter().position(|kind| kind.name == name)
}

/// What end tags with a name do in an insertion mode if the current node is an HTML element with that name, and the adjusted current
/// node is an HTML element, too. The empty name is that of all elements that the table does not name.
pub fn ends(machine: &TreeMachine, mode: ModeId, name: &str) -> Ends {
    let Some(kind) = kind(machine, "end tag") else {
        return Ends::More;
    };
    let effects = |is_last_entry| {
        let situation = Situation {
            mode: Some(mode),
            kind,
            name: Some(name),
            is_current: true,
            is_alone: false,
            is_last_entry,
            character: '\0',
        };
        Course::of_token(machine, situation, &[])
    };
    match (effects(false).as_deref(), effects(true).as_deref()) {
        (Ok([Effect::Pops]), _) => Ends::Pops,
        (_, Ok([Effect::Pops, Effect::LeavesList])) => Ends::PopsAndLeavesList,
        _ => Ends::More,
    }
}

/// When characters other than U+0000 are only inserted after the last child of the current node in an insertion mode, if that may be.
/// The guard is asked once before a run of characters. Besides, the current node and the adjusted current node are HTML elements.
pub fn characters(machine: &TreeMachine, mode: ModeId) -> Option<Guard> {
    let situation = |character| Situation {
        mode: Some(mode),
        kind: CHARACTER,
        name: None,
        is_current: false,
        is_alone: false,
        is_last_entry: false,
        character,
    };
    // One for each stretch between the ends of classes.
    let mut starts = BTreeSet::from(['\u{1}']);
    let arms = machine.modes.iter().flat_map(|rules| &rules.arms);
    for takes in arms.flat_map(|arm| &arm.takes) {
        if let Tokens::Characters(class) = &takes.tokens {
            for (first, last) in class {
                let next = char::from_u32(u32::from(*last) + 1);
                starts.extend([Some(*first), next].into_iter().flatten());
            }
        }
    }
    let last = *starts.last()?;
    let course = |character, assumed: &[(Guard, bool)]| {
        Course::of_token(machine, situation(character), assumed)
    };
    let is_wanted = |effects: &[Effect]| effects == [Effect::InsertsText];
    let mut ways = Vec::new();
    let answers = Answers::of(
        &|assumed| course(last, assumed),
        &is_wanted,
        &mut Vec::new(),
        &mut ways,
    );
    // Where it is so for the last stretch, it is for the others.
    starts.remove(&'\0');
    let mut others = ways
        .iter()
        .flat_map(|way| starts.iter().map(move |it| (way, it)));
    let is_so = others.all(|(way, &it)| course(it, way).is_ok_and(|effects| is_wanted(&effects)));
    answers.guard().filter(|_| is_so)
}

/// When a procedure that is given a token creates an element for a start tag, inserts it after the last child of the current node and
/// pushes it onto the stack, and in which namespace the element is. The attributes of the token have the names that it spells.
pub fn element(machine: &TreeMachine, body: BodyId) -> Option<(Guard, Space)> {
    if machine.bodies[body].parameters != 1 || !gets_token(machine, body) {
        return None;
    }
    let situation = of_start_tag(machine, None)?;
    let run = |assumed: &[_]| Course::of_procedure(machine, situation, body, assumed);
    inserts_element(&run, &[])
}

/// A start tag that only inserts an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// When it is so.
    pub guard: Guard,
    /// The namespace of the element.
    pub space: Space,
    /// Whether the element gets an entry at the end of the list of active formatting elements, too, if none after the last marker has
    /// its name.
    pub enters_list: bool,
}

/// When a start tag with a name does no more in an insertion mode than [`element`] says. The current node and the adjusted current
/// node are HTML elements, and the tag has no self-closing flag. The empty name is as for [`ends`].
pub fn start(machine: &TreeMachine, mode: ModeId, name: &str) -> Option<Start> {
    let found = |enters_list| {
        let situation = Situation {
            mode: Some(mode),
            is_alone: enters_list,
            ..of_start_tag(machine, Some(name))?
        };
        let run = |assumed: &[_]| Course::of_token(machine, situation, assumed);
        let entry = [Effect::EntersList];
        let (guard, space) = inserts_element(&run, if enters_list { &entry } else { &[] })?;
        Some(Start {
            guard,
            space,
            enters_list,
        })
    };
    found(false).or_else(|| found(true))
}

fn of_start_tag<'a>(machine: &TreeMachine, name: Option<&'a str>) -> Option<Situation<'a>> {
    Some(Situation {
        mode: None,
        kind: kind(machine, "start tag")?,
        name,
        is_current: false,
        is_alone: false,
        is_last_entry: false,
        character: '\0',
    })
}

/// When an element is created, inserted and pushed, and nothing else is done but this.
fn inserts_element(run: Run<'_>, more: &[Effect]) -> Option<(Guard, Space)> {
    let space = Cell::new(None);
    let is_wanted = |effects: &[Effect]| {
        let [Effect::Creates(of), rest @ ..] = effects else {
            return false;
        };
        let is_first = space.get().is_none_or(|it| it == *of);
        space.set(Some(*of));
        let all = [Effect::GetsAttributes, Effect::Inserts, Effect::Pushes];
        is_first && rest.strip_prefix(&all) == Some(more)
    };
    let answers = Answers::of(run, &is_wanted, &mut Vec::new(), &mut Vec::new());
    let guard = answers.guard().filter(|guard| questions(guard) <= MOST);
    guard.zip(space.get())
}

/// How many questions a guard has.
fn questions(guard: &Guard) -> usize {
    match guard {
        Guard::All(guards) | Guard::Any(guards) => guards.iter().map(questions).sum(),
        Guard::Not(guard) => questions(guard),
        _ => 1,
    }
}

/// Whether what calls a procedure gives it a token.
fn gets_token(machine: &TreeMachine, body: BodyId) -> bool {
    let mut gets = false;
    let blocks = machine.bodies.iter().flat_map(|body| &body.blocks);
    for step in blocks.flat_map(|block| &block.steps) {
        if let Step::Run(call) = step {
            gets |= call.body == body && call.arguments == [Value::Token(TokenOf::Current)];
        }
    }
    gets
}

/// The answers to questions that are asked one after the other, and whether the effects are the wanted ones then.
#[derive(Clone, PartialEq, Eq)]
enum Answers {
    Wanted,
    Others,
    Asks(Guard, Box<[Answers; 2]>),
}

type Run<'a> = &'a dyn Fn(&[(Guard, bool)]) -> Result<Vec<Effect>, Stop>;

impl Answers {
    /// Finds them; `ways` are those to the wanted effects.
    fn of(
        run: Run<'_>,
        is_wanted: &dyn Fn(&[Effect]) -> bool,
        assumed: &mut Vec<(Guard, bool)>,
        ways: &mut Vec<Vec<(Guard, bool)>>,
    ) -> Self {
        match run(assumed) {
            Ok(effects) if is_wanted(&effects) => {
                ways.push(assumed.clone());
                Self::Wanted
            }
            Err(Stop::Ask(guard)) if assumed.len() < QUESTIONS => {
                let both = [true, false].map(|answer| {
                    assumed.push((guard.clone(), answer));
                    let answers = Self::of(run, is_wanted, assumed, ways);
                    assumed.pop();
                    answers
                });
                match &both {
                    [yes, no] if yes == no => yes.clone(),
                    _ => Self::Asks(guard, Box::new(both)),
                }
            }
            Ok(_) | Err(_) => Self::Others,
        }
    }

    /// The question whether the wanted effects follow.
    fn guard(&self) -> Option<Guard> {
        Some(match self {
            Self::Others => return None,
            Self::Wanted => Guard::True,
            Self::Asks(guard, both) => {
                let (yes, no) = (&both[0], &both[1]);
                let not = || Guard::Not(Box::new(guard.clone()));
                // What both ways come to stands once.
                if let Some(comes) = no.comes_to(yes) {
                    all([either([guard.clone()], comes), yes.guard()?])
                } else if let Some(comes) = yes.comes_to(no) {
                    all([either([not()], comes), no.guard()?])
                } else {
                    let ways = [(guard.clone(), yes), (not(), no)];
                    let ways = ways.map(|(guard, way)| Some(all([guard, way.guard()?])));
                    Guard::Any(ways.into_iter().flatten().collect())
                }
            }
        })
    }

    /// Where all that is wanted comes by way of some answers: the question whether they come to be asked. `Some(None)` is never.
    fn comes_to(&self, other: &Self) -> Option<Option<Guard>> {
        match self {
            it if it == other => Some(Some(Guard::True)),
            Self::Others => Some(None),
            Self::Wanted => None,
            Self::Asks(guard, both) => {
                let [yes, no] = [both[0].comes_to(other)?, both[1].comes_to(other)?];
                let not = Guard::Not(Box::new(guard.clone()));
                Some(match (yes, no) {
                    (None, None) => None,
                    (Some(yes), None) => Some(all([guard.clone(), yes])),
                    (None, Some(no)) => Some(all([not, no])),
                    (Some(Guard::True), no) => Some(either([guard.clone()], no)),
                    (yes, Some(Guard::True)) => Some(either([not], yes)),
                    (Some(_), Some(_)) => return None,
                })
            }
        }
    }
}

fn all(guards: [Guard; 2]) -> Guard {
    let parts = guards.into_iter().flat_map(|guard| match guard {
        Guard::All(guards) => guards,
        Guard::True => Vec::new(),
        guard => vec![guard],
    });
    let mut parts: Vec<_> = parts.collect();
    match parts.len() {
        0 => Guard::True,
        1 => parts.remove(0),
        _ => Guard::All(parts),
    }
}

fn either(first: [Guard; 1], second: Option<Guard>) -> Guard {
    let parts = first
        .into_iter()
        .chain(second)
        .flat_map(|guard| match guard {
            Guard::Any(guards) => guards,
            guard => vec![guard],
        });
    let mut parts: Vec<_> = parts.collect();
    match parts.len() {
        1 => parts.remove(0),
        _ => Guard::Any(parts),
    }
}
