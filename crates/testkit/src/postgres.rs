//! A PostgreSQL server for tests, on a socket in a temporary folder. Each test program starts one
//! server, which ends with the program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Environment variable with which tests pass the folder of the server to child programs.
pub const FOLDER: &str = "DERNY_TEST_POSTGRES";

/// Port of every server. Servers differ in folder and host.
pub const PORT: u16 = 28457;

/// A server. It stops on drop, and also when the process ends in any other way.
pub struct Server {
    folder: String,
    talk: Mutex<(Child, BufReader<ChildStdout>)>,
}

impl Server {
    /// Starts a server.
    ///
    /// # Panics
    ///
    /// Panics if PostgreSQL is not installed.
    pub fn start() -> Server {
        let mut child = Command::new("sh")
            .args(["-c", include_str!("postgres.sh"), "derny"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut folder = String::new();
        out.read_line(&mut folder).expect("it prints text");
        assert!(!folder.is_empty(), "no PostgreSQL server: see above");
        Server { folder: folder.trim_end().to_owned(), talk: Mutex::new((child, out)) }
    }

    /// Returns the server that all tests of this program share.
    pub fn of_all() -> &'static Server {
        static ONE: OnceLock<Server> = OnceLock::new();
        ONE.get_or_init(Server::start)
    }

    /// Returns the folder of the server's socket.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Returns two hosts for encrypted connections: one that the server's certificate names, and another one.
    ///
    /// # Panics
    ///
    /// Panics if the server has not written them.
    pub fn hosts(&self) -> [String; 2] {
        let text = std::fs::read_to_string(format!("{}/hosts", self.folder))
            .expect("it writes them before it starts");
        let (own, other) = text.trim_end().split_once(' ').expect("there are two");
        [own.to_owned(), other.to_owned()]
    }

    /// Returns the address of a schema, with the owner of the server as the user.
    pub fn address(&self, schema: &str) -> String {
        address(&self.folder, schema)
    }

    /// Sends the command `restart`, `stop` or `start` to the server, and waits until it has finished.
    ///
    /// # Panics
    ///
    /// Panics if the command fails.
    pub fn tell(&self, word: &str) {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let (child, out) = &mut *talk;
        let mut said = String::new();
        writeln!(child.stdin.as_mut().expect("it is piped"), "{word}").expect("it listens");
        out.read_line(&mut said).expect("it prints text");
        assert_eq!(said.trim_end(), word);
    }
}

/// Returns the address of a schema on the server whose socket is in `folder`.
pub fn address(folder: &str, schema: &str) -> String {
    format!("postgresql:///postgres?host={folder}&port={PORT}&user=derny&schema={schema}")
}

impl Drop for Server {
    fn drop(&mut self) {
        let talk = self.talk.get_mut().unwrap_or_else(PoisonError::into_inner);
        drop(talk.0.stdin.take());
        let _ = talk.0.wait();
    }
}
