//! The shipped engine.toml is the built-in defaults, the README tells the options as they are, and files of settings
//! are found and told in the order that is promised.

mod common;

use clavier::analysis::defaults::{Defaults, KEYS};
use clavier::board::Position;
use clavier::config::{Config, Given};
use clavier::eval::Appraisal;
use clavier::nnue::{Architecture, Network};
use clavier::uci::options::{Kind, OPTIONS, OptionSpec};
use common::{folder, same_rows};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_shipped_file_holds_the_defaults_of_all_options() {
    let config = Config::read(&repository().join("engine.toml")).unwrap();
    let line = |name: &str, value: &Given| match value {
        Given::Truth(truth) => format!("{} = {truth}", key(name)),
        Given::Number(number) => format!("{} = {number}", key(name)),
        Given::Text(text) => format!("{} = {text:?}", key(name)),
    };
    let found: Vec<_> = config.uci.iter().map(|setting| line(&setting.name, &setting.value)).collect();
    let wanted: Vec<_> = OPTIONS
        .iter()
        .filter_map(|option| {
            let value = match option.kind {
                Kind::Check { default } => Given::Truth(default),
                Kind::Spin { default, .. } => Given::Number(default),
                Kind::Text { default } => Given::Text(default.to_owned()),
                Kind::Button | Kind::Fixed { .. } => return None,
            };
            Some(line(option.name, &value))
        })
        .collect();
    same_rows("engine.toml, section [uci],", &found, &wanted);
}

/// A name as TOML writes it.
fn key(name: &str) -> String {
    if name.contains(' ') { format!("{name:?}") } else { name.to_owned() }
}

/// The comment above a setting of a section of the shipped file, as one line.
fn comment_above<'a>(section: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("{} =", key(name));
    let lines: Vec<&str> = section.lines().collect();
    let at = lines.iter().position(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no {name}"));
    lines[..at].iter().rev().take_while(|line| line.starts_with('#')).copied().collect()
}

#[test]
fn the_shipped_file_tells_the_ranges_of_its_settings() {
    let text = fs::read_to_string(repository().join("engine.toml")).unwrap();
    let (uci, analysis) = text.split_once("[analysis]").expect("there are two sections");
    let uci = OPTIONS.iter().filter_map(|option| match option.kind {
        Kind::Spin { min, max, .. } => Some((uci, option.name, format!("({min} to {max})"))),
        _ => None,
    });
    // A limit so large that nobody meets it is not told.
    let analysis = KEYS.iter().filter(|spec| spec.most <= 1 << 20).map(|spec| {
        let range = if spec.least == 0 {
            format!("(up to {})", spec.most)
        } else {
            format!("({} to {})", spec.least, spec.most)
        };
        (analysis, spec.name, range)
    });
    for (section, name, range) in uci.chain(analysis) {
        let comment = comment_above(section, name);
        assert!(
            comment.iter().any(|line| line.contains(&range)),
            "engine.toml: the comment above {name} has to tell its range, {range}: {comment:?}"
        );
    }
}

#[test]
fn the_shipped_file_holds_the_defaults_of_analysis() {
    let config = Config::read(&repository().join("engine.toml")).unwrap();
    let found: Vec<_> =
        config.analysis.iter().map(|setting| (setting.name.as_str(), &setting.value)).collect();
    let values: Vec<_> = KEYS.iter().map(|spec| Given::Number(spec.default as i64)).collect();
    let wanted: Vec<_> = KEYS.iter().map(|spec| spec.name).zip(&values).collect();
    assert_eq!(found, wanted);
    assert_eq!(Defaults::read(&config.analysis), Ok(Defaults::default()));
}

#[test]
fn a_file_holds_defaults_for_analysis_and_flags_win_over_them() {
    let folder = folder("analysis");
    write(&folder, "engine.toml", "[analysis]\nnodes = 77\nhash = 2\n");
    write(&folder, "bad.toml", "[analysis]\nnodes = 77\nhash = 0\n");
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_clavier"))
            .args([&["analyze", "--fen", fen], arguments].concat())
            .current_dir(&folder)
            .env("XDG_CONFIG_HOME", folder.join("user"))
            .output()
            .unwrap()
    };
    let limit = |arguments: &[&str]| {
        let record: serde_json::Value = serde_json::from_slice(&run(arguments).stdout).unwrap();
        record["limit"].to_string()
    };
    assert_eq!(limit(&[]), r#"{"nodes":77,"hash_mb":2}"#);
    assert_eq!(limit(&["--depth", "3", "--hash", "4"]), r#"{"depth":3,"hash_mb":4}"#);
    assert_eq!(limit(&["--mate", "2"]), r#"{"nodes":77,"mate":2,"hash_mb":2}"#);
    assert!(String::from_utf8_lossy(&run(&[]).stderr).contains("settings from "));
    let bad = run(&["--config", "bad.toml"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&bad.stderr).contains("bad.toml, line 3: hash needs a whole number from 1"),
        "{bad:?}"
    );
}

#[test]
fn the_table_in_the_readme_is_the_table_in_the_code() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("<!-- options -->").expect("the README marks its table of options");
    let (table, _) = rest.split_once("<!-- /options -->").expect("the table has an end");
    let rows = table.lines().filter(|line| line.starts_with('|')).skip(2);
    let found: Vec<String> = rows.map(str::to_owned).collect();
    let wanted: Vec<String> = OPTIONS.iter().map(OptionSpec::table_row).collect();
    same_rows("README.md, the table of options,", &found, &wanted);
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

/// The engine's answer to `uci`, started in a folder with a user's folder of settings below it.
fn answer(folder: &Path, arguments: &[&str]) -> String {
    answer_to("uci", folder, arguments)
}

/// Its answer to any command.
fn answer_to(command: &str, folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_clavier"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", folder.join("user"))
        .stdin(File::open(write(folder, "commands", &format!("{command}\nquit\n"))).unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_gui_gets_its_answer_whatever_the_file_holds() {
    let folder = folder("broken");
    for (text, fault) in [
        ("[uci\n", "line 1"),
        ("[uci]\n\nSpeed = 3\n", "line 3: there is no option \"Speed\""),
        ("[uci]\nHash = 0\n", "line 2: option Hash needs a whole number from 1 to 1048576, not \"0\""),
        ("[uci]\nHash = \"16\"\n", "line 2: option Hash needs"),
        ("[uci]\n\"Clear Hash\" = true\n", "line 2: option Clear Hash is a button"),
        ("[analysis]\nnodes = -1\n", "line 2: nodes needs a whole number from 0"),
        ("[other]\n", "line 1: there is no section [other]"),
    ] {
        write(&folder, "engine.toml", text);
        let answer = answer(&folder, &[]);
        assert!(answer.contains(fault), "{text}: {answer}");
        assert!(answer.ends_with("uciok\n"), "{text}: {answer}");
        assert!(answer.lines().all(|line| !line.contains(fault) || line.starts_with("info string ")));
    }
}

#[test]
fn the_named_file_comes_first_then_the_users_then_that_of_the_current_folder() {
    let folder = folder("order");
    let told = |arguments: &[&str], name: &str| {
        let answer = answer(&folder, arguments);
        let is_told = |line: &str| line.starts_with("info string settings from ") && line.ends_with(name);
        assert!(answer.lines().any(is_told), "{answer}");
    };
    assert!(!answer(&folder, &[]).contains("settings from"));
    write(&folder, "engine.toml", "[uci]\nHash = 8\n");
    told(&[], "engine.toml");
    write(&folder, "user/clavier/engine.toml", "[uci]\nHash = 8\n");
    told(&[], "user/clavier/engine.toml");
    write(&folder, "mine.toml", "[uci]\nHash = 8\n");
    told(&["uci", "--config", "mine.toml"], "mine.toml");
    write(&folder, "mine.toml", "[uci]\nHash = 0\n");
    let wrong = answer(&folder, &["uci", "--config", "mine.toml"]);
    assert!(wrong.contains("info string mine.toml, line 2: option Hash needs"), "{wrong}");
    assert!(answer(&folder, &["uci", "--config", "missing.toml"]).contains("info string missing.toml: "));
}

#[test]
fn a_file_names_the_network_and_a_bad_one_leaves_the_embedded_one() {
    let folder = folder("net");
    let shape = Architecture { hidden: 32, mirrored: true, buckets: 2 };
    let network = Network::random(shape, 3).unwrap();
    let value = |network: &Network| {
        let pawns = f64::from(Appraisal::new(&Position::start(), network).centipawns) / 100.0;
        format!("\nEvaluation: {pawns:+.2} (white side)\n")
    };
    let (own, embedded) = (value(&network), value(&Network::embedded()));
    assert_ne!(own, embedded);
    // The name is relative to the file of settings, not to where the engine starts.
    write(&folder, "user/clavier/engine.toml", "[paths]\nnet = 'nets/own.nnue'\n");
    let path = write(&folder, "user/clavier/nets/own.nnue", "");
    fs::write(&path, network.to_bytes()).unwrap();
    let told = answer_to("eval", &folder, &[]);
    assert!(told.ends_with(&own), "{told}");
    fs::write(&path, "no network").unwrap();
    let told = answer_to("eval", &folder, &[]);
    assert!(told.contains("EvalFile") && told.contains("this is no network of Clavier"), "{told}");
    assert!(told.ends_with(&embedded), "{told}");
}

#[test]
fn commands_of_analysis_take_the_network_and_tables_of_the_file() {
    let folder = folder("net-analysis");
    let network = Network::random(Architecture { hidden: 32, mirrored: true, buckets: 2 }, 3).unwrap();
    let path = write(&folder, "own.nnue", "");
    fs::write(&path, network.to_bytes()).unwrap();
    write(&folder, "games.pgn", "1. e4 *\n");
    write(&folder, "suite.epd", "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+;\n");
    let fen = Position::start().to_string();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clavier"));
        command.args(arguments).current_dir(&folder).env("XDG_CONFIG_HOME", folder.join("user"));
        let output = command.output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let commands = [
        &["eval", "--json", "--fen", &fen][..],
        &["analyze", "--nodes", "50", "--fen", &fen],
        &["annotate", "--nodes", "50", "games.pgn"],
        &["epdtest", "--nodes", "50", "suite.epd"],
    ];
    let embedded = commands.map(run);
    write(&folder, "engine.toml", "[paths]\nnet = 'own.nnue'\n");
    let own = commands.map(run);
    let cp = format!("\"cp\":{},", Appraisal::new(&Position::start(), &network).centipawns);
    assert!(own[0].1.contains(&cp) && !embedded[0].1.contains(&cp), "{own:?}");
    assert!(own[1].1.contains(&format!("\"net\":{:?}", network.name())), "{own:?}");
    assert_ne!(own[2], embedded[2]);
    assert!(own.iter().all(|(code, _)| *code == 0), "{own:?}");
    fs::write(&path, "no network").unwrap();
    assert_eq!(commands.map(|arguments| run(arguments).0), [5; 4]);
    write(&folder, "engine.toml", "[paths]\nsyzygy = 'nowhere'\n");
    assert_eq!(commands[1..].iter().map(|arguments| run(arguments).0).collect::<Vec<_>>(), [5; 3]);
    write(&folder, "engine.toml", "[uci]\nHash = 0\n");
    assert_eq!(commands.map(|arguments| run(arguments).0), [2; 4]);
}

/// Names and values in the section `uci_options` of a configuration in YAML.
fn lichess_options(text: &str) -> Vec<(&str, &str)> {
    let (_, section) = text.split_once("uci_options:\n").expect("there is a section of options");
    section
        .lines()
        .take_while(|line| line.starts_with("    "))
        .map(|line| {
            let (name, value) = line.trim().split_once(": ").expect("an option has a value");
            (name, value.split(" #").next().unwrap_or(value).trim().trim_matches('"'))
        })
        .collect()
}

#[test]
fn the_options_for_lichess_are_options_with_values_in_their_range() {
    let text = fs::read_to_string(repository().join("docs/clavier-lichess.yml")).unwrap();
    let options = lichess_options(&text);
    assert!(options.len() >= 5, "{options:?}");
    for (name, value) in options {
        let option = OPTIONS.iter().find(|option| option.name == name).unwrap_or_else(|| panic!("{name}"));
        assert!(option.read(value).is_ok(), "{name}: {value}");
    }
}
