//! Packages as users have them: what depends on Cargo and not on the call alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A package of its own, in a folder for temporary files.
struct Package {
    name: &'static str,
    folder: PathBuf,
}

impl Package {
    fn new(name: &'static str, edition: &str, dependencies: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        let package = Self { name, folder };
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let dependencies = dependencies.replace("$REPOSITORY", &repository.display().to_string());
        let manifest = format!(
            "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = {edition:?}\n\n{dependencies}\n[workspace]\n"
        );
        package.save("Cargo.toml", &manifest);
        let words = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/words.yaml");
        package.save(
            "tables/words.yaml",
            &fs::read_to_string(words).expect("a table"),
        );
        let lock = repository.join("Cargo.lock");
        package.save("Cargo.lock", &fs::read_to_string(lock).expect("versions"));
        package
    }

    fn save(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        fs::write(path, text).expect("a file");
    }

    /// What `cargo run` prints: the output, and what the compiler had to say.
    fn run(&self) -> (String, String) {
        let output = self.cargo("run");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let (out, err) = (text(output.stdout), text(output.stderr));
        assert!(output.status.success(), "{}: {err}", self.name);
        (out, err)
    }

    fn cargo(&self, command: &str) -> Output {
        Command::new(env!("CARGO"))
            .args([command, "--quiet", "--offline"])
            .current_dir(&self.folder)
            // Where trybuild builds the same dependencies.
            .env(
                "CARGO_TARGET_DIR",
                Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests/trybuild"),
            )
            // The program is built once and not debugged.
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .expect("cargo")
    }
}

const RENAMED: &str = "\
    [dependencies]\n\
    tables = { package = \"speclex\", path = \"$REPOSITORY/runtime\" }\n";

#[test]
fn a_renamed_dependency_in_each_edition() {
    let main = "\
        #![forbid(unsafe_code)]\n\
        tables::tokenizer! { mod words = \"tables/words.yaml\"; mod html = builtin \"html-2012\"; }\n\
        fn main() { println!(\"{}\", words::tokens(\"one two\").count() + html::tokens(\"<p>\").count()); }\n";
    for edition in ["2021", "2024"] {
        let package = Package::new("renamed", edition, RENAMED);
        package.save("src/main.rs", main);
        assert_eq!(
            package.run(),
            ("5\n".to_owned(), String::new()),
            "{edition}"
        );
    }
}

#[test]
fn a_table_without_its_feature_is_refused_by_the_name_of_the_feature() {
    let dependencies = "\
        [dependencies]\n\
        speclex-tokenizers = { path = \"$REPOSITORY/tokenizers\" }\n";
    let package = Package::new("feature", "2024", dependencies);
    for (name, feature) in [
        ("html_2009", "html-2009"),
        ("html_2012", "html-2012"),
        ("xml5_2016", "xml5-2016"),
    ] {
        let main =
            format!("use speclex_tokenizers::{name}::tokens;\nfn main() {{ tokens(\"\"); }}\n");
        package.save("src/main.rs", &main);
        let output = package.cargo("check");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{said}");
        let gated = format!("gated behind the `{feature}` feature");
        let added = format!("`cargo add speclex-tokenizers --features {feature}`");
        assert!(said.contains(&gated) && said.contains(&added), "{said}");
    }
}

#[test]
fn a_build_script_instead_of_the_macro() {
    let package = Package::new(
        "build-script",
        "2021",
        "[dependencies]\n\
         speclex = { path = \"$REPOSITORY/runtime\", default-features = false }\n\n\
         [build-dependencies]\n\
         speclex-codegen = { path = \"$REPOSITORY/codegen\" }\n",
    );
    package.save(
        "build.rs",
        "fn main() -> Result<(), speclex_codegen::BuildError> {\n\
             speclex_codegen::Builder::new().table(\"tables/words.yaml\").builtin(\"html-2014\").generate()\n\
         }\n",
    );
    package.save(
        "src/main.rs",
        "#![forbid(unsafe_code)]\n\
         mod words { include!(concat!(env!(\"OUT_DIR\"), \"/words.rs\")); }\n\
         #[allow(dead_code)]\n\
         mod html { include!(concat!(env!(\"OUT_DIR\"), \"/html_2014.rs\")); }\n\
         fn main() { println!(\"{}\", words::tokens(\"one two\").count() + html::tokens(\"<p>\").count()); }\n",
    );
    let (out, _) = package.run();
    assert_eq!(out, "5\n");
}

#[test]
fn a_change_of_a_table_or_of_its_base_is_noticed() {
    let package = Package::new("changing", "2024", RENAMED);
    package.save("tables/mine.yaml", "table: mine\nextends: words\n");
    package.save(
        "src/main.rs",
        "tables::tokenizer! { mod mine = \"tables/mine.yaml\"; }\n\
         fn main() { println!(\"{}\", mine::tokens(\"one,two three\").count()); }\n",
    );
    assert_eq!(package.run().0, "3\n");
    let with_comma = "table: mine\nextends: words\nstates:\n  between words:\n    consume:\n      U+002C: ignore\n  word:\n    consume:\n      U+002C: [emit the word token, switch to between words]\n";
    package.save("tables/mine.yaml", with_comma);
    assert_eq!(package.run().0, "4\n");
    let words = fs::read_to_string(package.folder.join("tables/words.yaml")).expect("a table");
    // White space no longer ends a word.
    package.save(
        "tables/words.yaml",
        &words.replace("U+0020, U+000A, EOF: [emit", "U+000A, EOF: [emit"),
    );
    assert_eq!(package.run().0, "3\n");
}

/// Says by its exit code whether the tokens are right: it has nothing to print with.
const BARE: &str = r#"
#![no_std]
#![no_main]

extern crate alloc;

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use speclex_tokenizers::html_living::{Token, tokens};

const SIZE: usize = 1 << 20;

/// Gives out one piece of memory from its start to its end, and takes nothing back.
#[repr(align(16))]
struct Arena(core::cell::UnsafeCell<[u8; SIZE]>, AtomicUsize);

// Each byte is given out once.
unsafe impl Sync for Arena {}

unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let needed = layout.size() + layout.align();
        let start = self.1.fetch_add(needed, Relaxed);
        if layout.align() > 16 || start + needed > SIZE {
            return core::ptr::null_mut();
        }
        let start = start.next_multiple_of(layout.align());
        unsafe { self.0.get().cast::<u8>().add(start) }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ARENA: Arena = Arena(core::cell::UnsafeCell::new([0; SIZE]), AtomicUsize::new(0));

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

// The compiled `alloc` names it for unwinding, of which there is none here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

// The C library starts the program, and copies memory.
#[link(name = "c")]
unsafe extern "C" {}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut tokens = tokens("<p>&notin;").map(|(token, _)| token);
    let is_tag = matches!(tokens.next(), Some(Token::StartTag { name, .. }) if name == "p");
    let is_text = matches!(tokens.next(), Some(Token::Characters(text)) if text == "\u{2209}");
    i32::from(!(is_tag && is_text))
}
"#;

#[test]
#[cfg(target_os = "linux")]
fn a_program_without_the_standard_library_links_and_runs() {
    let dependencies = "\
        [dependencies]\n\
        speclex-tokenizers = { path = \"$REPOSITORY/tokenizers\", default-features = false, features = [\"html-living\"] }\n\
        [profile.dev]\n\
        panic = \"abort\"\n\
        opt-level = 1\n";
    let package = Package::new("bare", "2024", dependencies);
    package.save("src/main.rs", BARE);
    assert_eq!(package.run(), (String::new(), String::new()));
}
