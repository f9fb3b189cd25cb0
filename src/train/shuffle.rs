//! A random order of any number of things without a list: a small cipher over their numbers.

/// Rounds of the cipher; four already pass for random (Luby and Rackoff, 1988).
const ROUNDS: usize = 4;

/// A permutation of `0..count`, the same for the same seed.
///
/// It is a Feistel network <https://en.wikipedia.org/wiki/Feistel_cipher> over the smallest even number of bits
/// that can count so far; numbers that fall outside are ciphered again until they fall inside.
#[derive(Clone, Copy, Debug)]
pub struct Shuffle {
    count: u64,
    half_bits: u32,
    keys: [u64; ROUNDS],
}

impl Shuffle {
    /// The order that a seed gives.
    pub fn new(count: usize, seed: u64) -> Shuffle {
        let bits = (u64::BITS - (count as u64).max(2).wrapping_sub(1).leading_zeros()).max(2);
        let mut random = fastrand::Rng::with_seed(seed);
        let keys = std::array::from_fn(|_| random.u64(..));
        Shuffle { count: count as u64, half_bits: bits.div_ceil(2), keys }
    }

    /// Number of the thing at a place in the order.
    #[inline]
    pub fn at(&self, place: usize) -> usize {
        debug_assert!((place as u64) < self.count);
        let mut number = place as u64;
        loop {
            number = self.cipher(number);
            if number < self.count {
                return number as usize;
            }
        }
    }

    #[inline]
    fn cipher(&self, number: u64) -> u64 {
        let mask = (1 << self.half_bits) - 1;
        let (mut left, mut right) = (number >> self.half_bits, number & mask);
        for key in self.keys {
            (left, right) = (right, left ^ mix(right ^ key) & mask);
        }
        left << self.half_bits | right
    }
}

/// Bits that depend on all bits of a number: the finalizer of `SplitMix64`, Steele, Lea and Flood 2014.
#[inline]
pub(super) fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

/// A number that depends on all bits of some bytes, and on one to begin with.
pub(super) fn mix_bytes(start: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(start, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(sum ^ u64::from_le_bytes(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for count in [1, 2, 3, 5, 16, 17, 1000, 4096, 4097] {
            let shuffle = Shuffle::new(count, 9);
            let mut seen = vec![false; count];
            for place in 0..count {
                assert!(!std::mem::replace(&mut seen[shuffle.at(place)], true), "{count}");
            }
        }
    }

    #[test]
    fn neighbors_are_torn_apart() {
        let shuffle = Shuffle::new(100_000, 9);
        let near = (1..100_000).filter(|&at| shuffle.at(at).abs_diff(shuffle.at(at - 1)) < 100).count();
        // Two in a thousand by chance.
        assert!((100..400).contains(&near), "{near}");
    }
}
