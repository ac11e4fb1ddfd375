//! The version of the protocol, and its limits.

/// The protocol version of this crate. It only grows.
pub const VERSION: u32 = 1;

/// Maximum bytes of a line, LF included.
pub const MAX_LINE: usize = 65536;

/// Maximum number of batches in a turn.
pub const MAX_BATCHES: u32 = 4096;

/// Bytes (before encoding) to which the detail of an `error` is cut.
pub const MAX_DETAIL: usize = 16 * 1024;
