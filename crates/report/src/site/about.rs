//! What a site shows besides histories.

/// A commit of the branch that the site shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Commit {
    /// Full hash.
    pub hash: String,
    /// Date, milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// First line of the message.
    pub subject: String,
    /// Names of tags that point at the commit.
    pub tags: Vec<String>,
}

/// The content of a site besides histories.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// Title, such as the name of the project.
    pub title: String,
    /// Time at which the site is written, in milliseconds since the Unix epoch. It also serves as the version
    /// of the site's files.
    pub made_ms: i64,
    /// Commits of the branch, ancestors first.
    pub commits: Vec<Commit>,
    /// Address of a commit's page. `{commit}` stands for the full hash. Without it, the hash is appended.
    pub commit_url: Option<String>,
    /// Address of a run's page, absolute or relative to the site. `{run}` stands for the run's id.
    pub run_url: Option<String>,
}
