//! `clavier datagen` and `clavier stats` as processes: kills, restarts, damage.
#![cfg(feature = "train")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn clavier(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clavier"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn datagen(folder: &Path, more: &[&str]) -> Command {
    let mut command = clavier(&["datagen", "--nodes", "10", "--hash", "1", "--out"]);
    command.arg(folder).args(more);
    command
}

fn stats(folder: &Path) -> Output {
    clavier(&["stats"]).arg(folder).output().unwrap()
}

/// Number of games that `stats` finds sound.
fn count_games(folder: &Path) -> u64 {
    let output = stats(folder);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().find_map(|line| line.strip_prefix("games")).unwrap().trim().parse().unwrap()
}

fn wait_for_bytes(path: &Path, bytes: u64) {
    let began = Instant::now();
    while std::fs::metadata(path).map_or(0, |file| file.len()) < bytes {
        assert!(began.elapsed() < Duration::from_mins(1), "no games are written");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_run_goes_on_without_loss() {
    let folder = folder("killed");
    let games = folder.join("thread-00.vf");
    let mut least = 0;
    for round in 1..=4 {
        let mut run = datagen(&folder, &["--threads", "2"]).spawn().unwrap();
        wait_for_bytes(&games, round * 2_000);
        run.kill().unwrap();
        run.wait().unwrap();
        let found = count_games(&folder);
        assert!(found > least, "{found} games after {least}");
        least = found;
    }
    // What a kill in the middle of a write would leave: too little for even the shortest game.
    let mut torn = std::fs::read(&games).unwrap();
    let first = torn[..34].to_vec();
    torn.extend(first);
    std::fs::write(&games, torn).unwrap();
    assert_eq!(stats(&folder).status.code(), Some(1));
    let wanted = (least + 3).to_string();
    let output = datagen(&folder, &["--threads", "2", "--games", &wanted]).output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains(" 34 bytes cut"));
    assert_eq!(count_games(&folder), least + 3);
}

#[test]
fn a_seed_gives_the_same_games_again() {
    let run = |name: &str, seed: &str| {
        let folder = folder(name);
        let more = ["--threads", "1", "--games", "3", "--seed", seed, "--chess960"];
        assert!(datagen(&folder, &more).output().unwrap().status.success());
        std::fs::read(folder.join("thread-00.vf")).unwrap()
    };
    assert_eq!(run("seed", "7"), run("same-seed", "7"));
    assert_ne!(run("seed", "7"), run("other-seed", "8"));
}

#[test]
fn a_damaged_game_is_told_with_its_file_and_place() {
    let folder = folder("damaged");
    assert!(datagen(&folder, &["--threads", "1", "--games", "3"]).output().unwrap().status.success());
    let path = folder.join("thread-00.vf");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[32] ^= 0x3f; // where the first move starts
    std::fs::write(&path, bytes).unwrap();
    let output = stats(&folder);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("thread-00.vf: game 1, at byte 0: move 1 of the game is illegal"), "{told}");
}

#[test]
fn a_missing_book_is_an_unreadable_input() {
    let output = datagen(&folder("book"), &["--book", "nowhere.epd"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
}
