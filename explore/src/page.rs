//! The page: built from `page/src` by `page/build.mjs`, and checked in, so that nobody who installs the command needs Node.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// The file's name: its path below the root of the server, where the page itself has none.
    pub file: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// What it holds.
    pub bytes: &'static [u8],
}

macro_rules! asset {
    ($file:literal, $media_type:literal) => {
        Asset {
            file: $file,
            media_type: $media_type,
            bytes: include_bytes!(concat!("../page/dist/", $file)),
        }
    };
}

/// All of them.
pub const ASSETS: &[Asset] = &[
    asset!("index.html", "text/html; charset=utf-8"),
    asset!("explorer.js", "text/javascript; charset=utf-8"),
    asset!("diagram.js", "text/javascript; charset=utf-8"),
    asset!("editor.js", "text/javascript; charset=utf-8"),
    asset!("explorer.css", "text/css; charset=utf-8"),
    asset!("icon.svg", "image/svg+xml"),
    asset!("licences.txt", "text/plain; charset=utf-8"),
];
