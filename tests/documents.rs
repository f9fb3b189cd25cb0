//! The documents say what is so: paths and links lead somewhere, tables are those of the code.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of the repository. A word in a document that begins with one of them is a path.
const FOLDERS: [&str; 10] =
    ["src/", "docs/", "tests/", "benches/", "examples/", "nets/", "tools/", "fuzz/", ".ci/", ".github/"];

/// Files that documents name though they are not there: one that was once, and those of the worked examples.
const NOT_HERE: [&str; 3] = ["src/eval/bootstrap.rs", "src/search/heuristics/surrender.rs", "src/cli/key.rs"];

/// Commands of the features `train` and `tune`.
const FEATURE_COMMANDS: [&str; 5] = ["calibrate", "datagen", "params", "stats", "train"];

/// Longest README, in lines.
const README_LINES: usize = 200;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All documents, as paths from the root of the repository, with their texts.
fn documents() -> Vec<(PathBuf, String)> {
    let mut files: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].into_iter().map(PathBuf::from).collect();
    for entry in fs::read_dir(repository().join("docs")).unwrap() {
        let path = Path::new("docs").join(entry.unwrap().file_name());
        if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    files.into_iter().map(|path| (path.clone(), read(path.to_str().unwrap()))).collect()
}

/// The words of a text that are paths in the repository.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || "._-/".contains(c)))
        .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)))
        .map(|word| word.trim_end_matches('.'))
}

/// The targets of a text's links.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

/// The names by which links reach the headings of a document.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[test]
fn every_path_in_the_documents_exists() {
    let mut faults = Vec::new();
    let mut count = 0;
    for (document, text) in documents() {
        for path in paths(&text) {
            count += 1;
            // A package for crates.io lacks the folders that begin with a dot.
            let (folder, _) = path.split_once('/').unwrap_or((path, ""));
            let is_left_out = folder.starts_with('.') && !repository().join(folder).exists();
            if !is_left_out && !NOT_HERE.contains(&path) && !repository().join(path).exists() {
                faults.push(format!("{}: {path} is not there", document.display()));
            }
        }
    }
    assert!(count > 50, "paths are found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_link_between_the_documents_leads_somewhere() {
    let mut faults = Vec::new();
    for (document, text) in documents() {
        for link in links(&text).filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => document.clone(),
                _ => document.parent().unwrap().join(file),
            };
            let is_there = repository().join(&target).exists()
                && (anchor.is_empty()
                    || anchors(&read(target.to_str().unwrap())).iter().any(|a| a == anchor));
            if !is_there {
                faults.push(format!("{}: {link} leads nowhere", document.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// All source files below some folders, as one text.
fn sources(folders: &[&str]) -> String {
    let mut waiting: Vec<PathBuf> = folders.iter().map(|folder| repository().join(folder)).collect();
    let mut text = String::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
    text
}

#[test]
fn every_crate_of_the_manifest_is_used() {
    for (sections, folders) in [
        (&["dependencies"][..], &["src"][..]),
        (&["dev-dependencies"], &["src", "tests", "benches/board.rs", "benches/calls.rs"]),
    ] {
        let text = sources(folders);
        for name in crates_in(sections) {
            let module = name.replace('-', "_");
            assert!(text.contains(&format!("{module}::")), "{name} is used nowhere in {folders:?}");
        }
    }
}

#[test]
fn what_the_documents_show_as_json_is_json() {
    for (document, text) in documents() {
        for block in text.split("```json\n").skip(1) {
            let (json, _) = block.split_once("```").unwrap();
            if let Err(error) = serde_json::from_str::<serde_json::Value>(json) {
                panic!("{}: {error} in {json}", document.display());
            }
        }
    }
}

/// What `--help` says behind some words.
fn help(command: &[&str]) -> String {
    let output = common::clavier(&[command, &["--help"]].concat(), "");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that the help behind some words lists.
fn commands(command: &[&str]) -> Vec<String> {
    let help = help(command);
    let Some((_, list)) = help.split_once("Commands:\n") else { return Vec::new() };
    list.lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_readme_has_all_commands_and_no_others() {
    let readme = read("README.md");
    let (_, rest) = readme.split_once("<!-- commands -->").expect("the README marks its table of commands");
    let (table, _) = rest.split_once("<!-- /commands -->").expect("the table has an end");
    let cells =
        table.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1));
    let mut told: Vec<String> = cells
        .flat_map(|cell| cell.split('`').filter_map(|name| name.strip_prefix("clavier ")))
        .map(str::to_owned)
        .collect();
    told.sort();
    let mut wanted = Vec::new();
    for name in commands(&[]) {
        let below = commands(&[&name]);
        wanted.extend(below.iter().map(|second| format!("{name} {second}")));
        if below.is_empty() {
            wanted.push(name);
        }
    }
    wanted.extend(FEATURE_COMMANDS.map(str::to_owned));
    wanted.sort();
    wanted.dedup();
    common::same_rows("README.md, the table of commands,", &told, &wanted);
}

/// The code within the lines of a text, blocks of code left out.
fn inline_code(text: &str) -> Vec<&str> {
    let prose = text.split("\n```").step_by(2);
    prose.flat_map(|part| part.split('`').skip(1).step_by(2)).collect()
}

/// What is wrong with code that calls a command, or that is a flag alone; none where it is right or something else.
fn fault_in_call(code: &str, helps: &[(String, String)]) -> Option<String> {
    let has = |help: &str, flag: &str| {
        help.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).any(|word| word == flag)
    };
    let mut flags = code.split_whitespace().filter(|word| word.starts_with("--"));
    let Some(call) = code.strip_prefix("clavier ") else {
        let flag = flags.find(|flag| !helps.iter().any(|(_, help)| has(help, flag)));
        return flag.filter(|_| code.starts_with("--")).map(|flag| format!("no command has {flag}"));
    };
    let name = call.split(' ').next().unwrap_or_default();
    if name == "help" || name.starts_with('"') || FEATURE_COMMANDS.contains(&name) {
        return None;
    }
    let Some((_, help)) = helps.iter().find(|(known, _)| known == name) else {
        return Some(format!("there is no command {name}"));
    };
    flags.find(|flag| !has(help, flag)).map(|flag| format!("clavier {name} has no {flag}"))
}

#[test]
fn commands_and_flags_within_the_text_are_there() {
    let helps: Vec<_> = commands(&[]).into_iter().map(|name| (name.clone(), help(&[&name]))).collect();
    let mut faults = Vec::new();
    let mut count = 0;
    for (document, text) in documents() {
        // Flags alone may be those of other programs; those of analysis.md are ours.
        let are_flags_ours = document.ends_with("analysis.md");
        for code in inline_code(&text) {
            let is_ours = code.starts_with("clavier ") || code.starts_with("--") && are_flags_ours;
            // A command of the worked example.
            if is_ours && code != "clavier key" {
                count += 1;
                let fault = fault_in_call(code, &helps);
                faults.extend(fault.map(|fault| format!("{}: `{code}`: {fault}", document.display())));
            }
        }
    }
    assert!(count > 30, "code is found: {count}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_columns_of_csv_are_told() {
    let output =
        common::clavier(&["analyze", "--format", "csv", "--nodes", "1"], "8/8/8/8/8/2k5/8/KQ6 w - - 0 1\n");
    let table = String::from_utf8(output.stdout).unwrap();
    let columns = table.lines().next().unwrap().replace(',', " ");
    let text = read("docs/analysis.md").replace('\n', " ");
    assert!(text.contains(&format!("`{columns}`")), "docs/analysis.md has to tell the columns `{columns}`");
}

#[test]
fn the_readme_is_short() {
    let length = read("README.md").lines().count();
    assert!(length < README_LINES, "{length} lines");
}

#[test]
fn words_and_links_are_found() {
    let text = "See `src/lib.rs`, [that](docs/a.md#b). In src/search.\n# Where, then?";
    assert_eq!(paths(text).collect::<Vec<_>>(), ["src/lib.rs", "docs/a.md", "src/search"]);
    assert_eq!(links(text).collect::<Vec<_>>(), ["docs/a.md#b"]);
    assert_eq!(anchors(text), ["where-then"]);
}

/// The crates that a section of Cargo.toml and its like for some systems name.
fn crates_in(sections: &[&str]) -> Vec<String> {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let mut tables: Vec<&toml::Value> = sections.iter().filter_map(|name| manifest.get(*name)).collect();
    for target in
        manifest.get("target").and_then(|value| value.as_table()).into_iter().flat_map(|t| t.values())
    {
        tables.extend(sections.iter().filter_map(|name| target.get(name)));
    }
    let mut names: Vec<String> =
        tables.iter().flat_map(|table| table.as_table().unwrap().keys().cloned()).collect();
    names.sort();
    names
}

/// The rows of the table below a heading, as cells.
fn rows_below<'a>(text: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let (_, section) = text.split_once(heading).unwrap_or_else(|| panic!("there is a heading {heading}"));
    section
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

#[test]
fn the_table_of_dependencies_is_that_of_the_manifest() {
    let text = read("docs/dependencies.md");
    for (heading, sections) in [
        ("## In the program", &["dependencies", "build-dependencies"][..]),
        ("## In tests and benchmarks only", &["dev-dependencies"]),
    ] {
        let rows = rows_below(&text, heading);
        let told: Vec<_> = rows.iter().map(|cells| cells[0].to_owned()).collect();
        common::same_rows(&format!("docs/dependencies.md, {heading},"), &told, &crates_in(sections));
        assert!(rows.iter().all(|cells| cells.len() == 4 && cells.iter().all(|cell| !cell.is_empty())));
    }
}
