//! Compares bulk perft of `clavier` with that of other move generators.
//!
//! All run as processes in turn, round by round, pinned to one core, so that a busy machine troubles all alike;
//! what counts is their CPU time. Told are the medians of the leaves per second, and the ratios to the first peer.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml [-- --rounds N] [--backends scalar,avx2,avx512]`

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Well-known test positions, with the depth to which they are counted and the right count.
const POSITIONS: [(&str, &str, u32, u64); 5] = [
    ("startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
    ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    ("position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6, 706_045_033),
    ("position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
];

/// Other generators, the one to compare with first.
const PEERS: [&str; 3] = ["cozy", "shakmaty", "chess"];

/// Backends of ours that are tried if they are not named.
const BACKENDS: [&str; 3] = ["scalar", "avx2", "avx512"];

/// Environment variable that forces a backend of ours.
const BACKEND_VARIABLE: &str = "CLAVIER_BACKEND";

/// One program to measure.
struct Contestant {
    name: String,
    program: PathBuf,
    /// The backend, if it is ours.
    backend: Option<String>,
}

/// What the user asked for.
struct Options {
    rounds: usize,
    backends: Vec<String>,
}

fn main() -> io::Result<()> {
    let options = options();
    let contestants = contestants(&options.backends)?;
    println!(
        "medians of {} rounds, million leaves per second of CPU time; in brackets: to {}\n",
        options.rounds, PEERS[0]
    );
    print!("{:<12}", "");
    contestants.iter().for_each(|contestant| print!("{:>18}", contestant.name));
    println!();
    let mut logarithms = vec![0.0; contestants.len()];
    for (name, fen, depth, leaves) in POSITIONS {
        let times = measure(&contestants, fen, depth, leaves, options.rounds)?;
        print!("{name:<12}");
        for (index, &time) in times.iter().enumerate() {
            let ratio = times[0] / time;
            logarithms[index] += ratio.ln() / POSITIONS.len() as f64;
            print!("{:>10.1} ({ratio:>5.2})", leaves as f64 / time / 1e6);
        }
        println!();
    }
    print!("{:<12}", "geometric");
    logarithms.iter().for_each(|logarithm| print!("{:>18.3}", logarithm.exp()));
    println!();
    Ok(())
}

fn options() -> Options {
    let mut options = Options { rounds: 3, backends: Vec::new() };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments.next();
        match (argument.as_str(), value) {
            ("--rounds", Some(value)) if value.parse::<usize>().is_ok_and(|rounds| rounds > 0) => {
                options.rounds = value.parse().expect("just parsed");
            }
            ("--backends", Some(value)) => options.backends = value.split(',').map(str::to_owned).collect(),
            _ => {
                eprintln!("usage: peers [--rounds N] [--backends scalar,avx2,avx512]");
                std::process::exit(2);
            }
        }
    }
    options
}

/// The peers and ours in every backend that this machine runs.
fn contestants(backends: &[String]) -> io::Result<Vec<Contestant>> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    build_peers(home)?;
    let mut contestants: Vec<Contestant> = PEERS
        .iter()
        .map(|&name| Contestant {
            name: name.to_owned(),
            program: home.join("target/release").join(name),
            backend: None,
        })
        .collect();
    let ours = home.join("../../target/release/clavier");
    if !ours.exists() {
        eprintln!("{} is not built: run `cargo build --release` first", ours.display());
        std::process::exit(1);
    }
    let wanted: Vec<String> =
        if backends.is_empty() { BACKENDS.map(str::to_owned).to_vec() } else { backends.to_vec() };
    for backend in wanted {
        let contestant =
            Contestant { name: backend.clone(), program: ours.clone(), backend: Some(backend.clone()) };
        match contestant.count(POSITIONS[0].1, 1) {
            Ok((20, _)) => contestants.push(contestant),
            _ => eprintln!("backend {backend} does not run here"),
        }
    }
    Ok(contestants)
}

/// Builds the peers from their own folder, whose settings name this machine's CPU.
fn build_peers(home: &Path) -> io::Result<()> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release", "-p", "generators"])
        .current_dir(home)
        .status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other("the peers do not build")) }
}

/// Median CPU time of every contestant, in seconds.
fn measure(
    contestants: &[Contestant],
    fen: &str,
    depth: u32,
    leaves: u64,
    rounds: usize,
) -> io::Result<Vec<f64>> {
    let mut times = vec![Vec::new(); contestants.len()];
    for _ in 0..rounds {
        for (contestant, times) in contestants.iter().zip(&mut times) {
            let (found, time) = contestant.count(fen, depth)?;
            if found != leaves {
                return Err(io::Error::other(format!("{} counts {found}, not {leaves}", contestant.name)));
            }
            times.push(time);
        }
    }
    Ok(times.into_iter().map(median).collect())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

impl Contestant {
    /// The number of leaves and the CPU time in seconds of a process that counts them.
    fn count(&self, fen: &str, depth: u32) -> io::Result<(u64, f64)> {
        let mut command = pinned(&self.program);
        match &self.backend {
            None => command.args([&depth.to_string(), fen]),
            Some(backend) => command.env(BACKEND_VARIABLE, backend).args([
                "perft",
                &depth.to_string(),
                "--fen",
                fen,
                "--json",
            ]),
        };
        let before = children_time();
        let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output()?;
        let time = children_time() - before;
        let text = String::from_utf8_lossy(&output.stdout);
        let leaves = if self.backend.is_some() { json_nodes(&text) } else { text.trim().parse().ok() };
        match leaves {
            Some(leaves) => Ok((leaves, time)),
            None => Err(io::Error::other(format!("{} does not count: {}", self.name, output.status))),
        }
    }
}

/// The value of `"nodes"` in a line of JSON.
fn json_nodes(text: &str) -> Option<u64> {
    let (_, rest) = text.split_once("\"nodes\":")?;
    rest.split(|letter: char| !letter.is_ascii_digit()).find(|digits| !digits.is_empty())?.parse().ok()
}

/// The program, on one core where the machine has `taskset`.
fn pinned(program: &Path) -> Command {
    let has_taskset = Command::new("taskset").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !has_taskset {
        return Command::new(program);
    }
    let last_core = std::thread::available_parallelism().map_or(0, |cores| cores.get() - 1);
    let mut command = Command::new("taskset");
    command.args(["-c", &last_core.to_string()]).arg(program);
    command
}

/// CPU time of all ended children, in seconds.
fn children_time() -> f64 {
    // SAFETY: all-zero bytes are a valid rusage, which getrusage only fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
