//! What is published with each crate: licences, a README of its own whose links lead somewhere from anywhere, and where more is.

use std::fs;
use std::path::{Path, PathBuf};

use speclex_tests::workspace;

/// What stands between the address of the repository and a path in it.
const IN_REPOSITORY: &str = "/blob/main/";

/// The folders of the crates that are published, with their manifests.
fn crates() -> Vec<(PathBuf, String)> {
    let folders = fs::read_dir(workspace()).expect("a folder");
    let folders = folders.map(|entry| entry.expect("a folder").path());
    let manifest = |folder: PathBuf| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        let is_published = manifest.contains("[package]") && !manifest.contains("publish = false");
        is_published.then_some((folder, manifest))
    };
    let found: Vec<_> = folders.filter_map(manifest).collect();
    assert_eq!(found.len(), 11, "the crates that are published");
    found
}

/// The value of a key of a manifest.
fn value<'m>(manifest: &'m str, key: &str) -> Option<&'m str> {
    let start = format!("{key} = \"");
    let mut lines = manifest.lines();
    lines.find_map(|line| line.strip_prefix(&start)?.strip_suffix('"'))
}

fn repository() -> String {
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).expect("a file");
    let repository = value(&manifest, "repository").expect("where the repository is");
    assert_eq!(value(&manifest, "homepage"), Some(repository));
    repository.to_owned()
}

#[test]
fn packaged_manifests_say_where_more_is() {
    for (folder, manifest) in crates() {
        let name = value(&manifest, "name").expect("a name");
        let documentation = format!("https://docs.rs/{name}");
        assert_eq!(value(&manifest, "documentation"), Some(&*documentation));
        for line in [
            "repository.workspace = true",
            "homepage.workspace = true",
            "license.workspace = true",
            "readme = \"README.md\"",
            "[package.metadata.docs.rs]",
        ] {
            assert!(manifest.lines().any(|it| it == line), "{name} lacks {line}");
        }
        let include = manifest.lines().find(|line| line.starts_with("include = "));
        let include = include.unwrap_or_else(|| panic!("{name} includes everything"));
        for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
            assert!(folder.join(file).is_file(), "{name} lacks {file}");
            let listed = file.replace("MIT", "*").replace("APACHE", "*");
            assert!(
                include.contains(&format!("\"/{listed}\"")),
                "{name}: {file}"
            );
        }
    }
}

/// The targets of the links of a text in Markdown.
fn links(text: &str) -> Vec<&str> {
    let links = text.split("](").skip(1);
    links
        .filter_map(|rest| Some(rest.split_once(')')?.0))
        .collect()
}

/// Whether a heading of a page has this anchor.
fn has_anchor(page: &Path, anchor: &str) -> bool {
    let text = fs::read_to_string(page).expect("a page");
    let anchor_of = |heading: &str| {
        let letters = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = letters
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    };
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    headings.any(|heading| anchor_of(heading) == anchor)
}

/// A page of a registry knows no files of the repository. `UPDATE_EXPECT=1` writes the address of the workspace's manifest into the links.
#[test]
fn links_of_packaged_readmes_are_absolute_and_lead_somewhere() {
    let repository = repository();
    for (folder, manifest) in crates() {
        let path = folder.join("README.md");
        let name = value(&manifest, "name").expect("a name");
        let mut text = fs::read_to_string(&path).expect("a README");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            for link in links(&text.clone()) {
                if let Some((_, inside)) = link.split_once(IN_REPOSITORY) {
                    let there = format!("{repository}{IN_REPOSITORY}{inside}");
                    text = text.replace(&format!("]({link})"), &format!("]({there})"));
                }
            }
            fs::write(&path, &text).expect("a README");
        }
        assert!(text.starts_with(&format!("# {name}\n")), "{name}");
        let found = links(&text);
        assert!(!found.is_empty(), "{name} has no links");
        for link in found {
            assert!(
                link.starts_with("https://"),
                "{name}: {link} is not absolute"
            );
            let Some((address, inside)) = link.split_once(IN_REPOSITORY) else {
                continue;
            };
            assert_eq!(address, repository, "{name}: {link}");
            let (file, anchor) = inside.split_once('#').unwrap_or((inside, ""));
            let file = workspace().join(file);
            assert!(file.exists(), "{name}: {link}");
            assert!(
                anchor.is_empty() || has_anchor(&file, anchor),
                "{name}: {link}"
            );
        }
    }
}
