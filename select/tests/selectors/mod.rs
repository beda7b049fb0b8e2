//! Selectors of all kinds that the pages have answers for.

/// Parts without combinators.
const COMPOUNDS: &[&str] = &[
    "*",
    "div",
    "a[href]",
    "p",
    "li:first-child",
    "span",
    "td",
    ":not([class])",
    "[id]",
    "ul, ol",
    "h2",
    "img[src*=\".png\"]",
    "a:not(:empty)",
    "table tr:nth-child(2n)",
    "code",
];

const OTHERS: &str = r##"
DIV | a | script | body | html | head > * | title | .nav | .container | .active | #content | #header | #main | div.content | a.external
a[href^="http"] | a[href$=".html"] | a[href*="/"] | a[href^="#"] | a[rel~=nofollow] | [lang|=en] | [class~=reference] | [class=""] | [HREF]
[type=text] | [TYPE="TEXT"] | input[type=hidden i] | [class*="nav" s] | [data-id] | meta[name=viewport] | link[rel=stylesheet] | [*|href] | img:not([alt])
:root | :root > body | :scope | :scope > * | :scope body a | :empty | :first-child | :last-child | :only-child | :first-of-type | :last-of-type
:only-of-type | :nth-child(1) | :nth-child(2n+1) | :nth-child(odd) | :nth-child(even) | :nth-child(-n+3) | :nth-child(n+4) | :nth-child(3n-1)
:nth-last-child(1) | :nth-last-child(2n) | :nth-last-child(-n+2) | :nth-of-type(2) | :nth-of-type(2n) | :nth-last-of-type(1)
:nth-last-of-type(3n+1) | :nth-child(0) | :nth-child(-5) | li:nth-child(2) a | tr:nth-child(odd) td:first-child | p:first-of-type + *
:is(h1, h2, h3) | :is(h1, h2, h3) + p | :where(ul, ol) > li | :is(ul li, ol li) a | :not(div) | :not(div, span, a) | :not(:not(p)) | :not(body *)
:is(div, p):not(.x) > a | :not(:first-child):not(:last-child) | :is(:is(a)) | p:not(:has(a)) | :has(a) | :has(> a) | :has(+ p) | :has(~ p)
div:has(> p > a) | div:has(p, ul) | li:has(ul li) | li:not(:has(ul)) | :has(:nth-child(3)) | ul:has(> li:nth-child(4)) | :has(> :only-child)
h2:has(+ p) | tr:has(td + td) > td | a:has(img, span) | :has(h2 ~ p) | :is(:has(a), p) | :not(:has(*)) | :has(:not(a)) | :has(:is(div p))
div div div div | div > div > div | ul li ul li | * > * > * > * > * | body * + * | a + a | a ~ a | p ~ p a | h2 ~ p | h1 + * | div ~ div ~ div
body > * > * | * + * + * | html body div | div > *:first-child | td:last-child > * | tr > :nth-child(2) ~ td | ul > li + li > a[href] | dt + dd
div p, div a, li | a, a, a | h1, h2, h3, h4, h5, h6 | p > *, li > * | svg | svg path | svg > * | path[d] | math | form input, form button | option
select > option:first-child | table > tbody > tr > td | table td, table th | thead th | pre code | pre:has(code) | blockquote p | em, strong, b, i
"##;

/// All of them.
pub(crate) fn all() -> Vec<String> {
    let others = OTHERS.trim().lines().flat_map(|line| line.split(" | "));
    let mut all: Vec<String> = others.map(str::to_owned).collect();
    let plain = COMPOUNDS.iter().filter(|it| !it.contains(','));
    for left in plain.clone() {
        for (right, combinator) in COMPOUNDS
            .iter()
            .zip([" ", " > ", " + ", " ~ "].iter().cycle())
        {
            all.push(format!("{left}{combinator}{right}"));
        }
    }
    for compound in plain {
        all.push(format!("{compound}:has({compound})"));
        all.push(format!(":is({compound}, b):nth-last-child(odd)"));
    }
    all
}
