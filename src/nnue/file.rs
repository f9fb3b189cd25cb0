//! The file of a network.
//!
//! | bytes | what |
//! |---|---|
//! | 0-7 | `CLAVNNUE` |
//! | 8-9 | version of the format, 1 |
//! | 10 | activation, 1 = clamped to 0..=1 and squared |
//! | 11 | 1 if files are mirrored by the king, else 0 |
//! | 12 | sets of input weights, 1 |
//! | 13 | output buckets |
//! | 14-15 | hidden neurons of each half |
//! | 16-17, 18-19 | what is 1.0 among input weights (255) and among output weights |
//! | 20-21 | value of an output of 1.0, in internal units |
//! | 22-23 | length of the name, in bytes |
//! | 24-31 | checksum of all other bytes: FNV-1a over little-endian words of 64 bits, with a rotation |
//! | 32- | the name in UTF-8, then the weights: input weights, biases, output weights as `i16`, output biases as `i32` |
//!
//! All numbers are little-endian. The checksum: <http://www.isthe.com/chongo/tech/comp/fnv/>.

use super::features::INPUTS;
use super::network::{Architecture, ArchitectureError, Network, Weights};
use super::seal::{HEADER, MAGIC, VERSION, checksum, is_whole};
use super::simd::ONE;
use crate::regular_file;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The file of the network that the binary carries; `build.rs` says which.
static EMBEDDED: &[u8] = include_bytes!(env!("CLAVIER_NET"));

const SQUARED_CLAMP: u8 = 1;

/// Why a file is no network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// Another kind of file.
    #[error("this is no network of Clavier: it does not start with CLAVNNUE")]
    Magic,
    /// The file ends early or goes on after the weights.
    #[error("the file has {found} bytes, not {expected}")]
    Length {
        /// Bytes that it should have.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// Made by a later program.
    #[error("format version {0} is not known here, only 1 is")]
    Version(u16),
    /// A kind of network that this program cannot run.
    #[error("{name} {found} is not supported, only {supported} is")]
    Unsupported {
        /// Which property.
        name: &'static str,
        /// What the file says.
        found: u32,
        /// What this program can do.
        supported: u32,
    },
    /// The shape is impossible or a weight too large.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// The file was damaged.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// The name is no text.
    #[error("the name is not UTF-8")]
    Name,
}

impl Network {
    /// The network that the binary carries.
    ///
    /// # Panics
    /// Never in a binary whose tests pass: the file is read when the first one asks.
    pub fn embedded() -> Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> =
            LazyLock::new(|| Arc::new(Network::from_bytes(EMBEDDED).expect("the embedded network is sound")));
        Arc::clone(&NETWORK)
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// A [`NetworkError`] that says what is wrong with it.
    pub fn read(path: &Path) -> Result<Network, NetworkError> {
        let mut file = regular_file::open(path)?;
        let mut bytes = Vec::new();
        // Another kind of file may be huge.
        file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
        if bytes != MAGIC {
            return Err(NetworkError::Magic);
        }
        file.read_to_end(&mut bytes)?;
        Network::from_bytes(&bytes)
    }

    /// Reads the bytes of a network file.
    ///
    /// # Errors
    /// A [`NetworkError`] that says what is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NetworkError::Magic);
        }
        if bytes.len() < HEADER {
            return Err(NetworkError::Length { expected: HEADER, found: bytes.len() });
        }
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        check_support(bytes, word)?;
        let architecture = Architecture {
            hidden: usize::from(word(14)),
            mirrored: bytes[11] == 1,
            buckets: usize::from(bytes[13]),
        }
        .checked()?;
        let body = HEADER + usize::from(word(22));
        let expected = body + weight_bytes(architecture);
        if bytes.len() != expected {
            return Err(NetworkError::Length { expected, found: bytes.len() });
        }
        if !is_whole(bytes) {
            return Err(NetworkError::Checksum);
        }
        let name = std::str::from_utf8(&bytes[HEADER..body]).map_err(|_| NetworkError::Name)?;
        let weights = read_weights(architecture, i32::from(word(18)), &bytes[body..]);
        Ok(Network::new(architecture, i32::from(word(20)), name, &weights)?)
    }

    /// The bytes of the network's file. A name is cut at 1000 bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        const LONGEST_NAME: usize = 1000;
        let shape = self.architecture();
        let name = &self.name()[..self.name().floor_char_boundary(LONGEST_NAME)];
        let mut bytes = Vec::with_capacity(HEADER + name.len() + weight_bytes(shape));
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([SQUARED_CLAMP, u8::from(shape.mirrored), 1, shape.buckets as u8]);
        let weights = self.weights();
        let numbers =
            [shape.hidden, ONE as usize, weights.output_one as usize, self.scale() as usize, name.len()];
        for number in numbers.map(|number| number as u16) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([0; 8]);
        bytes.extend(name.as_bytes());
        for part in [&weights.features, &weights.bias, &weights.output] {
            bytes.extend(part.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(weights.output_bias.iter().flat_map(|number| number.to_le_bytes()));
        let sum = checksum(&bytes);
        bytes[24..HEADER].copy_from_slice(&sum.to_le_bytes());
        bytes
    }
}

/// Is it a kind of network that this program can run?
fn check_support(bytes: &[u8], word: impl Fn(usize) -> u16) -> Result<(), NetworkError> {
    if word(8) != VERSION {
        return Err(NetworkError::Version(word(8)));
    }
    let properties = [
        ("activation", u32::from(bytes[10]), u32::from(SQUARED_CLAMP)),
        ("mirroring", u32::from(bytes[11]), u32::from(bytes[11] & 1)),
        ("number of input buckets", u32::from(bytes[12]), 1),
        ("fixed point of inputs", u32::from(word(16)), ONE as u32),
    ];
    match properties.into_iter().find(|(_, found, supported)| found != supported) {
        Some((name, found, supported)) => Err(NetworkError::Unsupported { name, found, supported }),
        None => Ok(()),
    }
}

/// Bytes that the weights take.
fn weight_bytes(shape: Architecture) -> usize {
    2 * (INPUTS * shape.hidden + shape.hidden + shape.buckets * 2 * shape.hidden) + 4 * shape.buckets
}

/// Reads weights from exactly as many bytes as the shape takes.
fn read_weights(shape: Architecture, output_one: i32, bytes: &[u8]) -> Weights {
    let mut rest = bytes;
    let mut shorts = |count: usize| {
        let (part, left) = rest.split_at(2 * count);
        rest = left;
        part.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect::<Vec<_>>()
    };
    let features = shorts(INPUTS * shape.hidden);
    let bias = shorts(shape.hidden);
    let output = shorts(shape.buckets * 2 * shape.hidden);
    let output_bias = rest.as_chunks().0.iter().map(|&four| i32::from_le_bytes(four)).collect();
    Weights { features, bias, output, output_bias, output_one }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> Network {
        Network::random(Architecture { hidden: 32, mirrored: true, buckets: 4 }, 7).unwrap()
    }

    #[test]
    fn a_network_survives_its_file() {
        let bytes = network().to_bytes();
        let read = Network::from_bytes(&bytes).unwrap();
        assert_eq!(read.weights(), network().weights());
        assert_eq!(
            (read.architecture(), read.scale(), read.name()),
            (network().architecture(), 400, "random")
        );
    }

    #[test]
    fn a_changed_byte_anywhere_is_noticed() {
        let bytes = network().to_bytes();
        for at in (0..bytes.len()).filter(|at| *at < 64 || at % 509 == 0) {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert!(Network::from_bytes(&damaged).is_err(), "byte {at} bit {bit}");
            }
        }
    }

    #[test]
    fn a_bad_file_is_refused_with_its_reason() {
        let bytes = network().to_bytes();
        let refusal = |bytes: &[u8]| Network::from_bytes(bytes).unwrap_err().to_string();
        let magic = "this is no network of Clavier: it does not start with CLAVNNUE";
        assert_eq!(refusal(b""), magic);
        assert_eq!(refusal(b"PNG image"), magic);
        assert_eq!(refusal(b"CLAVNNUE"), "the file has 8 bytes, not 32");
        let length = bytes.len();
        let short = format!("the file has {} bytes, not {length}", length - 1);
        assert_eq!(refusal(&bytes[..length - 1]), short);
        let mut later = bytes.clone();
        later[8] = 2;
        assert_eq!(refusal(&later), "format version 2 is not known here, only 1 is");
        let mut other = bytes;
        other[10] = 3;
        assert_eq!(refusal(&other), "activation 3 is not supported, only 1 is");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_end_is_refused_at_once() {
        let refusal = Network::read(Path::new("/dev/zero")).unwrap_err().to_string();
        assert_eq!(refusal, "not a regular file");
    }

    #[test]
    fn the_embedded_network_is_sound() {
        assert!(Network::from_bytes(EMBEDDED).is_ok());
    }
}
