//! Looking at 16 bytes with SSE2, which every x86-64 processor has: the only module with `unsafe`.

use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_max_epu8,
    _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8, _mm_setzero_si128, _mm_xor_si128,
};

use super::probe::Probes;
use super::set::{Block, Engine, Set, for_each};

/// The 16 bytes from `from` on, if there are so many.
#[inline(always)]
pub(super) fn block(bytes: &[u8], from: usize) -> Option<&Block> {
    // One comparison with a number that stays the same for a whole input.
    if from < bytes.len().saturating_sub(size_of::<Block>() - 1) {
        // SAFETY: at least 16 bytes begin at `from`, and an array of bytes needs no alignment.
        Some(unsafe { &*bytes.as_ptr().add(from).cast::<Block>() })
    } else {
        None
    }
}

/// The processor's 16-byte registers.
pub(super) enum Sse2 {}

impl Sse2 {
    /// One bit for each byte, the lowest for the first; what is found in the blocks is laid over each
    /// other.
    #[inline(always)]
    fn hits<S: Set, const N: usize>(blocks: [&Block; N]) -> u32 {
        // SAFETY: a load reads the 16 bytes behind a reference and needs no alignment. All these
        // functions are otherwise only unsafe to call where SSE2 may be missing, and this module is
        // only compiled for targets that have it.
        unsafe {
            let mut hits = _mm_setzero_si128();
            for block in blocks {
                let bytes = _mm_loadu_si128(block.as_ptr().cast::<__m128i>());
                for_each!(Probes<S>, probe, {
                    let splat = |byte: u8| _mm_set1_epi8(byte as i8);
                    let bytes = match probe.or {
                        0 => bytes,
                        or => _mm_or_si128(bytes, splat(or)),
                    };
                    let found = match (probe.first, probe.last) {
                        // All its bytes are below 0x80: from `last` to 0 become the greatest numbers with a sign.
                        (_, last) if probe.xor != 0 => {
                            let turned = _mm_xor_si128(bytes, splat(probe.xor ^ 0x7F));
                            _mm_cmpgt_epi8(turned, splat(0x7E - last))
                        }
                        // Only the top bit of each byte counts in the end.
                        (0x80, 0xFF) => bytes,
                        (first, last) if first == last => _mm_cmpeq_epi8(bytes, splat(first)),
                        (0, last) => _mm_cmpeq_epi8(_mm_min_epu8(bytes, splat(last)), bytes),
                        (first, 0xFF) => _mm_cmpeq_epi8(_mm_max_epu8(bytes, splat(first)), bytes),
                        (first, last) => {
                            // Moved up so that `last` is the greatest number of a byte with a sign.
                            let moved = _mm_add_epi8(bytes, splat(0x7F_u8.wrapping_sub(last)));
                            let below = 0x7E_u8.wrapping_sub(last.wrapping_sub(first));
                            _mm_cmpgt_epi8(moved, splat(below))
                        }
                    };
                    hits = _mm_or_si128(hits, found);
                });
            }
            _mm_movemask_epi8(hits) as u32
        }
    }
}

impl Engine for Sse2 {
    #[inline(always)]
    fn first<S: Set>(block: &Block, skipped: usize) -> Option<usize> {
        let hits = Self::hits::<S, 1>([block]) >> skipped << skipped;
        (hits != 0).then_some(hits.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn any<S: Set>(blocks: [&Block; 4]) -> bool {
        Self::hits::<S, 4>(blocks) != 0
    }

    #[inline(always)]
    fn bits<S: Set>(blocks: [&Block; 4]) -> u64 {
        let [a, b, c, d] = blocks.map(|block| u64::from(Self::hits::<S, 1>([block])));
        a | b << 16 | c << 32 | d << 48
    }

    // Without a branch for each block, which would often be mispredicted.
    #[inline(always)]
    fn first_of_four<S: Set>(blocks: [&Block; 4], skipped: usize) -> Option<usize> {
        let hits = Self::bits::<S>(blocks) & (u64::MAX << skipped);
        (hits != 0).then_some(hits.trailing_zeros() as usize)
    }
}
