//! Byte spans for any sink: a cell that says, during each call of a sink, where the token is that the call is for.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::fmt;
use std::panic::UnwindSafe;
use std::rc::Rc;

use speclex::Span;
use speclex::parts::{DOCTYPE, DoctypeParts, TagParts, comment_data};

use crate::base::LocalName;
use crate::base::tendril::StrTendril;
use crate::base::tokenizer::TagKind;
use crate::known_parts::Known;

/// The most bytes of a tag that are kept when it comes in several chunks.
const KEPT: usize = 1 << 20;

/// A cell that says, during each call of a `TreeSink` or `TokenSink`, where in the stream the token is that the call is for.
///
/// Keep one clone in the sink and give another to the tokenizer ([`Tokenizer::show_spans`](crate::tokenizer::Tokenizer::show_spans)):
///
/// ```
/// # use speclex_html5ever::tokenizer::{BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
/// # use speclex_html5ever::Spans;
/// struct Tags(Spans);
///
/// impl TokenSink for Tags {
///     type Handle = ();
///
///     fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
///         if let Token::TagToken(_) = token {
///             let parts = self.0.tag().expect("a tag");
///             assert_eq!((self.0.token().start, parts.name.start), (3, 4));
///             assert_eq!(self.0.text(parts.name).as_deref(), Some("IMG"));
///             let value = parts.attributes[0].value().expect("a value");
///             assert_eq!((value.start, value.end), (13, 14));
///         }
///         TokenSinkResult::Continue
///     }
/// }
///
/// let spans = Spans::new();
/// let mut tokenizer = Tokenizer::new(Tags(spans.clone()), TokenizerOpts::default());
/// tokenizer.show_spans(&spans);
/// let input = BufferQueue::default();
/// input.push_back("ab <IMG alt='x'>".into());
/// let _ = tokenizer.feed(&input);
/// ```
///
/// A tokenizer without a cell does nothing for spans. Parts of tags are found only when they are asked for.
#[derive(Clone, Default)]
pub struct Spans(Rc<Shared>);

/// What each token changes is in cells of its own: writing them costs least.
#[derive(Default)]
struct Shared {
    token: Cell<Span>,
    /// The end of the last token that was no error.
    last_end: Cell<u64>,
    /// The kind of the token, if it is a tag.
    kind: Cell<Option<TagKind>>,
    /// The name of the last tag, if it was shown with it.
    name: Cell<LocalName>,
    is_named: Cell<bool>,
    /// The parts of a tag.
    parts: RefCell<TagParts>,
    /// Whether that is the last start tag.
    has_parts: Cell<bool>,
    /// Whether a sink has asked for parts. Then the cell keeps those that the tokenizer knows, from the next tag on.
    wants_parts: Cell<bool>,
    /// Where the element comes from that is being created.
    origin: Cell<Option<Origin>>,
    state: RefCell<State>,
}

#[derive(Debug, Default)]
struct State {
    chunk: StrTendril,
    /// Offset of the chunk.
    chunk_at: u64,
    /// What came before the chunk and may belong to a tag.
    before: String,
    /// Whether that was too long.
    is_cut: bool,
}

// What the cell says of a token is all written before a sink gets that token: after a panic of the sink it says where that was.
impl UnwindSafe for Spans {}

/// Where an element comes from that a sink is to create.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the tag with this span, which is the current token.
    Own(Span),
    /// From no tag: `html`, `head`, `body`, `tbody` and the like, where the page has none. The current token is why.
    Implied,
    /// It is a copy of the formatting element from the tag with this span.
    CopyOf(Span),
}

impl fmt::Debug for Spans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = self.token();
        f.debug_struct("Spans")
            .field("token", &token)
            .finish_non_exhaustive()
    }
}

impl Spans {
    /// A cell.
    pub fn new() -> Self {
        Self::default()
    }

    /// The span of the current token; of an error its place, with no length. What the tokenizer is fed counts, in bytes, with a
    /// byte order mark and with text that scripts wrote.
    pub fn token(&self) -> Span {
        self.0.token.get()
    }

    /// Looks at the name of the last tag.
    fn with_name<T>(&self, look: impl FnOnce(&LocalName) -> T) -> T {
        let name = self.0.name.take();
        let seen = look(&name);
        self.0.name.set(name);
        seen
    }

    /// Whether the current token is a tag of this kind and name. Of a tag that came in several chunks it is known only if that has at
    /// most 1 MiB.
    pub fn is_tag(&self, kind: TagKind, name: &str) -> bool {
        if self.0.kind.get() != Some(kind) {
            return false;
        }
        if self.0.is_named.get() {
            return self.with_name(|tag| **tag == *name);
        }
        let state = self.0.state.borrow();
        let source = state.source(self.token());
        source.is_some_and(|source| has_name(&source, name))
    }

    /// The parts of the current token, if it is a tag, with the attributes that were dropped as duplicates. Of a tag that came in several chunks only if it has at most 1 MiB.
    ///
    /// They stand in the cell: as long as you keep this, there are none of other tags.
    #[inline]
    pub fn tag(&self) -> Option<Ref<'_, TagParts>> {
        if self.0.kind.get() != Some(TagKind::StartTag) || !self.0.has_parts.get() {
            self.read_tag()?;
        }
        Some(self.0.parts.borrow())
    }

    /// Finds the parts of the current token, a tag, in its text.
    #[cold]
    fn read_tag(&self) -> Option<()> {
        self.0.kind.get()?;
        let token = self.token();
        let state = self.0.state.borrow();
        let source = state.source(token)?;
        let mut parts = self.0.parts.try_borrow_mut().ok()?;
        parts.read(&source, token.start);
        self.0.wants_parts.set(true);
        self.0.has_parts.set(true);
        Some(())
    }

    /// The data of the current token, if it is a comment.
    pub fn comment_data(&self) -> Option<Span> {
        let begins = |source: &str| {
            let is_comment = ["<!", "</", "<?"].iter().any(|it| source.starts_with(it));
            is_comment && !is_doctype(source)
        };
        self.of_declaration(begins, comment_data)
    }

    /// The parts of the current token, if it is a DOCTYPE.
    pub fn doctype(&self) -> Option<DoctypeParts> {
        self.of_declaration(is_doctype, DoctypeParts::of)
    }

    /// What is read from the current token, if it is no tag.
    fn of_declaration<T>(
        &self,
        is_one: impl Fn(&str) -> bool,
        read: impl Fn(&str, u64) -> T,
    ) -> Option<T> {
        if self.0.kind.get().is_some() {
            return None;
        }
        let token = self.token();
        let state = self.0.state.borrow();
        let source = state.source(token)?;
        is_one(&source).then(|| read(&source, token.start))
    }

    /// The text of a part of the current token, as it is spelled: names that the sink gets are in lower case, values have no
    /// references.
    pub fn text(&self, part: Span) -> Option<String> {
        let token = self.token();
        let state = self.0.state.borrow();
        let source = state.source(token)?;
        in_source(&source, token, part).map(str::to_owned)
    }

    /// Where an element comes from, while the sink is to create it; otherwise `None`. Also `None` with
    /// html5ever's tree builder, which does not say.
    pub fn origin(&self) -> Option<Origin> {
        self.0.origin.get()
    }

    /// An element is going to be created.
    #[inline]
    pub(crate) fn show_origin(&self, origin: Origin) {
        self.0.origin.set(Some(origin));
    }

    /// It has been.
    #[inline]
    pub(crate) fn hide_origin(&self) {
        self.0.origin.set(None);
    }

    /// Shows the span of text that has waited, while the sink gets it.
    #[inline]
    pub(crate) fn show_for(&self, span: Span, run: impl FnOnce()) {
        let token = self.0.token.replace(span);
        if token == span {
            return run();
        }
        let kind = self.0.kind.take();
        run();
        self.0.token.set(token);
        self.0.kind.set(kind);
    }

    /// A tag comes.
    #[inline]
    pub(crate) fn show_tag(&self, kind: TagKind, name: &LocalName, span: Span) {
        self.show_unnamed_tag(kind, span);
        self.0.name.set(name.clone());
        self.0.is_named.set(true);
    }

    /// A tag comes, whose name is read only if it is asked for.
    #[inline]
    pub(crate) fn show_unnamed_tag(&self, kind: TagKind, span: Span) {
        self.show(span);
        self.0.kind.set(Some(kind));
        self.0.is_named.set(false);
    }

    /// Whether the parts of start tags are to be kept.
    #[inline(always)]
    pub(crate) fn wants_parts(&self) -> bool {
        self.0.wants_parts.get()
    }

    /// A start tag is going to come: keeps its parts, unless it may have attributes that the token has not.
    #[inline(always)]
    pub(crate) fn keep<'a>(&'a self, text: (&'a str, u64), is_all: bool) -> Option<Known<'a>> {
        if is_all && let Ok(parts) = self.0.parts.try_borrow_mut() {
            return Some(Known::new(parts, &self.0.has_parts, text));
        }
        self.0.has_parts.set(false);
        None
    }

    /// Another token comes, but no error.
    #[inline]
    pub(crate) fn show(&self, span: Span) {
        self.0.token.set(span);
        self.0.last_end.set(span.end);
        self.0.kind.set(None);
    }

    /// An error comes.
    pub(crate) fn show_error(&self, offset: u64) {
        self.0.token.set(Span {
            start: offset,
            end: offset,
        });
        self.0.kind.set(None);
    }

    /// A chunk comes that has an offset.
    pub(crate) fn start_chunk(&self, chunk: &StrTendril, offset: u64) {
        let state = &mut *self.0.state.borrow_mut();
        state.chunk = chunk.clone();
        state.chunk_at = offset;
    }

    /// A chunk has been tokenized, of which so many bytes are used.
    pub(crate) fn leave_chunk(&self, used: usize) {
        let state = &mut *self.0.state.borrow_mut();
        let chunk = std::mem::take(&mut state.chunk);
        let start = match self.0.last_end.get().checked_sub(state.chunk_at) {
            Some(start) => {
                state.before.clear();
                state.is_cut = false;
                start as usize
            }
            None => 0,
        };
        let rest = chunk.get(start.min(used)..used).unwrap_or_default();
        state.is_cut |= state.before.len() + rest.len() > KEPT;
        if state.is_cut {
            state.before.clear();
        } else {
            state.before.push_str(rest);
        }
        state.chunk_at += used as u64;
    }

    /// The stream ends; another one may follow.
    pub(crate) fn end(&self) {
        self.0.token.take();
        self.0.last_end.take();
        self.0.kind.take();
        self.0.origin.take();
        self.0.state.take();
    }
}

impl State {
    /// The token's text.
    fn source(&self, token: Span) -> Option<Cow<'_, str>> {
        let in_chunk = |offset: u64| Some(offset.checked_sub(self.chunk_at)? as usize);
        let end = in_chunk(token.end)?;
        if let Some(start) = in_chunk(token.start) {
            return self.chunk.get(start..end).map(Cow::Borrowed);
        }
        let missing = (self.chunk_at - token.start) as usize;
        let start = self.before.len().checked_sub(missing)?;
        let (before, rest) = (self.before.get(start..)?, self.chunk.get(..end)?);
        Some(Cow::Owned([before, rest].concat()))
    }
}

/// Whether a tag, in its text, has this name.
fn has_name(source: &str, name: &str) -> bool {
    let written = source.trim_start_matches(['<', '/']);
    let end = written.find(['\t', '\n', '\x0C', '\r', ' ', '/', '>']);
    let written = &written[..end.unwrap_or(written.len())];
    let read = written.chars().map(|c| match c {
        '\0' => char::REPLACEMENT_CHARACTER,
        c => c.to_ascii_lowercase(),
    });
    read.eq(name.chars())
}

fn is_doctype(source: &str) -> bool {
    let start = source.get(..DOCTYPE.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(DOCTYPE))
}

/// A part of a token, in its text.
fn in_source(source: &str, token: Span, part: Span) -> Option<&str> {
    let start = part.start.checked_sub(token.start)?;
    let end = part.end.checked_sub(token.start)?;
    source.get(start as usize..end as usize)
}
