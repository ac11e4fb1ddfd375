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
    /// Time of writing, milliseconds since the Unix epoch. It also tells the files of two versions of a site
    /// apart.
    pub made_ms: i64,
    /// Commits of the branch, ancestors first.
    pub commits: Vec<Commit>,
    /// Address of the page of a commit. `{commit}` stands for the full hash, which otherwise follows at the
    /// end.
    pub commit_url: Option<String>,
    /// Address of the page of a run, absolute or relative to the site. `{run}` stands for the id.
    pub run_url: Option<String>,
}
