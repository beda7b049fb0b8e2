//! Options of a parser.

use super::tokenizer::TokenizerOpts;
use super::tree_builder::TreeBuilderOpts;

/// Options of a parser.
#[derive(Clone, Debug, Default)]
pub struct ParseOpts {
    /// Those of the tokenizer.
    pub tokenizer: TokenizerOpts,
    /// Those of the tree builder.
    pub tree_builder: TreeBuilderOpts,
}
