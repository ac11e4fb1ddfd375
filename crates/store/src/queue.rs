//! The queue of a plan's shards, from which several machines take shards through one store. A machine extends
//! its lease while it measures a shard. It then stores the measurements in the queue, once.

use crate::Store;
use crate::backend::{Leases, Taken};
use crate::connection::Connection;
use crate::error::{ErrorKind, StoreError, Trouble};
use derny_model::Problem;
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::io::Read;
use std::path::Path;

/// Maximum size of a part in bytes, in addition to 100 times its compressed size.
const MOST_BYTES: u64 = 1 << 30;

/// The shards of one plan in a store.
pub struct Queue {
    conn: Connection,
    plan: String,
    holder: String,
}

impl Store {
    /// Opens the shards of the plan with this name for `holder`, which must be unique. Uses a separate
    /// connection, and can therefore move to another thread.
    ///
    /// # Errors
    ///
    /// Fails if the store is a folder.
    pub fn queue(&self, plan: &str, holder: &str) -> Result<Queue, StoreError> {
        let queue = Queue { conn: self.conn.again()?, plan: plan.to_owned(), holder: holder.to_owned() };
        queue.with("this store does not support shards of a plan", |_| Ok(()))?;
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
                problem: Problem::new(what)
                    .place(self.conn.place())
                    .why("the store is a folder, and shards need a server that all machines can reach")
                    .remedy("use --store postgresql://USER@HOST/NAME"),
            });
        };
        act(leases).map_err(|trouble| self.conn.explain(what, trouble))
    }

    /// Adds the shards 1 to `shards` of the plan. Does nothing if they exist.
    pub fn offer(&self, shards: u32) -> Result<(), StoreError> {
        self.with("the plan cannot be stored", |leases| leases.offer(&self.plan, shards))
    }

    /// Leases a shard for `seconds`. Skips shards that other machines have leased.
    pub fn take(&self, seconds: u32) -> Result<Taken, StoreError> {
        self.with("a shard cannot be reserved", |leases| leases.take(&self.plan, &self.holder, seconds))
    }

    /// Extends the lease of a shard to `seconds` from now. Returns false if another worker has taken it.
    pub fn renew(&self, shard: u32, seconds: u32) -> Result<bool, StoreError> {
        self.with(
            "the reservation of the shard cannot be \
            extended",
            |leases| leases.renew(&self.plan, shard, &self.holder, seconds),
        )
    }

    /// Stores the part of a shard. Returns false if another worker has taken the shard. That worker's part
    /// then counts.
    pub fn finish(&self, shard: u32, part: &Path) -> Result<bool, StoreError> {
        let packed = std::fs::File::open(part).and_then(|file| {
            let mut bytes = Vec::new();
            DeflateEncoder::new(file, Compression::fast()).read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        let packed = packed.map_err(|error| unwritten(part, &error, "measure the shard again"))?;
        self.with("the measurements cannot be stored", |leases| {
            leases.finish(&self.plan, shard, &self.holder, &packed)
        })
    }

    /// Gives back a shard that was not measured.
    pub fn give_back(&self, shard: u32) -> Result<(), StoreError> {
        self.with("the reservation of the shard cannot be cancelled", |leases| {
            leases.give_back(&self.plan, shard, &self.holder)
        })
    }

    /// Writes the part of a shard to a file. Returns false if the shard was not measured yet.
    pub fn part(&self, shard: u32, file: &Path) -> Result<bool, StoreError> {
        let found = self.with("the part cannot be read", |leases| leases.part(&self.plan, shard))?;
        let Some(packed) = found else { return Ok(false) };
        let most = MOST_BYTES + (packed.len() as u64).saturating_mul(100);
        let mut bytes = DeflateDecoder::new(&packed[..]).take(most + 1);
        let written = std::fs::File::create(file).and_then(|mut file| std::io::copy(&mut bytes, &mut file));
        match written {
            Ok(length) if length > most => {
                let error = std::io::Error::other(format!("it contains more than {} MB", most >> 20));
                Err(unwritten(file, &error, "measure the shard again"))
            }
            written => written.map(|_| true).map_err(|error| unwritten(file, &error, "free some disk space")),
        }
    }
}

fn unwritten(file: &Path, error: &std::io::Error, remedy: &str) -> StoreError {
    StoreError {
        kind: ErrorKind::Open,
        problem: Problem::new("the part of a shard cannot be written")
            .place(file.display())
            .why(error)
            .remedy(remedy),
    }
}
