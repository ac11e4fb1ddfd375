//! The harness protocol, version 1, sans I/O: messages, parsing, printing and the session state machine.
