//! The picture of the layers in `src/lib.rs` holds: imports point downward, the lower layers print nothing, and
//! unsafe code stays where it is watched.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules from the lowest layer to the highest. Those of one row may use each other.
const LAYERS: &[&[&str]] = &[
    &["types", "calendar", "regular_file"],
    &["board"],
    &["game", "nnue", "book", "tablebase"],
    &["eval"],
    &["search"],
    &["engine"],
    &["config"],
    &["rules", "uci", "analysis", "bench", "doctor", "genfens", "speedtest", "train"],
    &["cli"],
];

/// A module of the first row that may print.
const FIRST_PRINTING: &str = "uci";

/// Files that may hold unsafe code, and what they are split into; each has a safe twin that tests compare it with.
const UNSAFE_FILES: &[&str] = &[
    "src/board/backend/avx2.rs",
    "src/board/backend/avx512.rs",
    // Calls what only some CPUs can run, after asking the CPU.
    "src/board/backend/mod.rs",
    "src/nnue/simd.rs",
    "src/search/table.rs",
    "src/tablebase.rs",
];

#[test]
fn the_drawn_layers_are_the_real_ones() {
    let root = env!("CARGO_MANIFEST_DIR");
    for file in ["CONTRIBUTING.md", "src/lib.rs", "docs/architecture.md"] {
        let text = std::fs::read_to_string(format!("{root}/{file}")).unwrap();
        for (number, row) in LAYERS.iter().enumerate() {
            // The drawing has no marks around names and may need several lines for a row.
            let is_drawn = file.ends_with("architecture.md");
            let mark = |name: &str| if is_drawn { format!(" {name} ") } else { format!("`{name}`") };
            let names: Vec<_> = row.iter().map(|module| mark(module)).collect();
            let mut lines = text.lines().skip_while(|line| !line.contains(&format!("| {number} |")));
            let first = lines.next().unwrap_or_else(|| panic!("{file} draws no layer {number}"));
            let more = lines.take_while(|line| line.starts_with(" |   |"));
            let line: String = std::iter::once(first).chain(more).collect();
            assert!(
                names.iter().all(|name| line.contains(name)),
                "{file}, layer {number}: {names:?} in {line}"
            );
        }
    }
}

#[test]
fn modules_import_only_from_lower_layers() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        let Some(own) = layer_of_file(&path) else { continue };
        for (number, line) in code_lines(&text) {
            for module in crate_paths(line) {
                match layer(module) {
                    Some(used) if used <= own => {}
                    Some(_) => faults.push(format!("{path}:{number} imports {module} from above")),
                    None => faults.push(format!("{path}:{number} imports {module}, which has no layer")),
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn only_the_outer_layers_print() {
    let printing = layer(FIRST_PRINTING).unwrap();
    let words = ["println!", "print!", "dbg!", "stdout(", "stderr("];
    let mut faults = Vec::new();
    for (path, text) in sources() {
        if layer_of_file(&path).is_none_or(|own| own >= printing) {
            continue;
        }
        for (number, line) in code_lines(&text) {
            if let Some(word) = words.into_iter().find(|word| line.contains(word)) {
                faults.push(format!("{path}:{number} prints with {word}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn unsafe_code_is_only_where_it_is_watched() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        let is_watched = |file: &&str| {
            path.strip_prefix(file.trim_end_matches(".rs"))
                .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        };
        if UNSAFE_FILES.iter().any(is_watched) {
            continue;
        }
        for (number, line) in code_lines(&text) {
            if line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe") {
                faults.push(format!("{path}:{number} is unsafe"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every other target and `--cfg clavier_portable` get the plain code: what only some CPUs know is in these files,
/// behind the one condition `clavier_x86`, which `build.rs` sets.
#[test]
fn nothing_but_the_backends_depends_on_the_cpu() {
    let may_branch = ["src/nnue/simd.rs", "src/search/table.rs"];
    let mut faults = Vec::new();
    for (path, text) in sources() {
        let is_backend = path.starts_with("src/board/backend/") || may_branch.contains(&path.as_str());
        for (number, line) in code_lines(&text) {
            let is_bare = line.contains("target_arch");
            if is_bare || !is_backend && (line.contains("clavier_x86") || line.contains("std::arch")) {
                faults.push(format!("{path}:{number} depends on the CPU"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn paths_are_found_in_every_form() {
    assert_eq!(crate_paths("use crate::board::{self, Position};"), ["board"]);
    assert_eq!(crate_paths("use crate::{uci, board::fen};"), ["uci", "board"]);
    assert_eq!(crate_paths("let x = crate::types::Move::new(crate::game::A);"), ["types", "game"]);
}

/// All source files with their texts; paths are written with slashes, from the root of the repository.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(&root.join("src"), &mut files);
    assert!(files.len() > 20, "the sources are found");
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The lines that are code, with their numbers from 1; comments are left out.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.split("//").next().unwrap_or_default()))
        .filter(|(_, line)| !line.trim().is_empty())
}

/// Number of a module's row; none if it has none.
fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// Row of the module to which a file belongs; none for `lib.rs` and `main.rs`, which see everything.
fn layer_of_file(path: &str) -> Option<usize> {
    let module = path.strip_prefix("src/")?.split('/').next()?.trim_end_matches(".rs");
    if matches!(module, "lib" | "main") {
        return None;
    }
    Some(layer(module).unwrap_or_else(|| panic!("{path} belongs to no layer: name it in tests/layers.rs")))
}

/// The top-level modules that a line names as `crate::module`, also in groups like `use crate::{a, b::c}`.
/// Names that do not begin with a small letter are no modules.
fn crate_paths(line: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut modules = Vec::new();
    for (start, _) in line.match_indices("crate::") {
        let rest = &line[start + "crate::".len()..];
        let names = match rest.strip_prefix('{') {
            Some(group) => group.split(',').map(str::trim).collect(),
            None => vec![rest],
        };
        for name in names {
            let end = name.find(|c| !is_name(c)).unwrap_or(name.len());
            let is_macro = name[end..].starts_with('!');
            if name.starts_with(|c: char| c.is_ascii_lowercase()) && !is_macro {
                modules.push(&name[..end]);
            }
        }
    }
    modules
}
