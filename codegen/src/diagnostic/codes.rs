//! Every code a diagnostic can have, once, with what it means.

use super::Severity;

macro_rules! codes {
    ($($(#[doc = $about:literal])+ $name:ident = $text:literal, $severity:ident;)+) => {
        /// What kind of fault a diagnostic reports. The kebab-case text is stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $about])+ $name,)+
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The stable name, such as `unknown-state`.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }

            /// Whether the table is refused because of it.
            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity),+ }
            }

            /// One line for people.
            pub fn about(self) -> &'static str {
                match self { $(Self::$name => concat!($($about),+).trim_ascii_start()),+ }
            }
        }
    };
}

impl Code {
    /// Whether it warns of what the table declares and does not use.
    pub(super) fn is_of_unused(self) -> bool {
        matches!(
            self,
            Self::UnusedClass
                | Self::UnusedRegister
                | Self::UnusedCondition
                | Self::UnusedVariable
                | Self::UnusedProcedure
                | Self::UnusedErrorCode
                | Self::UnusedKind
        )
    }
}

codes! {
    /// YAML itself refuses the text.
    YamlSyntax = "yaml-syntax", Error;
    /// An unquoted `#` makes YAML take an arm or an item for a comment.
    HiddenInComment = "hidden-in-comment", Error;
    /// The table, or what it stands for, is too large: aliases, nesting, or conditions and lists of steps that use each other.
    TooLarge = "too-large", Error;
    /// A character that is not visible and changes how text is shown: a control character, a bidirectional control, a line break in a name.
    BadText = "bad-text", Error;
    /// A value has another YAML type than its key asks for.
    WrongType = "wrong-type", Error;
    /// A key that the table language does not have.
    UnknownKey = "unknown-key", Error;
    /// A key stands twice in one mapping.
    DuplicateKey = "duplicate-key", Error;
    /// A list names the same thing twice.
    DuplicateName = "duplicate-name", Error;
    /// A required key is missing.
    MissingKey = "missing-key", Error;
    /// A value is missing; often YAML has swallowed a character.
    EmptyValue = "empty-value", Error;
    /// A malformed name.
    BadName = "bad-name", Error;
    /// A number that cannot be read, or is out of range.
    BadNumber = "bad-number", Error;
    /// An invalid vocabulary.
    BadVocabulary = "bad-vocabulary", Error;

    /// A character set that cannot be read.
    BadSet = "bad-set", Error;
    /// `U+` without the number of a character.
    BadCodePoint = "bad-code-point", Error;
    /// A range whose end is before its start.
    BadRange = "bad-range", Error;
    /// The character in parentheses is not the one of the code point.
    WrongGlyph = "wrong-glyph", Error;
    /// A character set without members.
    EmptySet = "empty-set", Error;
    /// A malformed literal.
    BadLiteral = "bad-literal", Error;
    /// A class that is not declared.
    UnknownClass = "unknown-class", Error;

    /// Words that are not a phrase of the language.
    UnknownPhrase = "unknown-phrase", Error;
    /// A phrase that lacks a part.
    IncompletePhrase = "incomplete-phrase", Error;
    /// Words that are not a guard of the language.
    UnknownGuard = "unknown-guard", Error;
    /// A phrase or guard that can be read in two ways.
    Ambiguous = "ambiguous", Error;
    /// `and` and `or` in one guard.
    MixedGuard = "mixed-guard", Error;
    /// A phrase where it has no meaning.
    MisplacedPhrase = "misplaced-phrase", Error;
    /// A guard where it has no meaning.
    MisplacedGuard = "misplaced-guard", Error;
    /// `otherwise` without an `if` before it.
    MisplacedOtherwise = "misplaced-otherwise", Error;

    /// A state that is not declared.
    UnknownState = "unknown-state", Error;
    /// An insertion mode, or what the table calls so, that is not declared.
    UnknownMode = "unknown-mode", Error;
    /// A variable of tree construction that is not declared.
    UnknownVariable = "unknown-variable", Error;
    /// A label that no list has, or none that a step can jump to.
    UnknownLabel = "unknown-label", Error;
    /// A register that is not declared.
    UnknownRegister = "unknown-register", Error;
    /// A field that no token has.
    UnknownField = "unknown-field", Error;
    /// A field that several tokens have.
    AmbiguousField = "ambiguous-field", Error;
    /// A token that is not in the vocabulary.
    UnknownToken = "unknown-token", Error;
    /// A kind that the token does not have.
    UnknownKind = "unknown-kind", Error;
    /// A word that is not one of the register's.
    UnknownWord = "unknown-word", Error;
    /// An error code that is not declared.
    UnknownErrorCode = "unknown-error-code", Error;
    /// A content that is not in the vocabulary.
    UnknownContent = "unknown-content", Error;
    /// A procedure that is not declared.
    UnknownProcedure = "unknown-procedure", Error;
    /// A register or field that holds another type than the phrase needs.
    TypeMismatch = "type-mismatch", Error;
    /// A name that is defined by itself.
    RecursiveName = "recursive-name", Error;

    /// A state without arms or steps.
    MissingBody = "missing-body", Error;
    /// A state with several of `consume`, `look ahead`, `match …` and `steps`.
    SeveralBodies = "several-bodies", Error;
    /// A state without an arm for `EOF` or `anything else`.
    MissingArm = "missing-arm", Error;
    /// Two arms for one character or token.
    OverlappingArms = "overlapping-arms", Error;
    /// An arm that no input can take.
    NeverMatches = "never-matches", Error;
    /// A path without a successor.
    MissingSuccessor = "missing-successor", Error;
    /// A path with two successors.
    SeveralSuccessors = "several-successors", Error;
    /// A step that comes after the end of every path.
    UnreachableStep = "unreachable-step", Error;
    /// The current input character is used where there is none.
    NoCurrentCharacter = "no-current-character", Error;
    /// A named character reference is used where none was matched.
    NoMatch = "no-match", Error;
    /// Returned characters are used where none were returned.
    NothingReturned = "nothing-returned", Error;
    /// A digit is added where the character may not be a digit.
    NotADigit = "not-a-digit", Error;
    /// Look-ahead over any number of characters decides more than an error, or puts them back.
    UnboundedLookAhead = "unbounded-look-ahead", Error;
    /// A procedure is attempted while another one runs.
    NestedProcedure = "nested-procedure", Error;
    /// Branches multiply to more than a thousand paths.
    TooManyBranches = "too-many-branches", Error;

    /// States lead to each other without consuming anything.
    EndlessLoop = "endless-loop", Error;
    /// A token is used on a path that has not created it.
    TokenNotCreated = "token-not-created", Error;
    /// An attribute is used on a path that has not started one.
    AttributeNotStarted = "attribute-not-started", Error;

    /// A base table that cannot be found.
    UnknownBase = "unknown-base", Error;
    /// A table that extends itself.
    CyclicBase = "cyclic-base", Error;
    /// A tree construction table names a tokenizer table that cannot be found.
    UnknownTokenizer = "unknown-tokenizer", Error;
    /// A data file that cannot be found.
    UnknownFile = "unknown-file", Error;
    /// A data file whose contents have another form than required.
    BadData = "bad-data", Error;
    /// A file that is not text in UTF-8.
    NotUtf8 = "not-utf-8", Error;
    /// An arm that the state does not have.
    UnknownArm = "unknown-arm", Error;
    /// A change to something that the base does not have.
    NothingToChange = "nothing-to-change", Error;
    /// A new state without `after` or `before`.
    MissingPlace = "missing-place", Error;

    /// A label that no step jumps to.
    UnusedLabel = "unused-label", Error;
    /// A variable that is not set on every way to where it is read.
    UnsetVariable = "unset-variable", Error;

    /// No entry leads to the state.
    UnreachableState = "unreachable-state", Warning;
    /// No insertion mode leads to the insertion mode.
    UnreachableMode = "unreachable-mode", Warning;
    /// A class that is never used.
    UnusedClass = "unused-class", Warning;
    /// A register that is never used.
    UnusedRegister = "unused-register", Warning;
    /// A variable of tree construction that is never used.
    UnusedVariable = "unused-variable", Warning;
    /// A condition that is never used.
    UnusedCondition = "unused-condition", Warning;
    /// A procedure that is never used.
    UnusedProcedure = "unused-procedure", Warning;
    /// An error code that is never reported.
    UnusedErrorCode = "unused-error-code", Warning;
    /// A token under construction is lost on every path, since another one is created or the input ends, and no error says so.
    TokenLost = "token-lost", Warning;
    /// A kind of token that is never created, or never emitted.
    UnusedKind = "unused-kind", Warning;
    /// A table emits a token when the next one is already under construction: there is no checkpoint between them.
    NoCheckpoint = "no-checkpoint", Warning;

    /// A host step or question of tree construction that neither `speclex tree` nor a `Dom` knows.
    OwnHost = "own-host", Note;
}
