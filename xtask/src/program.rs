//! Which program has a command, and how it is built.

/// A program of this workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) package: &'static str,
    pub(crate) binary: &'static str,
    pub(crate) features: &'static str,
    pub(crate) profile: &'static str,
    /// What is built, and how long that takes; for the first time.
    pub(crate) why: &'static str,
    /// How many of the arguments are for us: the program's own name, where it is the command.
    pub(crate) own_words: usize,
}

impl Program {
    /// The program for these arguments: no more is built than the command needs.
    pub(crate) fn of(words: &[&str]) -> Self {
        let has = |option: &str| {
            let with_value = format!("{option}=");
            let is_it = |word: &&str| *word == option || word.starts_with(&with_value);
            words.iter().any(is_it)
        };
        match words.first().copied().unwrap_or_default() {
            "bench" => Self {
                package: "speclex-bench",
                binary: "speclex-bench",
                // Tokenizers by others take long to build.
                features: match ["--peers", "--agreement", "--trees"].into_iter().any(has) {
                    true => "simd,peers",
                    false => "simd",
                },
                profile: "xtask",
                why: "building the benchmarks, optimised: the first time takes minutes",
                own_words: 1,
            },
            "fuzz" => Self {
                package: "speclex-tests",
                binary: "fuzz",
                // Without `simd` all code is safe.
                features: match has("--safe") {
                    true => "fuzz",
                    false => "fuzz,simd",
                },
                profile: "xtask",
                why: "building the fuzzers, optimised: the first time takes minutes",
                own_words: 1,
            },
            "prove" => Self {
                package: "speclex-tests",
                binary: "prove",
                features: "fuzz,simd",
                profile: "xtask",
                why: "building the search, optimised: the first time takes minutes",
                own_words: 1,
            },
            "revision" => Self {
                binary: "revision",
                features: "repository",
                own_words: 1,
                ..Self::SPECLEX
            },
            // Documents are read by the generated tokenizers.
            "diff" if has("--input") || has("--files-from") => Self {
                features: "simd,tokenizers",
                profile: "xtask",
                why: "building `speclex` with the generated tokenizers, optimised: the first time takes minutes",
                ..Self::SPECLEX
            },
            // The audit reads texts.
            "diff" if has("--texts") => Self {
                features: "audit",
                ..Self::SEARCH
            },
            "conform" | "cover" | "diff" | "profile" => Self::SEARCH,
            "explore" => Self {
                features: "explore",
                ..Self::SEARCH
            },
            "tokenize" | "tree" => Self {
                features: "encoding",
                ..Self::SPECLEX
            },
            "audit" => Self {
                features: "audit",
                ..Self::SPECLEX
            },
            "completions" | "man" => Self {
                features: "analysis,shell",
                ..Self::SPECLEX
            },
            _ => Self::SPECLEX,
        }
    }

    /// The interpreter runs all tables: broken generated code must not lock the generator out.
    const SPECLEX: Self = Self {
        package: "speclex-cli",
        binary: "speclex",
        features: "analysis",
        profile: "generate",
        why: "building `speclex`: the first time takes half a minute of CPU time",
        own_words: 0,
    };

    const SEARCH: Self = Self {
        profile: "search",
        why: "building `speclex` with an optimised search: the first time takes a minute of CPU time",
        ..Self::SPECLEX
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_built_than_a_command_needs() {
        let built = |words: &[&str]| {
            let program = Program::of(words);
            (program.package, program.features, program.profile)
        };
        let short = ("speclex-cli", "analysis", "generate");
        assert_eq!(built(&[]), short);
        assert_eq!(built(&["gen", "--check"]), short);
        let repository = ("speclex-cli", "repository", "generate");
        assert_eq!(built(&["revision", "b", "--extends", "a"]), repository);
        let encoding = ("speclex-cli", "encoding", "generate");
        assert_eq!(built(&["tokenize", "--spec", "xml5", "diff"]), encoding);
        assert_eq!(built(&["tree", "--spec", "xml5"]), encoding);
        let search = ("speclex-cli", "analysis", "search");
        assert_eq!(built(&["diff", "xml5-2016", "xml5"]), search);
        let explorer = ("speclex-cli", "explore", "search");
        assert_eq!(built(&["explore", "--open"]), explorer);
        let texts = ("speclex-cli", "audit", "search");
        assert_eq!(built(&["diff", "a", "b", "--texts=specs"]), texts);
        let documents = ("speclex-cli", "simd,tokenizers", "xtask");
        assert_eq!(built(&["diff", "a", "b", "--input", "page"]), documents);
        assert_eq!(built(&["diff", "--input=page", "a", "b"]), documents);
        let safe = ("speclex-tests", "fuzz", "xtask");
        assert_eq!(built(&["fuzz", "tokenizer", "--safe"]), safe);
    }
}
