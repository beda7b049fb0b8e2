//! What builds a tree.

use std::sync::Arc;

/// Takes the nodes that tree construction makes, in the order of the document.
///
/// A node gets its last child before its next sibling, and characters that follow each other in one node
/// come as one text.
pub trait TreeSink {
    /// How the sink tells its nodes apart.
    type Node: Clone;

    /// The Document.
    fn document(&mut self) -> Self::Node;

    /// A new element; it is not in the tree yet. Attributes are names and values.
    fn create_element(&mut self, name: &str, attributes: &[(String, String)]) -> Self::Node;

    /// Appends an element that was created.
    fn append_element(&mut self, parent: &Self::Node, element: &Self::Node);

    /// Appends a Text node.
    fn append_text(&mut self, parent: &Self::Node, data: String);

    /// Appends an EntityReference node.
    fn append_entity_reference(&mut self, parent: &Self::Node, name: &str);

    /// Appends a Comment node.
    fn append_comment(&mut self, parent: &Self::Node, data: &str);

    /// Appends a ProcessingInstruction node.
    fn append_processing_instruction(&mut self, parent: &Self::Node, target: &str, data: &str);

    /// Appends a DocumentType node.
    fn append_doctype(&mut self, parent: &Self::Node, doctype: Doctype<'_>);

    /// Takes note of an error.
    fn parse_error(&mut self, error: TreeError);
}

/// What a DocumentType node has. What is missing in the token is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doctype<'a> {
    /// The name.
    pub name: &'a str,
    /// The public identifier.
    pub public_identifier: &'a str,
    /// The system identifier.
    pub system_identifier: &'a str,
}

/// A parse error of tree construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeError {
    /// Byte offset of the token in the original input. Each character is a token.
    pub offset: u64,
    /// The number of the insertion mode.
    pub mode: usize,
    /// The number of the token's kind.
    pub kind: usize,
    /// The token's name, if it has one; cut when it is long.
    pub name: Option<Arc<str>>,
    /// The name of the current element, if one is open; cut when it is long.
    pub open: Option<Arc<str>>,
}
