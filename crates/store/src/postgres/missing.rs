//! Replaces the PostgreSQL store in builds without PostgreSQL. Every function fails.

use crate::backend::Backend;
use crate::error::{ErrorKind, StoreError};
use derny_model::secrets::word_without_secrets;
use derny_model::{Feature, Problem};

pub fn open(address: &str) -> Result<Box<dyn Backend>, StoreError> {
    Err(missing(address))
}

pub fn exists(address: &str) -> Result<bool, StoreError> {
    Err(missing(address))
}

fn missing(address: &str) -> StoreError {
    StoreError {
        kind: ErrorKind::Open,
        problem: Problem::new("the store cannot be opened")
            .place(word_without_secrets(address).into_owned())
            .why(Feature::Postgres.why_missing())
            .remedy(Feature::Postgres.remedy()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_without_postgresql_says_so_and_shows_no_password() {
        let address = "postgresql://me:hunter2@there/results";
        for error in [open(address).err().unwrap(), exists(address).unwrap_err()] {
            let text = error.to_string();
            assert!(text.contains("this build of Derny has no PostgreSQL stores"), "{text}");
            assert!(text.contains("--features postgres`") && text.contains("there/results"), "{text}");
            assert!(!text.contains("hunter2"), "{text}");
        }
    }
}
