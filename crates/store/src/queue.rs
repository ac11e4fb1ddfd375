//! Blocks of plans that several machines take from one store. A block is held for a while, which its holder lengthens as long as it
//! measures. What was measured is kept with the block, by who holds it, and once.

use crate::Store;
use crate::backend::{Leases, Taken};
use crate::connection::Connection;
use crate::error::{ErrorKind, StoreError, Trouble};
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::io::Read;
use std::path::Path;

/// The blocks of a plan in a store.
pub struct Queue {
    conn: Connection,
    plan: String,
    holder: String,
}

impl Store {
    /// The blocks of the plan of that name, for `holder`: a name that no other has. By a connection of its own, for a thread of its own.
    ///
    /// # Errors
    /// The store is a file, which only machines that share a folder could use.
    pub fn queue(&self, plan: &str, holder: &str) -> Result<Queue, StoreError> {
        let queue = Queue { conn: self.conn.again()?, plan: plan.to_owned(), holder: holder.to_owned() };
        queue.with("a plan's blocks cannot be taken", |_| Ok(()))?;
        Ok(queue)
    }
}

impl Queue {
    fn with<T>(
        &self,
        what: &str,
        act: impl FnOnce(&dyn Leases) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let Some(leases) = self.conn.leases() else {
            return Err(StoreError {
                kind: ErrorKind::Open,
                what: what.into(),
                place: self.conn.place(),
                why: "it is a folder, and blocks are taken from a server that all machines use".into(),
                remedy: "name one: --store postgresql://USER@HOST/NAME".into(),
            });
        };
        act(leases).map_err(|trouble| self.conn.explain(what, trouble))
    }

    /// Makes it known that the plan has so many blocks, numbered from 1. Nothing happens if that is known.
    pub fn offer(&self, blocks: u32) -> Result<(), StoreError> {
        self.with("the plan cannot be offered", |leases| leases.offer(&self.plan, blocks))
    }

    /// Takes a block that nobody holds, for so many seconds.
    pub fn take(&self, seconds: u32) -> Result<Taken, StoreError> {
        self.with("no block can be taken", |leases| leases.take(&self.plan, &self.holder, seconds))
    }

    /// Holds a block for so many seconds from now. False if another one has taken it.
    pub fn renew(&self, block: u32, seconds: u32) -> Result<bool, StoreError> {
        self.with("the block cannot be held", |leases| leases.renew(&self.plan, block, &self.holder, seconds))
    }

    /// Keeps the part of a block. False if another one has taken the block: then that one's counts.
    pub fn finish(&self, block: u32, part: &Path) -> Result<bool, StoreError> {
        let packed = std::fs::File::open(part).and_then(|file| {
            let mut bytes = Vec::new();
            DeflateEncoder::new(file, Compression::fast()).read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        let packed = packed.map_err(|error| unwritten(part, &error, "measure the block again"))?;
        self.with("what was measured cannot be kept", |leases| {
            leases.finish(&self.plan, block, &self.holder, &packed)
        })
    }

    /// Lets go of a block that was not measured.
    pub fn give_back(&self, block: u32) -> Result<(), StoreError> {
        self.with("the block cannot be given back", |leases| {
            leases.give_back(&self.plan, block, &self.holder)
        })
    }

    /// Writes the part of a block to a file. False if it was not measured yet.
    pub fn part(&self, block: u32, file: &Path) -> Result<bool, StoreError> {
        let found = self.with("the part cannot be read", |leases| leases.part(&self.plan, block))?;
        let Some(packed) = found else { return Ok(false) };
        let mut bytes = Vec::new();
        let unpacked = DeflateDecoder::new(&packed[..]).read_to_end(&mut bytes);
        let written = unpacked.and_then(|_| std::fs::write(file, bytes));
        written.map_err(|error| unwritten(file, &error, "make room on the disk"))?;
        Ok(true)
    }
}

fn unwritten(file: &Path, error: &std::io::Error, remedy: &str) -> StoreError {
    StoreError {
        kind: ErrorKind::Open,
        what: "the part of a block cannot be passed on".into(),
        place: file.display().to_string(),
        why: error.to_string(),
        remedy: remedy.into(),
    }
}
