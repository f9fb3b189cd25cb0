//! What several test programs need.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of its own for a test, empty at the start.
#[allow(dead_code, reason = "not every test program writes files")]
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", env!("CARGO_CRATE_NAME")));
    drop(std::fs::remove_dir_all(&path));
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Runs the binary in a folder, with an empty folder of user settings.
#[allow(dead_code, reason = "not every test program runs the binary")]
pub fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_clavier"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", folder.join("settings"))
        .output()
        .unwrap()
}

/// What the binary answers to these arguments and this input.
#[allow(dead_code, reason = "not every test program runs the binary")]
pub fn clavier(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_clavier"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let bytes = input.as_bytes().to_vec();
    // The engine may end before it has read everything.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// A file or folder of the public test data, which are no part of the repository: in `../shared` or in the
/// folder that `$CLAVIER_SHARED` names. None where they are not there; tests have nothing to do then.
#[allow(dead_code, reason = "not every test program has use for them")]
pub fn shared(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("CLAVIER_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    Some(folder.join("data").join(name)).filter(|path| path.exists())
}

/// Compares the rows of a document with those that it should have; tells what to add, to remove or to move.
///
/// # Panics
/// If they differ.
#[allow(dead_code, reason = "not every test program reads documents")]
pub fn same_rows(place: &str, found: &[String], wanted: &[String]) {
    let listed = |verb: &str, rows: &[String], others: &[String]| -> Vec<String> {
        rows.iter().filter(|row| !others.contains(row)).map(|row| format!("{verb}: {row}")).collect()
    };
    let mut faults = [listed("add", wanted, found), listed("remove", found, wanted)].concat();
    if faults.is_empty()
        && let Some((index, (found, wanted))) =
            found.iter().zip(wanted).enumerate().find(|(_, (found, wanted))| found != wanted)
    {
        faults.push(format!("in another order, row {}: {found} instead of {wanted}", index + 1));
    } else if faults.is_empty() && found.len() != wanted.len() {
        faults.push("a row comes twice".to_owned());
    }
    assert!(faults.is_empty(), "{place} is not what the code says:\n{}", faults.join("\n"));
}
