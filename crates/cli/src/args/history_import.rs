//! Arguments of `derny history import`.

use super::look::formats;
use clap::Args;

/// `derny history import`.
#[derive(Debug, Clone, Args)]
pub struct HistoryImportArgs {
    /// Files of other tools, folders of them, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Format of the files [default: detected]
    #[arg(short, long, value_name = "FORMAT", value_parser = formats())]
    pub format: Option<String>,
    /// Suite name for the imported cases [default: from the file]
    #[arg(long, value_name = "NAME")]
    pub suite: Option<String>,
    /// Commit of results that name none: a hash, tag or branch
    #[arg(long, value_name = "COMMIT")]
    pub commit: Option<String>,
    /// Read {commit}, {date} and {host} from the end of paths, as in '{host}/{date}-{commit}.txt'
    #[arg(long, value_name = "TEMPLATE")]
    pub path_template: Option<String>,
}
