//! The code map of `docs/architecture.md` is true: it names every crate and module, and each uses only what comes
//! before it in the map. So there is no import cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use speclex_tests::{files, workspace};
use syn::visit::Visit;

/// A module by its path: `["codegen", "read", "node"]`. The first part is the crate's folder.
type Module = Vec<String>;

/// The rows of the code map, from the lowest crate up: a folder and the modules in it, lowest first.
fn map() -> Vec<(Module, Vec<String>)> {
    let page = std::fs::read_to_string(workspace().join("docs/architecture.md")).expect("a page");
    let (_, rest) = page.split_once("\n## Code map\n").expect("a code map");
    let map = rest.split_once("\n## ").map_or(rest, |(map, _)| map);
    let rows = map.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").collect();
        let folder = cells[0].trim().trim_matches('`').split('/');
        let modules = cells.last().expect("a cell").split(',').map(str::trim);
        (
            folder.map(str::to_owned).collect(),
            modules
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    })
    .collect()
}

/// What one file says: its modules and the names that its `use` items bring in.
#[derive(Default)]
struct File {
    /// What each imported name stands for.
    imports: BTreeMap<String, Vec<String>>,
    /// All paths in it.
    paths: Vec<Vec<String>>,
}

impl File {
    fn import(&mut self, prefix: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        let (name, path) = match tree {
            syn::UseTree::Path(path) => return self.import(&with(&path.ident), &path.tree),
            syn::UseTree::Group(group) => {
                return group
                    .items
                    .iter()
                    .for_each(|tree| self.import(prefix, tree));
            }
            syn::UseTree::Glob(_) => return self.paths.push(prefix.to_owned()),
            syn::UseTree::Name(name) if name.ident == "self" => (
                prefix.last().cloned().unwrap_or_default(),
                prefix.to_owned(),
            ),
            syn::UseTree::Name(name) => (name.ident.to_string(), with(&name.ident)),
            syn::UseTree::Rename(name) => (name.rename.to_string(), with(&name.ident)),
        };
        self.paths.push(path.clone());
        self.imports.insert(name, path);
    }

    /// The paths in a macro's arguments, which syn does not parse.
    fn scan(&mut self, tokens: TokenStream) {
        let mut path = Vec::new();
        let mut colons = 0;
        let mut end = |path: &mut Vec<String>| self.paths.push(std::mem::take(path));
        let mut groups = Vec::new();
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        end(&mut path);
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => groups.push(group.stream()),
                _ => colons = 0,
            }
        }
        end(&mut path);
        groups.into_iter().for_each(|group| self.scan(group));
    }
}

/// Whether an item is compiled for tests only: what tests import is no part of the structure.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string() == "test")
    })
}

impl<'ast> Visit<'ast> for File {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.import(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|part| part.ident.to_string());
        self.paths.push(names.collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        // What `quote!` holds is code of another crate.
        let name = call.path.segments.last().map(|part| part.ident.to_string());
        if name.is_none_or(|name| !name.contains("quote")) {
            self.scan(call.tokens.clone());
        }
    }
}

/// The code of all crates, by module.
struct Code {
    modules: BTreeMap<Module, File>,
    /// The folder of each crate, by the crate's name in paths.
    crates: BTreeMap<String, String>,
}

impl Code {
    fn read(crates: &[&str]) -> Self {
        let mut code = Self {
            modules: BTreeMap::new(),
            crates: BTreeMap::new(),
        };
        for folder in crates {
            let root = workspace().join(folder);
            code.crates.insert(crate_name(&root), (*folder).to_owned());
            for path in files(&root.join("src"), &["rs"]) {
                let text = std::fs::read_to_string(&path).expect("a file");
                if text.starts_with("// @generated") {
                    continue;
                }
                let file =
                    syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                // Unit tests may use what they like.
                if is_test(&file.attrs) {
                    continue;
                }
                let module = module(folder, &root.join("src"), &path);
                code.modules.entry(module).or_default().visit_file(&file);
            }
        }
        code
    }

    /// The module in which the thing is that a path names, seen from a module.
    fn resolve(&self, from: &[String], path: &[String], depth: usize) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        if let Some(folder) = self.crates.get(first) {
            return Some(vec![folder.clone()]);
        }
        match first.as_str() {
            "crate" => self.descend(&from[..1], rest, depth),
            "self" => self.descend(from, rest, depth),
            "super" if from.len() > 1 => {
                // A path may begin with several.
                let up = &from[..from.len() - 1];
                match rest.first().map(String::as_str) {
                    Some("super") => self.resolve(up, rest, depth),
                    _ => self.descend(up, rest, depth),
                }
            }
            _ => {
                let known = self.child(from, first).is_some()
                    || self.modules.get(from)?.imports.contains_key(first);
                known.then(|| self.descend(from, path, depth)).flatten()
            }
        }
    }

    fn child(&self, module: &[String], name: &str) -> Option<Module> {
        let child = [module, &[name.to_owned()]].concat();
        self.modules.contains_key(&child).then_some(child)
    }

    fn descend(&self, module: &[String], path: &[String], depth: usize) -> Option<Module> {
        let Some((first, rest)) = path.split_first() else {
            return Some(module.to_owned());
        };
        if let Some(child) = self.child(module, first) {
            return self.descend(&child, rest, depth);
        }
        // A name that the module imports is where it comes from: re-exports hide no cycle.
        let import = self.modules.get(module)?.imports.get(first);
        match import {
            Some(import) if depth > 0 => {
                let whole = [import.as_slice(), rest].concat();
                self.resolve(module, &whole, depth - 1)
                    .or(Some(module.to_owned()))
            }
            _ => Some(module.to_owned()),
        }
    }
}

/// The name of a crate in paths: that of its package with underscores.
fn crate_name(root: &Path) -> String {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("a manifest");
    let name = manifest
        .lines()
        .find_map(|line| line.strip_prefix("name = "));
    name.expect("a name").trim_matches('"').replace('-', "_")
}

/// The module of a file.
fn module(folder: &str, root: &Path, path: &Path) -> Module {
    let relative = path.strip_prefix(root).expect("a file below");
    let mut parts = vec![folder.to_owned()];
    parts.extend(
        relative
            .with_extension("")
            .iter()
            .map(|part| part.to_string_lossy().into_owned()),
    );
    if parts.len() == 3 && parts[1] == "bin" {
        parts.truncate(1);
    } else if ["mod", "lib", "main"].contains(&parts.last().expect("a part").as_str()) {
        parts.pop();
    }
    parts
}

fn shown(module: &[String]) -> String {
    module.join("/")
}

#[test]
fn the_code_map_names_all_modules_and_nothing_uses_what_comes_after_it() {
    let map = map();
    let crates: Vec<_> = map
        .iter()
        .filter(|(folder, _)| folder.len() == 1)
        .map(|(folder, _)| folder[0].as_str())
        .collect();
    let code = Code::read(&crates);

    let mut faults = BTreeSet::new();
    // Where each module stands among its siblings.
    let mut places = BTreeMap::new();
    for (place, name) in crates.iter().enumerate() {
        places.insert(vec![(*name).to_owned()], place);
    }
    for (folder, modules) in &map {
        for (place, name) in modules.iter().enumerate() {
            let module = [folder.as_slice(), std::slice::from_ref(name)].concat();
            if !code.modules.contains_key(&module) {
                faults.insert(format!(
                    "the map names {}, which is no module",
                    shown(&module)
                ));
            }
            if places.insert(module.clone(), place).is_some() {
                faults.insert(format!("the map names {} twice", shown(&module)));
            }
        }
    }
    for module in code
        .modules
        .keys()
        .filter(|module| !places.contains_key(*module))
    {
        faults.insert(format!("the map does not name {}", shown(module)));
    }

    let mut edges = 0;
    for (from, file) in &code.modules {
        for path in &file.paths {
            let Some(to) = code.resolve(from, path, 8) else {
                continue;
            };
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            // A module and its own children count as one.
            if common == from.len() || common == to.len() {
                continue;
            }
            edges += 1;
            let place = |module: &Module| places.get(&module[..=common]);
            if let (Some(user), Some(used)) = (place(from), place(&to))
                && used > user
            {
                faults.insert(format!(
                    "{} uses {}, but in the map {} comes after {}",
                    shown(from),
                    shown(&to),
                    shown(&to[..=common]),
                    shown(&from[..=common]),
                ));
            }
        }
    }
    assert!(edges > 500, "only {edges} imports were found");
    let faults: Vec<_> = faults.into_iter().collect();
    assert!(
        faults.is_empty(),
        "docs/architecture.md, \"Code map\":\n{}",
        faults.join("\n")
    );
}

/// The crates that the map must have: all that are built by default.
#[test]
fn the_code_map_has_every_crate() {
    let manifest = std::fs::read_to_string(workspace().join("Cargo.toml")).expect("a manifest");
    let (_, rest) = manifest.split_once("\nmembers = [").expect("members");
    let (members, _) = rest.split_once(']').expect("their end");
    let members = members.split(',').map(|name| name.trim().trim_matches('"'));
    let named: BTreeSet<_> = map()
        .into_iter()
        .map(|(folder, _)| folder[0].clone())
        .collect();
    for member in members.filter(|name| !name.is_empty()) {
        let sources: PathBuf = workspace().join(member).join("src");
        let has_code = files(&sources, &["rs"]).len() > 1;
        assert!(
            !has_code || named.contains(member),
            "the map does not name {member}"
        );
    }
}
