//! The interpreter on small machines built by hand, one rule of the model at a time.

use speclex_analysis::interpreter::{Answer, Fault, Host, Interpreter, Status};
use speclex_analysis::token::{Output, Token, Value as Field};
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{
    Action, Arm, Body, Consume, Entry, ErrorId, FieldId, Guard, LiteralArm, Machine, Next,
    Preprocessing, Register, RegisterId, RegisterType, State, StateId, StateKind, Target, TokenId,
    Value,
};
use speclex_codegen::vocabulary::markup;
use speclex_codegen::{Source, load};

const TAG: TokenId = TokenId(0);
const NAME: FieldId = FieldId {
    token: TAG,
    field: 0,
};

fn go(target: u32, reconsume: bool, actions: Vec<Action>) -> Body {
    let target = Target::State(StateId(target));
    Body {
        actions,
        next: Next::Go { target, reconsume },
    }
}

fn to(target: u32, actions: impl Into<Vec<Action>>) -> Body {
    go(target, false, actions.into())
}

fn back(target: u32, actions: impl Into<Vec<Action>>) -> Body {
    go(target, true, actions.into())
}

fn finish() -> Body {
    Body {
        actions: vec![Action::EmitEof],
        next: Next::Go {
            target: Target::End,
            reconsume: false,
        },
    }
}

fn ask(guard: Guard, then: Body, otherwise: Body) -> Body {
    Body {
        actions: Vec::new(),
        next: Next::If {
            guard,
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        },
    }
}

fn set(characters: &str) -> CharSet {
    characters.chars().collect()
}

fn text(literal: &str) -> Action {
    Action::EmitText(Value::Literal(literal.to_owned()))
}

const CURRENT: Action = Action::EmitText(Value::Current);
const ERROR: Action = Action::Error(ErrorId(0));

/// A consuming state with arms for sets of characters, for anything else, and for the end.
fn consume(arms: Vec<(&str, Body)>, otherwise: Body, eof: Body) -> StateKind {
    let mut rest = CharSet::all();
    let mut built = Vec::new();
    for (characters, body) in arms {
        let set = set(characters);
        rest = rest.difference(&set);
        built.push(Arm {
            set,
            peeked: false,
            body,
            label: characters.to_owned(),
        });
    }
    built.push(Arm {
        set: rest,
        peeked: false,
        body: otherwise,
        label: "anything else".to_owned(),
    });
    StateKind::Consume(Consume {
        literals: Vec::new(),
        arms: built,
        eof,
    })
}

fn with_literal(mut kind: StateKind, literal: &str, body: Body) -> StateKind {
    if let StateKind::Consume(consume) = &mut kind {
        consume.literals.push(LiteralArm {
            text: literal.to_owned(),
            ignore_case: true,
            body,
        });
    }
    kind
}

/// A machine that starts in its first state. Its errors: `parse-error`, and `control` in the input.
fn machine(states: Vec<StateKind>) -> Machine {
    let named = |(index, kind)| State {
        name: format!("s{index}"),
        origin: format!("s{index}"),
        section: String::new(),
        kind,
    };
    Machine {
        name: "test".to_owned(),
        title: String::new(),
        vocabulary: markup(),
        errors: vec!["parse-error".to_owned(), "control".to_owned()],
        explanations: Default::default(),
        registers: Vec::new(),
        preprocessing: Preprocessing {
            drop_bom: true,
            normalize_newlines: true,
            replace: Vec::new(),
            errors: vec![(set("\u{1}"), ErrorId(1))],
        },
        references: Vec::new(),
        replacements: Vec::new(),
        states: states.into_iter().enumerate().map(named).collect(),
        entries: vec![Entry {
            content: 0,
            state: StateId(0),
            sets: Vec::new(),
        }],
        contents_after: Default::default(),
        conditions: Vec::new(),
        on_emit: Vec::new(),
        hot: Vec::new(),
    }
}

/// Runs a machine over the input cut in all ways into two chunks, and into single characters; the
/// output must be the same.
fn run(machine: &Machine, input: &str) -> Output {
    let feed = |chunks: &[&str]| {
        let mut interpreter = Interpreter::new(machine);
        for chunk in chunks {
            interpreter.feed(chunk).expect("the machine runs");
        }
        assert_eq!(interpreter.end(), Ok(Status::Finished));
        interpreter.take_output().coalesced()
    };
    let whole = feed(&[input]);
    for (at, _) in input.char_indices() {
        assert_eq!(feed(&[&input[..at], &input[at..]]), whole, "cut at {at}");
    }
    let characters: Vec<String> = input.chars().map(String::from).collect();
    let characters: Vec<&str> = characters.iter().map(String::as_str).collect();
    assert_eq!(feed(&characters), whole, "single characters");
    whole
}

/// Tokens in short: text as it is, other tokens as `kind:first field`, each with its span.
fn shown(output: &Output) -> String {
    let mut parts = Vec::new();
    for emitted in &output.tokens {
        let (start, end) = (emitted.span.start, emitted.span.end);
        parts.push(match &emitted.token {
            Token::Characters(text) => format!("{text:?}@{start}..{end}"),
            Token::Declared { kind, fields } => {
                let first = fields.first().and_then(Field::text).unwrap_or_default();
                format!("{kind}:{first}@{start}..{end}")
            }
        });
    }
    for error in &output.errors {
        parts.push(format!("{}@{}", error.code, error.offset));
    }
    parts.join(" ")
}

#[test]
fn newlines_byte_order_marks_and_input_errors() {
    let machine = machine(vec![consume(
        vec![("\n", to(0, [ERROR, CURRENT]))],
        to(0, [CURRENT]),
        finish(),
    )]);
    let output = run(&machine, "\u{FEFF}a\r\n\r\r\n\u{FEFF}\u{1}\r");
    assert_eq!(
        shown(&output),
        "\"a\\n\\n\\n\\u{feff}\\u{1}\\n\"@3..14 \
         parse-error@4 parse-error@6 parse-error@7 control@12 parse-error@13"
    );
}

#[test]
fn tokens_span_from_the_entry_state_on() {
    // `<x>` is a tag; `<` before anything but a letter is text.
    let machine = machine(vec![
        consume(vec![("<", to(1, []))], to(0, [CURRENT]), finish()),
        consume(
            vec![("abc", back(2, [Action::Create(TAG, 1)]))],
            back(0, [ERROR, text("<")]),
            back(0, [text("<")]),
        ),
        consume(
            vec![(">", to(0, [Action::Emit(TAG)]))],
            to(2, [Action::Append(NAME, Value::LowerCurrent)]),
            finish(),
        ),
    ]);
    let output = run(&machine, "1<2<aB><");
    assert_eq!(
        shown(&output),
        "\"1<2\"@0..3 end tag:ab@3..7 \"<\"@7..8 parse-error@2"
    );
}

#[test]
fn literals_wait_until_they_are_decided() {
    let kind = consume(Vec::new(), to(0, [CURRENT]), finish());
    let machine = machine(vec![with_literal(kind, "]]>", to(0, [ERROR, text("!")]))]);
    assert_eq!(
        shown(&run(&machine, "]]]>]]")),
        "\"]!]]\"@0..6 parse-error@3"
    );
}

#[test]
fn references_and_rewinding() {
    // `&` tries a reference; `#` and digits are undone unless a `;` follows.
    let number = RegisterId(0);
    let mut machine = machine(vec![
        consume(vec![("&", to(1, []))], to(0, [CURRENT]), finish()),
        StateKind::Match {
            matched: to(0, [ERROR, Action::EmitText(Value::MatchedReplacement)]),
            unmatched: to(2, [Action::Mark, Action::SetNumber(number, 0)]),
        },
        consume(
            vec![
                (
                    "0123456789",
                    to(2, [Action::Multiply(number, 10), Action::AddDigit(number)]),
                ),
                (";", to(0, [Action::EmitText(Value::Code(number))])),
            ],
            to(0, [text("&"), Action::Rewind]),
            to(0, [text("&"), Action::Rewind]),
        ),
    ]);
    machine.registers.push(Register {
        name: "number".to_owned(),
        ty: RegisterType::Number,
    });
    machine.references = [("amp", "&"), ("amp;", "&"), ("ampere;", "A")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
    let output = run(&machine, "&amp;&ampe&65;&99999999999;&77");
    assert_eq!(
        shown(&output),
        "\"&&eA\u{fffd}&77\"@0..30 parse-error@5 parse-error@9"
    );
}

#[test]
fn look_ahead_and_look_behind() {
    // At `&`: an error if letters and a `;` follow. At `>`: an error after `--`.
    let letters = Guard::NextAre {
        run: set("abc"),
        then: set(";"),
    };
    let dashes = Guard::LastConsumed("-->".to_owned());
    let machine = machine(vec![consume(
        vec![
            ("&", ask(letters, to(0, [ERROR]), to(0, []))),
            (">", ask(dashes, to(0, [ERROR]), to(0, []))),
        ],
        to(0, []),
        finish(),
    )]);
    assert_eq!(
        shown(&run(&machine, "&abc;&;&ab-->->--\r>&a")),
        "parse-error@0 parse-error@12"
    );
}

#[test]
fn look_ahead_for_the_last_start_tag() {
    let guard = Guard::NextIsLastStartTag {
        followed_by: set(">"),
        eof: true,
    };
    let machine = machine(vec![consume(
        vec![("/", ask(guard, to(0, [ERROR]), to(0, [])))],
        to(0, []),
        finish(),
    )]);
    let mut interpreter = Interpreter::new(&machine);
    interpreter.set_last_start_tag("xmp");
    for chunk in ["/xmp/xM", "P>/xmpx", "/xmp"] {
        assert_eq!(interpreter.feed(chunk), Ok(Status::Ready));
    }
    assert_eq!(interpreter.end(), Ok(Status::Finished));
    let output = interpreter.take_output();
    assert_eq!(shown(&output), "parse-error@4 parse-error@14");
}

#[test]
fn duplicate_attributes_are_dropped_with_what_is_appended_later() {
    use speclex_codegen::machine::AttributePart::Name;
    // Each character is an attribute's name; `x` is appended once more after the question.
    let more = Action::AppendAttribute(TAG, Name, Value::Literal("x".to_owned()));
    let attribute = Body {
        actions: vec![
            Action::StartAttribute(TAG),
            Action::AppendAttribute(TAG, Name, Value::Current),
        ],
        next: ask(
            Guard::DuplicateAttribute(TAG),
            to(0, [ERROR, Action::DropAttribute(TAG), more.clone()]),
            to(0, []),
        )
        .next,
    };
    let eof = Body {
        actions: vec![Action::Emit(TAG), Action::EmitEof],
        ..finish()
    };
    let machine = machine(vec![consume(Vec::new(), attribute, eof)]);
    let output = run(&machine, "abacb");
    assert_eq!(output.errors.len(), 2);
    let Token::Declared { fields, .. } = &output.tokens[0].token else {
        panic!("a tag, not {:?}", output.tokens);
    };
    let names = ["a", "b", "c"].map(|name| (name.to_owned(), String::new()));
    assert_eq!(fields[2], Field::Attributes(names.to_vec()));
}

#[test]
fn the_answer_of_the_host_wins() {
    struct Tree;
    impl Host for Tree {
        fn emitted(&mut self, token: &Token) -> Answer {
            match token {
                Token::Declared { fields, .. } if fields[0].text() == Some("p") => Answer::Pause,
                Token::Declared { fields, .. } if fields[0].text() == Some("x") => {
                    Answer::Content("script data".to_owned())
                }
                _ => Answer::Content("RCDATA".to_owned()),
            }
        }
        fn question(&mut self, _: &str) -> bool {
            false
        }
    }
    // Each character is a start tag in the first state, text in the second.
    let tag = [
        Action::Create(TAG, 0),
        Action::Append(NAME, Value::Current),
        Action::Emit(TAG),
    ];
    let mut machine = machine(vec![
        consume(Vec::new(), to(0, tag), finish()),
        consume(vec![("!", to(0, []))], to(1, [CURRENT]), finish()),
    ]);
    machine.entries.push(Entry {
        content: 1,
        state: StateId(1),
        sets: Vec::new(),
    });
    let mut interpreter = Interpreter::with_host(&machine, Tree);
    assert_eq!(
        interpreter.feed("x"),
        Err(Fault::NoEntry("script data".to_owned()))
    );
    // A refusal stops it as a pause does.
    assert_eq!(interpreter.resume(), Ok(Status::Ready));
    assert_eq!(interpreter.feed("pab!c"), Ok(Status::Paused));
    assert_eq!(interpreter.take_output().tokens.len(), 2);
    assert_eq!(
        interpreter.start("PLAINTEXT"),
        Err(Fault::NoEntry("PLAINTEXT".to_owned()))
    );
    assert_eq!(interpreter.resume(), Ok(Status::Ready));
    assert_eq!(interpreter.end(), Ok(Status::Finished));
    assert_eq!(
        shown(&interpreter.take_output()),
        "start tag:a@2..3 \"b\"@3..4 start tag:c@5..6"
    );
}

/// Pauses at each token.
struct Pauses;

impl Host for Pauses {
    fn emitted(&mut self, _: &Token) -> Answer {
        Answer::Pause
    }
    fn question(&mut self, _: &str) -> bool {
        false
    }
}

#[test]
fn what_is_inserted_comes_behind_what_was_inserted_before() {
    // `!` is a token, at which it pauses.
    let tag = to(0, [Action::Create(TAG, 0), Action::Emit(TAG)]);
    let text = consume(vec![("!", tag)], to(0, [CURRENT]), finish());
    let mut machine = machine(vec![text]);
    machine.preprocessing.normalize_newlines = true;
    let mut interpreter = Interpreter::with_host(&machine, Pauses);
    assert_eq!(interpreter.feed("!Z"), Ok(Status::Paused));
    interpreter.insert("\r");
    interpreter.insert("\n!3");
    interpreter.insert("4");
    assert_eq!(interpreter.feed("z"), Ok(Status::Paused));
    assert_eq!(interpreter.resume(), Ok(Status::Paused));
    interpreter.insert("1");
    interpreter.insert("2");
    assert_eq!(interpreter.resume(), Ok(Status::Ready));
    let shown = shown(&interpreter.take_output());
    assert!(shown.ends_with(" \"1234Zz\"@4..10"), "{shown}");
}

#[test]
fn an_insertion_keeps_the_errors_of_states() {
    // The stream reports the same code, for another character.
    let tag = [ERROR, Action::Create(TAG, 0), Action::Emit(TAG)];
    let mut machine = machine(vec![
        consume(Vec::new(), back(1, tag), finish()),
        consume(Vec::new(), to(1, [CURRENT]), finish()),
    ]);
    machine.preprocessing.errors = vec![(set("!"), ErrorId(0))];
    for (text, errors) in [("p", 1), ("!", 2)] {
        let mut interpreter = Interpreter::with_host(&machine, Pauses);
        assert_eq!(interpreter.feed(text), Ok(Status::Paused));
        interpreter.insert("a");
        assert_eq!(interpreter.resume(), Ok(Status::Ready));
        let reported = interpreter.take_output().errors;
        assert_eq!(reported.len(), errors, "{reported:?}");
    }
}

#[test]
fn a_machine_that_never_ends_is_stopped() {
    let spins = machine(vec![
        StateKind::Steps(to(1, [])),
        StateKind::Steps(to(0, [])),
    ]);
    let mut interpreter = Interpreter::new(&spins);
    let fault = interpreter.feed("a").expect_err("it spins");
    assert!(matches!(fault, Fault::Stuck { offset: 0, .. }), "{fault}");
    assert_eq!(interpreter.end(), Err(fault));

    let rewinds = machine(vec![
        StateKind::Steps(to(1, [Action::Mark])),
        consume(Vec::new(), to(2, []), finish()),
        consume(Vec::new(), to(0, [Action::Rewind]), finish()),
    ]);
    let fault = Interpreter::new(&rewinds).feed("ab");
    assert!(matches!(fault, Err(Fault::Stuck { .. })), "{fault:?}");

    let never_ends = machine(vec![consume(Vec::new(), to(0, []), to(0, []))]);
    assert!(matches!(
        Interpreter::new(&never_ends).end(),
        Err(Fault::Stuck { .. })
    ));
}

#[test]
fn a_machine_that_gets_on_slowly_is_not_stopped() {
    let brackets = "(".repeat(100);
    // Each bracket is read again for each one before it.
    let puts_back = machine(vec![
        consume(
            vec![("(", to(1, [CURRENT, Action::Mark]))],
            to(0, []),
            finish(),
        ),
        consume(Vec::new(), to(1, []), to(0, [Action::Rewind])),
    ]);
    let output = run(&puts_back, &brackets);
    assert_eq!(shown(&output), format!("{brackets:?}@0..100"));

    // Each bracket turns a wheel that has more teeth than there are states.
    let (wheel, teeth) = (RegisterId(0), 200);
    let turn = (0..teeth).fold(to(0, [Action::SetFinite(wheel, 0)]), |rest, at| {
        let on = to(2, [Action::SetFinite(wheel, at + 1)]);
        ask(Guard::FiniteIs(wheel, vec![at]), on, rest)
    });
    let mut turns = machine(vec![
        consume(vec![("(", to(1, [CURRENT]))], to(0, []), finish()),
        StateKind::Steps(turn),
        StateKind::Steps(to(1, [])),
    ]);
    turns.registers = vec![Register {
        name: "wheel".to_owned(),
        ty: RegisterType::Finite((0..=teeth).map(|tooth| tooth.to_string()).collect()),
    }];
    assert_eq!(shown(&run(&turns, "((")), "\"((\"@0..2");
}

#[test]
fn malformed_machines_are_faults() {
    let bodies = [
        to(7, []),
        to(0, [Action::Error(ErrorId(9))]),
        to(0, [Action::Emit(TokenId(99))]),
        to(0, [Action::SetFlag(NAME, true)]),
        to(0, [Action::SetNumber(RegisterId(0), 1)]),
        to(0, [Action::Rewind]),
        to(0, [Action::EmitText(Value::MatchedName)]),
        ask(Guard::Question(5), to(0, []), to(0, [])),
    ];
    for body in bodies {
        let broken = machine(vec![consume(Vec::new(), body.clone(), finish())]);
        let mut interpreter = Interpreter::new(&broken);
        let fed = interpreter.feed("aa");
        assert!(
            matches!(fed, Err(Fault::BadMachine(_))),
            "{body:?}: {fed:?}"
        );
    }
    let mut empty = machine(Vec::new());
    assert!(Interpreter::new(&empty).feed("a").is_err());
    empty.entries.clear();
    assert!(Interpreter::new(&empty).feed("a").is_err());
}

/// The same table and expectations as for generated code: `tests/ui/pass/spans.rs`.
#[test]
fn tokens_start_and_end_as_in_generated_code() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/ui/tables");
    let read = |file| std::fs::read_to_string(format!("{folder}/{file}")).expect("a file");
    let source = Source {
        name: "spans.yaml".to_owned(),
        text: read("spans.yaml"),
    };
    let loaded = load(source, &|_| None, &|_| None).unwrap_or_else(|report| panic!("{report}"));
    let mut wrong = String::new();
    let expectations = read("spans.txt");
    for line in expectations.lines() {
        let (input, expected) = line.split_once(" => ").expect("an input and its tokens");
        let mut interpreter = Interpreter::new(&loaded.machine);
        let fed = interpreter.feed(&input.replace("\\n", "\n").replace("\\r", "\r"));
        fed.expect("a sound machine");
        interpreter.end().expect("a sound machine");
        let end = interpreter.end_of_file().expect("its end");
        let tokens = interpreter.take_output().coalesced().tokens;
        let tokens = tokens.into_iter().map(|emitted| {
            let (name, text) = match &emitted.token {
                Token::Characters(text) => ("text", text.as_str()),
                Token::Declared { kind, fields } => {
                    (kind.as_str(), fields[0].text().unwrap_or("none"))
                }
            };
            format!(
                "{name} {text:?} {}..{}",
                emitted.span.start, emitted.span.end
            )
        });
        let found = tokens.chain([format!("end {end}..{end}")]);
        let found = found.collect::<Vec<_>>().join(", ");
        if found != expected {
            wrong += &format!("{input} => {found}\n");
        }
    }
    assert!(wrong.is_empty() && !expectations.is_empty(), "\n{wrong}");
}

/// Neither by the answer to a token that is emitted there, nor by the caller.
#[test]
fn nothing_comes_after_the_end() {
    struct Other;
    impl Host for Other {
        fn emitted(&mut self, _: &Token) -> Answer {
            Answer::Content("data".to_owned())
        }
        fn question(&mut self, _: &str) -> bool {
            false
        }
    }
    let mut last = finish();
    last.actions = vec![Action::Create(TAG, 0), Action::Emit(TAG), Action::EmitEof];
    let machine = machine(vec![consume(Vec::new(), to(0, []), last)]);
    let mut interpreter = Interpreter::with_host(&machine, Other);
    assert_eq!(interpreter.feed("a"), Ok(Status::Ready));
    assert_eq!(interpreter.end(), Ok(Status::Finished));
    assert_eq!(interpreter.take_output().tokens.len(), 1);
    interpreter.start("data").expect("an entry");
    assert_eq!(interpreter.resume(), Ok(Status::Finished));
    assert!(interpreter.take_output().tokens.is_empty());
}
