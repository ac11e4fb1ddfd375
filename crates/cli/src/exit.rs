//! Exit codes, which the book and `derny help` document. All of them are defined here.

use derny_workbench::{Error, Outcome, Result};
use std::io;

/// Exit code of a usage, configuration or internal error.
pub const USAGE: u8 = 2;

/// Returns the exit code for the result of a command.
pub fn status(done: &Result<Outcome>) -> u8 {
    let outcome = match done {
        Ok(outcome) => *outcome,
        Err(error) if is_broken_pipe(error) => Outcome::Done,
        Err(Error::Nothing(_)) => Outcome::Nothing,
        Err(Error::Interrupted) => Outcome::Interrupted,
        Err(_) => return USAGE,
    };
    match outcome {
        Outcome::Done => 0,
        Outcome::Worse => 1,
        Outcome::Unfit => USAGE,
        Outcome::Failed => 3,
        Outcome::Nothing => 4,
        Outcome::Undecided => 5,
        Outcome::Interrupted => 130,
    }
}

/// Returns true if an error should be printed. A stop by Ctrl-C or a closed output is not worth a message.
pub fn is_worth_telling(error: &Error) -> bool {
    !is_broken_pipe(error) && !matches!(error, Error::Interrupted)
}

/// Returns true if the reader of standard output closed it early, as in `derny list | head`. That is not an
/// error.
fn is_broken_pipe(error: &Error) -> bool {
    error.io().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(error: impl Into<Error>) -> (u8, bool) {
        let error = error.into();
        let worth = is_worth_telling(&error);
        (status(&Err(error)), worth)
    }

    #[test]
    fn errors_have_the_exit_code_of_what_they_mean() {
        assert_eq!(of(Error::Refused("no such margin".into())), (2, true));
        assert_eq!(of(Error::Nothing("no case matches".into())), (4, true));
        assert_eq!(of(Error::Interrupted), (130, false));
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!(of(closed()), (0, false));
        assert_eq!(of(Error::System(closed())), (0, false));
        assert_eq!(of(io::Error::from(io::ErrorKind::StorageFull)), (2, true));
    }
}
