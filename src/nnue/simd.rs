//! Vector code of the network: whole operations behind function pointers, chosen once per network.
//!
//! Every path gives the same bits: sums of integers do not depend on their order. Sums over rows are left
//! to the compiler, which does as well as a hand would; the output's dot product is written out.
//! The portable path is what NEON and WebAssembly compile from.

use crate::board::backend::VARIABLE;

/// Neurons per block: one 64-byte line, one AVX-512 register.
pub(crate) const LANES: usize = 32;

/// Largest size of an output weight for which weight times activation fits 16 bits, as the kernels need.
pub(crate) const MAX_OUTPUT_WEIGHT: i16 = 128;

/// Largest activation; 1.0 in the network's fixed point.
pub(crate) const ONE: i16 = 255;

/// One line of neurons or weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block(pub [i16; LANES]);

impl Block {
    pub(crate) const ZERO: Block = Block([0; LANES]);
}

/// Vector instructions that a path uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// What every processor of the target has: SSE2 on x86-64, NEON on aarch64.
    Portable,
    /// AVX2.
    Avx2,
    /// AVX-512 with byte and word instructions.
    Avx512,
}

impl Level {
    /// All levels that this processor can run, the fastest last.
    pub fn available() -> impl Iterator<Item = Level> {
        [Level::Portable, Level::Avx2, Level::Avx512].into_iter().filter(|level| level.is_available())
    }

    /// The fastest level here. `CLAVIER_BACKEND=scalar|avx2` holds it down.
    pub fn best() -> Level {
        let ceiling = match std::env::var(VARIABLE).as_deref() {
            Ok("scalar") => Level::Portable,
            Ok("avx2") => Level::Avx2,
            _ => Level::Avx512,
        };
        Level::available().filter(|&level| level <= ceiling).last().unwrap_or(Level::Portable)
    }

    #[cfg(clavier_x86)]
    fn is_available(self) -> bool {
        match self {
            Level::Portable => true,
            Level::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"),
            Level::Avx512 => {
                Level::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
            }
        }
    }

    #[cfg(not(clavier_x86))]
    fn is_available(self) -> bool {
        self == Level::Portable
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Level::Portable if cfg!(clavier_x86) => "SSE2",
            Level::Portable => "portable",
            Level::Avx2 => "AVX2",
            Level::Avx512 => "AVX-512",
        })
    }
}

type Row<'a> = &'a [Block];
type Update<const ADDED: usize, const REMOVED: usize> =
    unsafe fn(&mut [Block], Row<'_>, Row<'_>, Switched<ADDED, REMOVED>);

/// The inputs that a move turns on and off, as White sees them and as Black does.
#[derive(Clone, Copy)]
pub(crate) struct Switched<const ADDED: usize, const REMOVED: usize> {
    pub added: [[u16; ADDED]; 2],
    pub removed: [[u16; REMOVED]; 2],
}

/// The operations of one level. All rows of a call must have one length.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    level: Level,
    move_one: Update<1, 1>,
    capture: Update<1, 2>,
    castle: Update<2, 2>,
    refresh: unsafe fn(&mut [Block], Row<'_>, Row<'_>, &[u16]),
    output: unsafe fn(Row<'_>, Row<'_>, Row<'_>) -> i32,
}

impl Kernels {
    /// The kernels of a level, or of the best one below it that this processor can run.
    pub(crate) fn new(level: Level) -> Kernels {
        match level {
            #[cfg(clavier_x86)]
            Level::Avx512 if level.is_available() => avx512::KERNELS,
            #[cfg(clavier_x86)]
            Level::Avx512 | Level::Avx2 if Level::Avx2.is_available() => avx2::KERNELS,
            _ => portable::KERNELS,
        }
    }

    pub(crate) fn level(&self) -> Level {
        self.level
    }

    /// A man has moved: of both halves `into = from + rows added - rows removed`.
    #[inline]
    pub(crate) fn move_one(&self, into: &mut [Block], from: Row<'_>, rows: Row<'_>, inputs: Switched<1, 1>) {
        // SAFETY: `new` gives out a level's kernels only on processors that have its instructions.
        unsafe { (self.move_one)(into, from, rows, inputs) }
    }

    /// A man has captured.
    #[inline]
    pub(crate) fn capture(&self, into: &mut [Block], from: Row<'_>, rows: Row<'_>, inputs: Switched<1, 2>) {
        // SAFETY: as in `move_one`.
        unsafe { (self.capture)(into, from, rows, inputs) }
    }

    /// Two men have moved.
    #[inline]
    pub(crate) fn castle(&self, into: &mut [Block], from: Row<'_>, rows: Row<'_>, inputs: Switched<2, 2>) {
        // SAFETY: as in `move_one`.
        unsafe { (self.castle)(into, from, rows, inputs) }
    }

    /// The bias and the rows of all these inputs added up.
    #[inline]
    pub(crate) fn refresh(&self, into: &mut [Block], bias: Row<'_>, rows: Row<'_>, inputs: &[u16]) {
        // SAFETY: as in `move_one`.
        unsafe { (self.refresh)(into, bias, rows, inputs) }
    }

    /// Sum of the squared clamped neurons of both halves times their weights, modulo 2^32.
    #[inline]
    pub(crate) fn output(&self, ours: Row<'_>, theirs: Row<'_>, weights: Row<'_>) -> i32 {
        // SAFETY: as in `move_one`.
        unsafe { (self.output)(ours, theirs, weights) }
    }
}

/// Bodies that every level compiles for itself.
mod body {
    use super::{Block, Row, Switched};
    #[cfg(any(test, not(clavier_x86)))]
    use super::{LANES, ONE};

    /// Lines of one half of the network that comes with the program: such halves get code of their own, without loops.
    const COMMON: usize = 8;

    #[inline(always)]
    pub(super) fn update<const ADDED: usize, const REMOVED: usize>(
        into: &mut [Block],
        from: Row<'_>,
        rows: Row<'_>,
        inputs: Switched<ADDED, REMOVED>,
    ) {
        match into.len() / 2 {
            COMMON => update_halves(into, from, rows, inputs, COMMON),
            blocks => update_halves(into, from, rows, inputs, blocks),
        }
    }

    #[inline(always)]
    fn update_halves<const ADDED: usize, const REMOVED: usize>(
        into: &mut [Block],
        from: Row<'_>,
        rows: Row<'_>,
        inputs: Switched<ADDED, REMOVED>,
        blocks: usize,
    ) {
        let Switched { added, removed } = inputs;
        let row = |input: u16| {
            let start = usize::from(input) * blocks;
            &rows[start..start + blocks]
        };
        for (half, (into, from)) in into.chunks_exact_mut(blocks).zip(from.chunks_exact(blocks)).enumerate() {
            add_rows(into, from, added[half].map(row), removed[half].map(row));
        }
    }

    #[inline(always)]
    fn add_rows<const ADDED: usize, const REMOVED: usize>(
        into: &mut [Block],
        from: Row<'_>,
        added: [Row<'_>; ADDED],
        removed: [Row<'_>; REMOVED],
    ) {
        for (block, (into, from)) in into.iter_mut().zip(from).enumerate() {
            let mut sum = from.0;
            for row in added {
                for (lane, value) in sum.iter_mut().zip(&row[block].0) {
                    *lane = lane.wrapping_add(*value);
                }
            }
            for row in removed {
                for (lane, value) in sum.iter_mut().zip(&row[block].0) {
                    *lane = lane.wrapping_sub(*value);
                }
            }
            into.0 = sum;
        }
    }

    #[inline(always)]
    pub(super) fn refresh(into: &mut [Block], bias: Row<'_>, rows: Row<'_>, inputs: &[u16]) {
        let blocks = into.len();
        for (block, (into, bias)) in into.iter_mut().zip(bias).enumerate() {
            let mut sum = bias.0;
            for &input in inputs {
                let row = &rows[input as usize * blocks + block].0;
                for (lane, value) in sum.iter_mut().zip(row) {
                    *lane = lane.wrapping_add(*value);
                }
            }
            into.0 = sum;
        }
    }

    /// The plain meaning of the output kernels.
    #[cfg(any(test, not(clavier_x86)))]
    #[inline(always)]
    pub(super) fn output(ours: Row<'_>, theirs: Row<'_>, weights: Row<'_>) -> i32 {
        let mut lanes = [0i32; LANES];
        for (neurons, weights) in ours.iter().chain(theirs).zip(weights) {
            for (sum, (&neuron, &weight)) in lanes.iter_mut().zip(neurons.0.iter().zip(&weights.0)) {
                let value = neuron.clamp(0, ONE);
                let product = value.wrapping_mul(weight);
                *sum = sum.wrapping_add(i32::from(product) * i32::from(value));
            }
        }
        lanes.into_iter().fold(0, i32::wrapping_add)
    }
}

/// Compiles the bodies for one level.
macro_rules! level {
    ($level:expr, $output:path $(, #[$feature:meta])?) => {
        use super::{Block, Kernels, Level, Row, Switched, body};

        pub(super) const KERNELS: Kernels = Kernels {
            level: $level,
            move_one: update::<1, 1>,
            capture: update::<1, 2>,
            castle: update::<2, 2>,
            refresh,
            output: $output,
        };

        $(#[$feature])?
        fn update<const ADDED: usize, const REMOVED: usize>(
            into: &mut [Block],
            from: Row<'_>,
            rows: Row<'_>,
            inputs: Switched<ADDED, REMOVED>,
        ) {
            body::update(into, from, rows, inputs);
        }

        $(#[$feature])?
        fn refresh(into: &mut [Block], bias: Row<'_>, rows: Row<'_>, inputs: &[u16]) {
            body::refresh(into, bias, rows, inputs);
        }
    };
}

mod portable {
    #[cfg(not(clavier_x86))]
    level!(Level::Portable, body::output);
    #[cfg(clavier_x86)]
    level!(Level::Portable, output);

    /// The compiler's own SSE2 code for the dot product is poor, so it is written out.
    #[cfg(clavier_x86)]
    #[target_feature(enable = "sse2")]
    fn output(ours: Row<'_>, theirs: Row<'_>, weights: Row<'_>) -> i32 {
        use std::arch::x86_64::{
            __m128i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_load_si128, _mm_madd_epi16, _mm_max_epi16,
            _mm_min_epi16, _mm_mullo_epi16, _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi32,
        };
        let (zero, one) = (_mm_setzero_si128(), _mm_set1_epi16(super::ONE));
        let mut sums = [zero; 4];
        for (neurons, weights) in ours.iter().chain(theirs).zip(weights) {
            let (neurons, weights): (*const __m128i, *const __m128i) =
                (neurons.0.as_ptr().cast(), weights.0.as_ptr().cast());
            for (part, sum) in sums.iter_mut().enumerate() {
                // SAFETY: a block is four aligned registers of 16 bytes.
                let (value, weight) =
                    unsafe { (_mm_load_si128(neurons.add(part)), _mm_load_si128(weights.add(part))) };
                let value = _mm_min_epi16(_mm_max_epi16(value, zero), one);
                let product = _mm_madd_epi16(_mm_mullo_epi16(value, weight), value);
                *sum = _mm_add_epi32(*sum, product);
            }
        }
        let sum = _mm_add_epi32(_mm_add_epi32(sums[0], sums[1]), _mm_add_epi32(sums[2], sums[3]));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b01_00_11_10>(sum));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b10_11_00_01>(sum));
        _mm_cvtsi128_si32(sum)
    }
}

#[cfg(clavier_x86)]
mod avx2 {
    level!(Level::Avx2, output, #[target_feature(enable = "avx2")]);

    #[target_feature(enable = "avx2")]
    fn output(ours: Row<'_>, theirs: Row<'_>, weights: Row<'_>) -> i32 {
        use std::arch::x86_64::{
            __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
            _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
            _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
        };
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(super::ONE));
        let mut sums = [zero; 4];
        let (our_weights, their_weights) = weights.split_at(ours.len());
        for ((ours, our_weights), (theirs, their_weights)) in
            ours.iter().zip(our_weights).zip(theirs.iter().zip(their_weights))
        {
            for (half, (neurons, weights)) in
                [(ours, our_weights), (theirs, their_weights)].iter().enumerate()
            {
                let (neurons, weights): (*const __m256i, *const __m256i) =
                    (neurons.0.as_ptr().cast(), weights.0.as_ptr().cast());
                for part in 0..2 {
                    // SAFETY: a block is two aligned registers of 32 bytes.
                    let (value, weight) = unsafe {
                        (_mm256_load_si256(neurons.add(part)), _mm256_load_si256(weights.add(part)))
                    };
                    let value = _mm256_min_epi16(_mm256_max_epi16(value, zero), one);
                    let product = _mm256_madd_epi16(_mm256_mullo_epi16(value, weight), value);
                    sums[2 * half + part] = _mm256_add_epi32(sums[2 * half + part], product);
                }
            }
        }
        let sum = _mm256_add_epi32(_mm256_add_epi32(sums[0], sums[1]), _mm256_add_epi32(sums[2], sums[3]));
        let sum = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b01_00_11_10>(sum));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b10_11_00_01>(sum));
        _mm_cvtsi128_si32(sum)
    }
}

#[cfg(clavier_x86)]
mod avx512 {
    level!(Level::Avx512, output, #[target_feature(enable = "avx512f,avx512bw")]);

    #[target_feature(enable = "avx512f,avx512bw")]
    fn output(ours: Row<'_>, theirs: Row<'_>, weights: Row<'_>) -> i32 {
        use std::arch::x86_64::{
            _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16,
            _mm512_mullo_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512,
        };
        let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(super::ONE));
        let mut sums = [zero; 2];
        let (our_weights, their_weights) = weights.split_at(ours.len());
        for ((ours, our_weights), (theirs, their_weights)) in
            ours.iter().zip(our_weights).zip(theirs.iter().zip(their_weights))
        {
            for (sum, (neurons, weights)) in
                sums.iter_mut().zip([(ours, our_weights), (theirs, their_weights)])
            {
                // SAFETY: a block is one aligned register of 64 bytes.
                let (value, weight) = unsafe {
                    (
                        _mm512_load_si512(neurons.0.as_ptr().cast()),
                        _mm512_load_si512(weights.0.as_ptr().cast()),
                    )
                };
                let value = _mm512_min_epi16(_mm512_max_epi16(value, zero), one);
                let product = _mm512_madd_epi16(_mm512_mullo_epi16(value, weight), value);
                *sum = _mm512_add_epi32(*sum, product);
            }
        }
        _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
    }
}

/// Work that the compiler shall vectorize for each level. Mark [`Task::run`] and all it calls
/// `#[inline(always)]`.
pub trait Task {
    /// What the work yields.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Does the work with a level's instructions, or the best ones below it that this processor has.
pub fn vectorized<T: Task>(level: Level, task: T) -> T::Output {
    match level {
        #[cfg(clavier_x86)]
        // SAFETY: the processor has these instructions.
        Level::Avx512 if level.is_available() => unsafe { run_avx512(task) },
        #[cfg(clavier_x86)]
        // SAFETY: the processor has these instructions.
        Level::Avx512 | Level::Avx2 if Level::Avx2.is_available() => unsafe { run_avx2(task) },
        _ => task.run(),
    }
}

#[cfg(clavier_x86)]
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
fn run_avx512<T: Task>(task: T) -> T::Output {
    task.run()
}

#[cfg(clavier_x86)]
#[target_feature(enable = "avx2,popcnt")]
fn run_avx2<T: Task>(task: T) -> T::Output {
    task.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any 16-bit neurons: the kernels must agree on all of them.
    fn blocks(count: usize, random: &mut fastrand::Rng, range: std::ops::RangeInclusive<i16>) -> Vec<Block> {
        (0..count).map(|_| Block(std::array::from_fn(|_| random.i16(range.clone())))).collect()
    }

    #[test]
    fn every_level_gives_the_same_output() {
        let mut random = fastrand::Rng::with_seed(4);
        for width in [1, 2, 3, 8, 16, 32] {
            let (ours, theirs) =
                (blocks(width, &mut random, i16::MIN..=i16::MAX), blocks(width, &mut random, -300..=600));
            let weights = blocks(2 * width, &mut random, -128..=128);
            let expected = body::output(&ours, &theirs, &weights);
            for level in Level::available() {
                assert_eq!(Kernels::new(level).output(&ours, &theirs, &weights), expected, "{level}");
            }
        }
    }

    #[test]
    fn every_level_adds_rows_alike() {
        let mut random = fastrand::Rng::with_seed(5);
        for width in [1, 5, 8] {
            let rows = blocks(40 * width, &mut random, i16::MIN..=i16::MAX);
            let from = blocks(2 * width, &mut random, i16::MIN..=i16::MAX);
            let inputs: Vec<u16> = (0..20).map(|_| random.u16(0..40)).collect();
            let results: Vec<_> = Level::available()
                .map(|level| {
                    let kernels = Kernels::new(level);
                    let mut sums = [(); 4].map(|()| vec![Block::ZERO; 2 * width]);
                    kernels.refresh(&mut sums[0][..width], &from[..width], &rows, &inputs);
                    kernels.move_one(
                        &mut sums[1],
                        &from,
                        &rows,
                        Switched { added: [[1], [5]], removed: [[2], [6]] },
                    );
                    kernels.capture(
                        &mut sums[2],
                        &from,
                        &rows,
                        Switched { added: [[1], [5]], removed: [[2, 3], [6, 7]] },
                    );
                    kernels.castle(
                        &mut sums[3],
                        &from,
                        &rows,
                        Switched { added: [[1, 4], [5, 8]], removed: [[2, 3], [6, 7]] },
                    );
                    sums
                })
                .collect();
            assert!(results.iter().all(|sums| *sums == results[0]));
        }
    }
}
