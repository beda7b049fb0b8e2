//! Where the parts of tags, comments and DOCTYPEs are, found on demand in the text of a token: what nobody asks for costs nothing.
//!
//! [`TagParts`] has the places of a start or end tag in HTML, [`DoctypeParts`] and [`comment_data`] those of other tokens.
//! [`written_attributes`] asks a table: it also has the names and values of attributes that the table drops.
//!
//! ```
//! use speclex::parts::TagParts;
//!
//! let page = "<p>see <A HREF = 'one' href=two>";
//! let parts = TagParts::of(&page[7..], 7);
//! let text = |part: speclex::Span| &page[part.start as usize..part.end as usize];
//! let [first, second] = &parts.attributes[..] else { panic!() };
//! assert_eq!((text(parts.name), text(first.name)), ("A", "HREF"));
//! assert_eq!(first.quoted().map(text), Some("'one'"));
//! assert_eq!(second.value().map(text), Some("two"));
//! assert!(second.is_duplicate && !first.is_duplicate);
//! ```

mod declarations;
mod reader;
mod tag;
mod written;

#[doc(hidden)]
pub use declarations::DOCTYPE;
pub use declarations::{DoctypeParts, IdentifierParts, comment_data};
#[doc(hidden)]
pub use reader::{Form, Reader, is_space};
pub use tag::{AttributeParts, TagParts};
#[doc(hidden)]
pub use written::attributes_read;
pub use written::{WrittenAttribute, written_attributes};
