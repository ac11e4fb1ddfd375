//! The environment of programs that are not part of Derny: harnesses, builds, runtimes, git. They
//! inherit the user's environment, except for variables that give access to Derny's store. Measured code
//! may come from third parties, and it does not need that access.
//!
//! Commands for these programs are created only here. The `env` of a suite or a variant is added
//! afterwards.

use std::ffi::OsStr;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// Variable with the location of the store, which may contain a password.
const OF_STORE: [&str; 1] = ["DERNY_STORE"];
/// Variables with credentials for a database server. Measured programs may need them, so they are
/// withheld only if the store uses them.
const OF_SERVER: [&str; 3] = ["PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE"];

/// True if the store is in a database on a server.
static IS_ON_SERVER: AtomicBool = AtomicBool::new(false);

/// From now on, withholds the credentials for a PostgreSQL server.
pub fn store_is_on_server() {
    IS_ON_SERVER.store(true, Ordering::Relaxed);
}

/// Returns the names of the withheld variables.
pub fn withheld() -> Vec<&'static str> {
    let of_server = OF_SERVER.iter().filter(|_| IS_ON_SERVER.load(Ordering::Relaxed));
    OF_STORE.iter().chain(of_server).copied().collect()
}

/// Returns a command for a program that is not part of Derny.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    withheld().into_iter().for_each(|variable| _ = command.env_remove(variable));
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_in_at_the_store_is_withheld_and_what_is_set_explicitly_stays() {
        let removed = |command: &Command| -> Vec<String> {
            let removed = command.get_envs().filter(|(_, value)| value.is_none());
            removed.map(|(name, _)| name.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(removed(&program("x")), ["DERNY_STORE"]);
        store_is_on_server();
        let mut command = program("x");
        assert_eq!(removed(&command), ["DERNY_STORE", "PGPASSFILE", "PGPASSWORD", "PGSERVICEFILE"]);
        command.env("PGPASSWORD", "of the benchmark");
        assert_eq!(removed(&command), ["DERNY_STORE", "PGPASSFILE", "PGSERVICEFILE"]);
    }
}
