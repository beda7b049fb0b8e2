//! How large a tree may get, as its caller wants.

use crate::tree::Options;

use super::{DomLimit, DomSink, RawAttribute, Tags};

/// How many bytes are parsed before the memory is looked at again, if it is limited.
const PIECE: usize = 1 << 14;

impl<const ERRORS: bool> DomSink<'_, ERRORS> {
    /// Limits nodes and memory as [`Options::most_nodes`] and [`Options::most_memory`] say, and takes the scripting from there. Once
    /// a limit is reached, [`limit`](Self::limit) says so and the tree stays as it is, whatever comes: stop feeding.
    ///
    /// ```
    /// use speclex::DomSink;
    /// use speclex::tree::{NameTable, Options};
    ///
    /// static NAMES: NameTable = NameTable::new(&[]);
    /// let mut options = Options::default();
    /// options.most_nodes = Some(100_000);
    /// let mut sink = DomSink::<false>::in_chunks(&NAMES);
    /// sink.set_limits(&options);
    /// assert_eq!(sink.limit(), None);
    /// ```
    pub fn set_limits(&mut self, options: &Options) {
        self.dom.options = options.clone();
        let most = options.most_nodes.unwrap_or(usize::MAX);
        self.most_nodes = self.most_nodes.min(most);
        self.most_memory = options.most_memory.unwrap_or(usize::MAX);
        self.room = 0;
        self.make_room();
    }

    /// Whether there may be more nodes; then `room` says how many, until this is asked again.
    #[cold]
    #[inline(never)]
    pub(super) fn make_room(&mut self) -> bool {
        let (nodes, memory) = (self.dom.links.nodes.len(), self.memory_in_use());
        self.room = 0;
        if nodes >= self.most_nodes {
            self.exceed(DomLimit::Nodes);
        } else if memory >= self.most_memory {
            self.exceed(DomLimit::Memory);
        } else if self.limit_of_size().is_none() {
            // Elements take less than 64 bytes, and their attributes something.
            let more = (self.most_memory - memory) / 128 + 1;
            self.room = self.most_nodes.min(nodes.saturating_add(more));
        }
        self.room != 0
    }

    /// A limit that ends the tree.
    const fn limit_of_size(&self) -> Option<DomLimit> {
        match self.dom.limit {
            Some(limit @ (DomLimit::Nodes | DomLimit::Memory)) => Some(limit),
            _ => None,
        }
    }

    /// Whether the tree stays as it is from now on.
    pub(super) const fn is_complete(&self) -> bool {
        self.room == 0
    }

    /// So much of a text may be fed before [`is_full`](Self::is_full) is asked.
    pub(crate) fn piece<'x>(&self, text: &'x str) -> &'x str {
        if self.most_memory == usize::MAX && self.most_nodes == super::sink::LIMIT {
            return text;
        }
        let end = (PIECE..text.len()).find(|&at| text.is_char_boundary(at));
        &text[..end.unwrap_or(text.len())]
    }

    /// Whether a limit is reached. Text and attributes take memory, too, without nodes.
    pub(crate) fn is_full(&mut self) -> bool {
        self.is_complete() || self.most_memory != usize::MAX && !self.make_room()
    }

    /// The bytes that the tree takes, without room in its lists.
    fn memory_in_use(&self) -> usize {
        let dom = &self.dom;
        let nodes = size_of_val(&dom.links.nodes[..]) + dom.tags.len() * size_of::<Tags>();
        let attributes = dom.attributes.len() * size_of::<RawAttribute>();
        let names = dom.names.memory() + dom.attribute_names.memory();
        let others = size_of_val(&dom.parts[..]) + size_of_val(&dom.gaps[..]);
        nodes + attributes + names + others + dom.strings.in_use()
    }
}
