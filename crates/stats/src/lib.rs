//! Statistics for Derny: numbers in, numbers out. No clock, no I/O, no global randomness.
