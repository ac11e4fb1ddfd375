//! Error messages for users. All errors of Derny have this form.

use crate::Failure;
use std::fmt::{self, Display};
use std::ops::Deref;

/// A message in up to five parts, as small as a pointer.
///
/// The code that detects the fault sets the parts. They are never parsed from text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problem(Box<ProblemParts>);

/// The parts of a message. All except `what` may be empty. A part may have several lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProblemParts {
    /// Description of the problem, in one sentence without a full stop.
    pub what: String,
    /// Location: a file, option, suite or case.
    pub place: String,
    /// Existing names, if a given name does not exist.
    pub known: String,
    /// Reason for the problem.
    pub why: String,
    /// Command to type, or change to make.
    pub remedy: String,
}

impl Problem {
    /// Creates a problem that has only `what`.
    pub fn new(what: impl Display) -> Problem {
        Problem(Box::new(ProblemParts { what: what.to_string(), ..ProblemParts::default() }))
    }

    /// Returns the parts.
    pub fn into_parts(self) -> ProblemParts {
        *self.0
    }

    /// Sets the place.
    pub fn place(mut self, place: impl Display) -> Problem {
        self.0.place = place.to_string();
        self
    }

    /// Sets the names that exist.
    pub fn known(mut self, known: impl Display) -> Problem {
        self.0.known = known.to_string();
        self
    }

    /// Sets the cause.
    pub fn why(mut self, why: impl Display) -> Problem {
        self.0.why = why.to_string();
        self
    }

    /// Sets the remedy.
    pub fn remedy(mut self, remedy: impl Display) -> Problem {
        self.0.remedy = remedy.to_string();
        self
    }

    /// Prefixes `what` with a larger problem that this one causes.
    pub fn within(mut self, what: impl Display) -> Problem {
        self.0.what = format!("{what}: {}", self.what);
        self
    }

    /// Returns the problem and its cause in one line.
    pub fn in_a_line(&self) -> String {
        let first = |text: &str| text.lines().next().unwrap_or_default().trim().to_owned();
        match first(&self.why) {
            why if why.is_empty() => first(&self.what),
            why => format!("{}: {why}", first(&self.what)),
        }
    }
}

/// Creates a [`Problem`] from a format string, like `format!`.
#[macro_export]
macro_rules! problem {
    ($($text:tt)+) => { $crate::Problem::new(::std::format_args!($($text)+)) };
}

impl Deref for Problem {
    type Target = ProblemParts;

    fn deref(&self) -> &ProblemParts {
        &self.0
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.what)?;
        let parts =
            [("where", &self.place), ("known", &self.known), ("why", &self.why), ("try", &self.remedy)];
        for (label, text) in parts {
            let mut lines = text.trim_end().lines();
            let Some(line) = lines.next() else { continue };
            write!(f, "\n  {label:<7}{line}")?;
            lines.try_for_each(|line| write!(f, "\n         {line}"))?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

impl From<String> for Problem {
    fn from(what: String) -> Problem {
        Problem(Box::new(ProblemParts { what, ..ProblemParts::default() }))
    }
}

impl From<&str> for Problem {
    fn from(what: &str) -> Problem {
        Problem::new(what)
    }
}

impl From<&Failure> for Problem {
    fn from(failure: &Failure) -> Problem {
        let Failure { what, place, why, remedy, .. } = failure;
        Problem::new(what).place(place.join(" · ")).why(why).remedy(remedy)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn parts_have_lines_of_their_own_and_empty_ones_have_none() {
        assert_eq!(problem!("no {}", "store").to_string(), "no store");
        let problem = problem!("no metric `tiem`")
            .place("--metric tiem")
            .known("time, calls")
            .why("it is misspelt\nor of another run")
            .remedy(format_args!("--metric {}", "time"));
        assert_eq!(
            problem.to_string(),
            "no metric `tiem`\n  where  --metric tiem\n  known  time, calls\n  why    it is misspelt\n         \
             or of another run\n  try    --metric time"
        );
    }

    #[test]
    fn a_line_has_what_and_why() {
        assert_eq!(problem!("no store").remedy("another").in_a_line(), "no store");
        let problem = problem!("cannot build").why("`make` ended with 2\nmake: nothing to do");
        assert_eq!(problem.in_a_line(), "cannot build: `make` ended with 2");
        assert_eq!(
            problem.within("cannot resume").in_a_line(),
            "cannot resume: cannot build: `make` ended with 2"
        );
    }
}
