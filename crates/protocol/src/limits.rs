//! The version and the limits of the protocol.

/// The version of the protocol that this crate implements.
pub const VERSION: u32 = 1;

/// Maximum size of a line in bytes, including LF.
pub const MAX_LINE: usize = 65536;

/// Maximum number of batches in a turn.
pub const MAX_BATCHES: u32 = 4096;

/// Maximum size of the detail of an `error`, in bytes before encoding. Longer details are truncated.
pub const MAX_DETAIL: usize = 16 * 1024;
