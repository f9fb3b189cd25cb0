//! What makes a file a whole network: how it begins, and the checksum of all its bytes.
//!
//! This needs nothing else, so that `build.rs` can look by the same rules at the network that the binary is to carry.

/// The first bytes.
pub const MAGIC: [u8; 8] = *b"CLAVNNUE";
/// The one version of the format that is known here; bytes 8 and 9 tell a file's.
pub const VERSION: u16 = 1;
/// Bytes before the name.
pub const HEADER: usize = 32;

/// Does the checksum in the header, which has to be there, fit the other bytes?
pub fn is_whole(file: &[u8]) -> bool {
    file[24..HEADER] == checksum(file).to_le_bytes()
}

/// FNV-1a over the words of a file, its own field left out; the last word is filled up with zeros.
pub fn checksum(file: &[u8]) -> u64 {
    const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    // A bare multiplication never carries a high bit into the low ones.
    const ROTATION: u32 = 23;
    let (words, rest) = file[HEADER..].as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let header = file[..24].as_chunks::<8>().0;
    header
        .iter()
        .chain(words)
        .chain([&last])
        .fold(OFFSET, |sum, &word| (sum ^ u64::from_le_bytes(word)).wrapping_mul(PRIME).rotate_left(ROTATION))
}
