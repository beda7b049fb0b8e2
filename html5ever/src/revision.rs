//! The revisions of HTML that a page can be read as.

/// A revision of the HTML standard. All but the default one need the feature `revisions`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// The draft of 2009.
    #[cfg(feature = "revisions")]
    Html2009,
    /// The candidate recommendation of 2012.
    #[cfg(feature = "revisions")]
    Html2012,
    /// The recommendation of 2014.
    #[cfg(feature = "revisions")]
    Html2014,
    /// The living standard of 24 June 2026, the last without processing instructions.
    #[default]
    Html2026June,
    /// The living standard with processing instructions. html5ever's tree builder gets each as a comment, as before: `?`, its
    /// target and, behind a space, its data. So `<?php echo 1 ?>` is a comment either way.
    #[cfg(feature = "revisions")]
    HtmlLiving,
}
