//! What a search did not follow.

/// Why a search that ended is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gap {
    /// The first difference was all that was wanted.
    Stopped,
    /// Inputs longer than the limit were not tried.
    Length,
    /// More situations than the limit.
    Situations,
    /// A guard or a row asked something of a number that its interval does not decide.
    Number,
    /// A number may be in an interval that no input tried leads to.
    Interval,
    /// A word that is read twice is read in changing states.
    Reread,
    /// A sink's answer leads to a situation that no start leads to.
    Answer,
    /// A question is asked again, and was not followed with another answer than before.
    Question,
    /// Strings with little in common grew too long to be told apart.
    Strings,
    /// One side's tokens had to wait too long for the other's.
    Delay,
    /// What else follows from arms that are known to change tokens was not followed to the end.
    Enough,
    /// A machine stopped or went round in circles.
    Stuck,
    /// A text that something is copied into is compared with words.
    Copied,
    /// The same letters are compared with a word and with another name.
    Comparisons,
    /// A name is compared with the last start tag's only after many letters.
    Names,
    /// Names of attributes lead to different states.
    Attributes,
    /// What is put back may be read again as a literal.
    Literals,
    /// One side looks for a name, the other reads it letter by letter: only some names are tried.
    Spelled,
    /// Several questions may get different answers.
    Questions,
    /// Texts that are copied out of different variables were the same.
    Chance,
    /// Tokens begin at different places while a text is open: without that text before it, it may begin at different places.
    Places,
    /// A second byte order mark is a character of its own.
    Mark,
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Stopped => "stopped at the first difference",
            Self::Length => "longer inputs were not tried",
            Self::Situations => "there are more situations than the limit",
            Self::Number => "a number's interval does not decide a question",
            Self::Interval => "a number may be in an interval that no input tried leads to",
            Self::Reread => "a word is read twice in changing states",
            Self::Answer => "a sink's answer may lead to a situation that was not followed",
            Self::Question => "a question asked again may get another answer",
            Self::Strings => "strings with little in common grew too long to be told apart",
            Self::Delay => "one side's tokens had to wait too long for the other's",
            Self::Enough => {
                "what else follows from arms that change tokens was not followed to the end"
            }
            Self::Stuck => "a machine goes round in circles",
            Self::Copied => "a text that something is copied into is compared with words",
            Self::Comparisons => "letters are compared with a word and with another name at once",
            Self::Names => "longer names of start tags were not tried",
            Self::Attributes => "names of attributes lead to different states",
            Self::Literals => "characters that are put back may be read again as one literal",
            Self::Spelled => "one side looks for a name that the other reads letter by letter",
            Self::Questions => "two questions may get different answers",
            Self::Chance => {
                "texts that come out of different variables were only the same on the inputs tried"
            }
            Self::Places => "where a text begins may depend on whether other text stands before it",
            Self::Mark => "a second byte order mark was not tried",
        })
    }
}
