//! A PostgreSQL server for tests, by a socket in a temporary folder. It is started once for all tests of a program, and goes with it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

/// In a program that a test starts: the folder of its server.
pub const FOLDER: &str = "DERNY_TEST_POSTGRES";

/// The port of every server; they differ in their folders and hosts.
pub const PORT: u16 = 28457;

/// A server. It ends with this, and with the process, however that ends.
pub struct Server {
    folder: String,
    talk: Mutex<(Child, BufReader<ChildStdout>)>,
}

impl Server {
    /// Starts one.
    ///
    /// # Panics
    /// If there is no PostgreSQL.
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

    /// The one of this program.
    pub fn of_all() -> &'static Server {
        static ONE: OnceLock<Server> = OnceLock::new();
        ONE.get_or_init(Server::start)
    }

    /// The folder of its socket.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Hosts at which it takes encrypted connections: that of its certificate, and another.
    ///
    /// # Panics
    /// If it has not written them.
    pub fn hosts(&self) -> [String; 2] {
        let text = std::fs::read_to_string(format!("{}/hosts", self.folder))
            .expect("it writes them before it starts");
        let (own, other) = text.trim_end().split_once(' ').expect("there are two");
        [own.to_owned(), other.to_owned()]
    }

    /// The address of a schema, for the server's owner.
    pub fn address(&self, schema: &str) -> String {
        address(&self.folder, schema)
    }

    /// Tells it to `restart`, `stop` or `start`, and waits until that is done.
    ///
    /// # Panics
    /// If it does not do so.
    pub fn tell(&self, word: &str) {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let (child, out) = &mut *talk;
        let mut said = String::new();
        writeln!(child.stdin.as_mut().expect("it is piped"), "{word}").expect("it listens");
        out.read_line(&mut said).expect("it prints text");
        assert_eq!(said.trim_end(), word);
    }
}

/// The address of a schema at the server whose socket is in `folder`.
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
