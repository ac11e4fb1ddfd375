//! Counts allocations in programs that install [`CountingAllocator`]. Uses nothing else of the SDK.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // An allocator can use this at any time in a thread's life, because it has neither a destructor nor lazy
    // initialisation.
    static COUNTED: Cell<Counted> = const { Cell::new(Counted { bytes: 0, calls: 0 }) };
}

/// Memory requested by a thread since it started.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counted {
    /// Requested bytes.
    pub bytes: u64,
    /// Number of requests.
    pub calls: u64,
}

impl Counted {
    pub fn now() -> Counted {
        COUNTED.with(Cell::get)
    }

    /// Adds the memory requested since `start`.
    pub fn add_since(&mut self, start: Counted) {
        let now = Counted::now();
        self.bytes += now.bytes.wrapping_sub(start.bytes);
        self.calls += now.calls.wrapping_sub(start.calls);
    }
}

fn count(bytes: usize) {
    let Counted { bytes: before, calls } = COUNTED.with(Cell::get);
    COUNTED.with(|counted| {
        counted.set(Counted { bytes: before.wrapping_add(bytes as u64), calls: calls.wrapping_add(1) })
    });
}

/// An allocator that counts the requests of each thread to another allocator. With it, each turn reports the
/// exact number of `allocated` bytes and of `allocations` in its timed region:
///
/// ```
/// use derny_bench::CountingAllocator;
///
/// #[global_allocator]
/// static ALLOCATOR: CountingAllocator = CountingAllocator::system();
/// # fn main() {}
/// ```
///
/// A request is an allocation or a reallocation, of which only the additional bytes count. Freed memory and
/// requests of other threads do not count. Counting takes two additions to a thread-local value per request.
#[derive(Debug, Clone, Copy, Default)]
pub struct CountingAllocator<A = System>(A);

impl CountingAllocator {
    /// Returns an allocator that counts requests to the system allocator.
    pub const fn system() -> CountingAllocator {
        CountingAllocator(System)
    }
}

impl<A> CountingAllocator<A> {
    /// Returns an allocator that counts requests to another allocator.
    pub const fn around(allocator: A) -> CountingAllocator<A> {
        CountingAllocator(allocator)
    }
}

// SAFETY: Every request is passed unchanged to the inner allocator, which upholds the contract. Counting only
// accesses a thread-local value. It neither allocates nor unwinds.
#[allow(unsafe_code)] // Implementing `GlobalAlloc` is unsafe.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAllocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        self.0.alloc(layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        self.0.alloc_zeroed(layout)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.0.dealloc(pointer, layout);
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        self.0.realloc(pointer, layout, size)
    }
}

/// Returns true if this program has installed the allocator. Makes an allocation to find out.
pub fn is_installed() -> bool {
    let before = Counted::now();
    drop(std::hint::black_box(Box::new(1_u8)));
    Counted::now() != before
}
