//! The optional parts of Derny, and the error for a part that is missing in this build.
//!
//! Each part is a Cargo feature of the package `derny`. A default build omits them. `make install` and
//! `make dist` build all of them.

/// A part that is compiled only if the Cargo feature of the same name is enabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// An MCP server for agents.
    Mcp,
    /// Pictures as PNG.
    Png,
    /// Stores on a PostgreSQL server, with TLS.
    Postgres,
}

impl Feature {
    /// Returns the name of the Cargo feature.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Mcp => "mcp",
            Feature::Png => "png",
            Feature::Postgres => "postgres",
        }
    }

    /// Returns the cause of the error: this build lacks the part.
    pub fn why_missing(self) -> String {
        let part = match self {
            Feature::Mcp => "MCP server",
            Feature::Png => "PNG pictures",
            Feature::Postgres => "PostgreSQL stores",
        };
        format!("this build of Derny has no {part}")
    }

    /// Returns the remedy for the error.
    pub fn remedy(self) -> String {
        let instead = match self {
            Feature::Mcp => "call `derny … -f json` from a shell",
            Feature::Png => "write .svg",
            Feature::Postgres => "keep the store in a folder",
        };
        let name = self.name();
        format!("build it with `--features {name}`, or {instead}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_part_is_named_with_the_feature_that_has_it() {
        assert_eq!(Feature::Png.why_missing(), "this build of Derny has no PNG pictures");
        for feature in [Feature::Mcp, Feature::Png, Feature::Postgres] {
            assert!(feature.remedy().contains(&format!("--features {}`", feature.name())), "{feature:?}");
        }
    }
}
