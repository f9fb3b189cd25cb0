//! `clavier datagen`, `stats` and `train` as processes: kills, restarts, damage.
#![cfg(feature = "train")]

mod common;

use clavier::train::harvest::blocks;
use common::folder;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn clavier(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clavier"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
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

/// A training that takes a moment an epoch, and is the same every time.
fn train(games: &Path, out: &Path, more: &[&str]) -> Command {
    let mut command =
        clavier(&["train", "--hidden", "32", "--batch", "64", "--threads", "1", "--name", "small"]);
    command.args(more).arg("--out").arg(out).arg(games);
    command
}

#[test]
fn a_killed_harvest_is_cut_where_it_is_torn() {
    let folder = folder("killed-harvest");
    let path = folder.join("thread-00.hv");
    let run = |source: &str, more: &[&str]| {
        let mut command =
            clavier(&["datagen", "--nodes", "100", "--hash", "1", "--threads", "1", source, "3", "--out"]);
        command.arg(&folder).args(more);
        command
    };
    for (source, bytes) in [("--harvest", 20_000), ("--sample", 40_000)] {
        let mut run = run(source, &[]).spawn().unwrap();
        wait_for_bytes(&path, bytes);
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let mut bytes = std::fs::read(&path).unwrap();
    let found = blocks(&bytes).unwrap();
    bytes.truncate(found.last().unwrap().end);
    std::fs::write(&path, &bytes).unwrap();
    let wanted = (count_games(&folder) + 2).to_string();
    let torn = [&bytes[..], &bytes[..found[0].len() / 2]].concat();
    std::fs::write(&path, torn).unwrap();
    let told = String::from_utf8_lossy(&stats(&folder).stderr).into_owned();
    assert!(
        told.contains(&format!("thread-00.hv: block {}, at byte {}", found.len() + 1, bytes.len())),
        "{told}"
    );
    let learn =
        |out: &str| train(&folder, &folder.join(out), &["--harvest", "--epochs", "1"]).output().unwrap();
    let output = learn("torn");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(run("--sample", &["--games", &wanted]).output().unwrap().status.success());
    let after = std::fs::read(&path).unwrap();
    assert!(after.starts_with(&bytes), "whole blocks stay as they are");
    let all = blocks(&after).unwrap();
    assert_eq!((all.len(), all.last().unwrap().end), (found.len() + 2, after.len()));
    let output = learn("whole");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_killed_training_comes_to_the_same_network() {
    const EPOCHS: &str = "100";
    let folder = folder("killed-training");
    let games = folder.join("games");
    assert!(
        datagen(&games, &["--threads", "2", "--games", "16", "--seed", "3"])
            .output()
            .unwrap()
            .status
            .success()
    );
    let undisturbed = folder.join("undisturbed");
    let output = train(&games, &undisturbed, &["--epochs", EPOCHS]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let killed = folder.join("killed");
    let curve = killed.join("loss.csv");
    for _ in 0..2 {
        let done = std::fs::metadata(&curve).map_or(0, |file| file.len());
        let mut run = train(&games, &killed, &["--epochs", EPOCHS]).spawn().unwrap();
        wait_for_bytes(&curve, done + 300);
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let output = train(&games, &killed, &["--epochs", EPOCHS]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && told.contains("going on after epoch "), "{told}");
    let net = |folder: &Path| std::fs::read(folder.join("net.nnue")).unwrap();
    assert!(net(&killed) == net(&undisturbed));
    let epochs = std::fs::read_to_string(&curve).unwrap().lines().count();
    assert_eq!(epochs, std::fs::read_to_string(undisturbed.join("loss.csv")).unwrap().lines().count());
}

#[test]
fn a_seed_gives_the_same_games_again() {
    let run = |name: &str, seed: &str, sample: &str| {
        let folder = folder(name);
        let more = ["--threads", "1", "--games", "3", "--seed", seed, "--chess960", "--sample", sample];
        assert!(datagen(&folder, &more).output().unwrap().status.success());
        std::fs::read(folder.join("thread-00.vf")).unwrap()
    };
    let games = run("seed", "7", "0");
    assert_eq!(games, run("same-seed", "7", "0"));
    assert_ne!(games, run("other-seed", "8", "0"));
    // Leaves are searched between games, which do not notice.
    assert_eq!(games, run("sampled-seed", "7", "1"));
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
fn damaged_positions_from_inside_the_searches_are_told_with_their_place() {
    let folder = folder("damaged-inside");
    let mut run = clavier(&["datagen", "--nodes", "100", "--hash", "1", "--threads", "1", "--harvest", "3"]);
    assert!(run.args(["--games", "3", "--out"]).arg(&folder).output().unwrap().status.success());
    let path = folder.join("thread-00.hv");
    let mut bytes = std::fs::read(&path).unwrap();
    let second = blocks(&bytes).unwrap()[1].clone();
    let inside = bytes.len() / 32 - 3; // 32 bytes for each position and for the head of each game's block
    let told = String::from_utf8_lossy(&stats(&folder).stdout).into_owned();
    let line = told.lines().find(|line| line.starts_with("inside the searches")).unwrap();
    assert!(line.ends_with(&format!(" {inside}")), "{line}");
    for (number, block) in [(2, second.clone()), (3, blocks(&bytes).unwrap()[2].clone())] {
        let mut damaged = bytes.clone();
        damaged[block.start + 32 + 31] = 9; // what its first value is for White
        std::fs::write(&path, damaged).unwrap();
        let output = stats(&folder);
        assert_eq!(output.status.code(), Some(1));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let place = format!("thread-00.hv: block {number}, at byte {}: 9 is no bound", block.start);
        assert!(told.contains(&place), "{told}");
    }
    bytes[second.start] = b'?'; // where a block should begin
    std::fs::write(&path, &bytes).unwrap();
    let told = String::from_utf8_lossy(&stats(&folder).stderr).into_owned();
    let place = format!("thread-00.hv: block 2, at byte {}: no block of positions begins here", second.start);
    assert!(told.contains(&place), "{told}");
}

#[test]
fn a_missing_book_is_an_unreadable_input() {
    let output = datagen(&folder("book"), &["--book", "nowhere.epd"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_run_with_fewer_threads_leaves_torn_games_of_others_alone() {
    let folder = folder("fewer");
    assert!(datagen(&folder, &["--threads", "2", "--games", "8"]).output().unwrap().status.success());
    let other = folder.join("thread-01.vf");
    let bytes = std::fs::read(&other).unwrap();
    let torn = &bytes[..bytes.len() - 3];
    std::fs::write(&other, torn).unwrap();
    let output = datagen(&folder, &["--threads", "1", "--games", "12"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read(&other).unwrap(), torn);
}

#[test]
fn nothing_to_fit_to_is_no_model() {
    let folder = folder("nothing");
    let games = folder.join("empty.vf");
    std::fs::write(&games, []).unwrap();
    let output = clavier(&["calibrate"]).arg(&games).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.is_empty());
}

#[test]
fn more_random_plies_than_a_game_has_are_refused() {
    let output = datagen(&folder("plies"), &["--random-plies", "0", "4294967295"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_restart_without_games_keeps_the_checkpoint() {
    let folder = folder("restart");
    let (run, checkpoint) = (folder.join("run"), folder.join("run/checkpoint"));
    std::fs::create_dir(&run).unwrap();
    std::fs::write(&checkpoint, "dear").unwrap();
    let output = train(&folder.join("nowhere"), &run, &["--restart"]).output().unwrap();
    assert!(!output.status.success());
    assert!(checkpoint.exists());
}
