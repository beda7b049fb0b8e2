//! Settings, and what is wrong with some.

use settings_example::{Settings, parser};

const TEXT: &str = "# Where it listens\n[server]\nhost = example.org\nport = 80\n\n[client]\nport = 8080\n[server]\nport = 443\n";

#[test]
fn the_last_value_counts() {
    let settings = Settings::read(TEXT);
    assert_eq!(
        settings.get("server", "host").as_deref(),
        Some("example.org")
    );
    assert_eq!(settings.get("server", "port").as_deref(), Some("443"));
    assert_eq!(settings.get("client", "port").as_deref(), Some("8080"));
    assert_eq!(settings.get("client", "host"), None);
    assert!(settings.errors().is_empty());
}

#[test]
fn errors_have_places() {
    let text = "lost = 1\n[server\nport\nhost=\n";
    let settings = Settings::read(text);
    assert_eq!(settings.get("server", "host").as_deref(), Some(""));
    assert_eq!(settings.get("server", "port").as_deref(), Some(""));
    assert_eq!(
        settings.errors(),
        [
            (0, "entry-outside-of-sections"),
            // Its value, with the space before it.
            (6, "entry-outside-of-sections"),
            (16, "bracket-is-missing"),
            (21, "equals-sign-is-missing"),
        ]
    );
}

#[test]
fn elements_have_places() {
    let dom = parser::parse(TEXT);
    let host = dom
        .elements_in_all_namespaces("host")
        .next()
        .expect("an element");
    let span = host.span().expect("a place");
    assert_eq!(&TEXT[span.start as usize..span.end as usize], "host =");
}
