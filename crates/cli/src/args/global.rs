//! Options of every verb.

use clap::builder::FalseyValueParser;
use clap::{ArgAction, Args, ValueEnum};
use std::path::PathBuf;

/// Heading of rarely used flags.
pub const ADVANCED: &str = "Advanced";

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum When {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Flags of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Print no progress and no hints; twice: only errors
    #[arg(short, long, global = true, action = ArgAction::Count, env = "DERNY_QUIET")]
    pub quiet: u8,
    /// Show the plan, launch lines, output of programs, all warnings, and the parts of mean times; twice: the
    /// protocol too
    #[arg(short, long, global = true, action = ArgAction::Count, env = "DERNY_VERBOSE")]
    pub verbose: u8,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", env = "DERNY_COLOR", default_value = "auto")]
    pub color: When,
    /// Print only ASCII characters
    #[arg(long, global = true, env = "DERNY_ASCII", value_parser = FalseyValueParser::new())]
    pub ascii: bool,
    /// Print no progress
    #[arg(long, global = true, env = "DERNY_NO_PROGRESS", value_parser = FalseyValueParser::new())]
    pub no_progress: bool,
    /// Read this file instead of the nearest derny.toml
    #[arg(long, global = true, value_name = "FILE", env = "DERNY_CONFIG")]
    pub config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, global = true, env = "DERNY_NO_CONFIG", value_parser = FalseyValueParser::new())]
    pub no_config: bool,
    /// Work in this folder
    #[arg(short = 'C', global = true, value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// Seed for all random choices
    #[arg(long, global = true, value_name = "N", env = "DERNY_SEED")]
    pub seed: Option<u64>,
    /// Folder of the store, or postgresql://USER@HOST/NAME [default: .derny in the project]
    #[arg(long, global = true, value_name = "STORE", env = "DERNY_STORE", hide_env_values = true)]
    pub store: Option<PathBuf>,
}
