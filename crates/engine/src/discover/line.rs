//! The commands that launch and build a source, with their placeholders filled in for a variant.

use crate::discover::Source;
use crate::discover::project::SuiteTable;
use crate::hash::Fnv;
use derny_model::{Problem, Variant};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

const ARGS: &str = "{args}";
const SUITE_ARGS: &str = "{suite-args}";
const BUILD_ARGS: &str = "{build-args}";
/// Placeholder for all files of a program. In a build command, for all files to build.
pub const FILES: &str = "{files}";
/// Placeholder for the runtime, or for the program with which a variant replaces it. If only the build
/// command contains this placeholder, it stands for the program that builds.
const RUNTIME: &str = "{runtime}";

fn has(line: &[String], placeholder: &str) -> bool {
    line.iter().any(|word| word == placeholder)
}

impl Source {
    /// Returns the words that launch a variant's program. `build` is the number of its build, and `args`
    /// are the arguments of a case.
    pub fn words(&self, variant: &Variant, build: u32, args: &[String]) -> Vec<String> {
        let source = self.at(variant);
        source.filled(&source.command, variant, build, args)
    }

    /// Returns the command line of the lister, a program that lists the cases of many files in one process.
    /// Empty if there is no lister, or if its line does not contain `{runtime}`.
    pub fn lister_words(&self, variant: &Variant) -> Vec<String> {
        let has_runtime = self.lister.iter().any(|word| word == "{runtime}");
        if has_runtime { self.at(variant).filled(&self.lister, variant, 0, &[]) } else { Vec::new() }
    }

    fn filled(&self, command: &[String], variant: &Variant, build: u32, args: &[String]) -> Vec<String> {
        let fill = |word: &String| self.fill(word, variant, build);
        let extra = || args.iter().chain(&variant.args).cloned();
        // If the source has no runtime, the variant's command replaces the entire line.
        let whole = variant.command.as_ref().filter(|_| !has(command, RUNTIME) && !has(&self.build, RUNTIME));
        let line = whole.map_or(command, Vec::as_slice);
        let runtime = match &variant.command {
            Some(command) if !self.has_own_runtime => command.clone(),
            _ => self.runtime.iter().map(fill).collect(),
        };
        // The variant's arguments are for the runtime, or for the suite's program if there is no runtime.
        let (to_runtime, to_suite) = (has(line, ARGS), has(line, SUITE_ARGS));
        let expand = |word: &String| match word.as_str() {
            "{runtime}" => runtime.clone(),
            ARGS => self.args.iter().cloned().chain(extra()).collect(),
            SUITE_ARGS if to_runtime => self.suite_args.clone(),
            SUITE_ARGS => self.suite_args.iter().chain(&variant.args).cloned().collect(),
            FILES => self.covered(variant),
            _ => vec![fill(word)],
        };
        let mut words: Vec<String> = line.iter().flat_map(expand).collect();
        if !to_runtime && !to_suite {
            words.extend(variant.args.iter().cloned());
        }
        words
    }

    fn covered(&self, variant: &Variant) -> Vec<String> {
        let root = self.root_for(variant);
        self.covers.iter().map(|file| root.join(file).display().to_string()).collect()
    }

    /// Returns the launch line for a variant, to store for a later launch. Placeholders for files and
    /// folders remain. `{args}` remains for the arguments of a case. `{suite-args}` remains if the
    /// arguments of a variant have no other place.
    pub fn launch_line(&self, variant: &Variant) -> Vec<String> {
        let source = self.at(variant);
        let own = variant.command.as_ref().filter(|_| !source.has_own_runtime);
        let runtime = own.unwrap_or(&source.runtime);
        let whole =
            variant.command.as_ref().filter(|_| !has(&self.command, RUNTIME) && !has(&self.build, RUNTIME));
        let command = &source.command;
        let expand = |word: &String| match word.as_str() {
            "{runtime}" => runtime.clone(),
            ARGS => self.args.iter().cloned().chain([word.clone()]).collect(),
            SUITE_ARGS if has(&self.command, ARGS) => self.suite_args.clone(),
            SUITE_ARGS => self.suite_args.iter().cloned().chain([word.clone()]).collect(),
            FILES => self.covers.iter().map(|file| format!("{{root}}/{file}")).collect(),
            _ => vec![word.clone()],
        };
        whole.unwrap_or(command).iter().flat_map(expand).collect()
    }

    /// Returns the build command for a variant, with placeholders for files and folders not filled in.
    pub fn build_line(&self, variant: &Variant) -> Vec<String> {
        let source = self.at(variant);
        let has_own = self.has_own_runtime || self.file_of(variant).is_some();
        let own = variant.command.as_ref().filter(|_| !has_own);
        let runtime = own.unwrap_or(&source.runtime);
        let expand = |word: &String| match word.as_str() {
            RUNTIME => runtime.clone(),
            BUILD_ARGS => self.build_args.iter().chain(&variant.build_args).cloned().collect(),
            _ => vec![word.clone()],
        };
        source.build.iter().flat_map(expand).collect()
    }

    /// Returns the part of a variant's environment that affects the build.
    pub fn build_env<'a>(&self, variant: &'a Variant) -> Vec<&'a (String, String)> {
        variant.env.iter().filter(|(name, _)| self.build_env.contains(name)).collect()
    }

    /// Returns the words of the command that builds a variant. `build` is the number of the build.
    pub fn build_words(&self, variant: &Variant, build: u32) -> Vec<String> {
        let source = self.at(variant);
        source.build_line(variant).iter().map(|word| source.fill(word, variant, build)).collect()
    }

    /// Returns true if one build command builds the programs of many files.
    pub fn is_built_with_others(&self) -> bool {
        has(&self.build, FILES)
    }

    /// Returns true if the launch line has a placeholder for arguments of the suite's own program.
    pub fn takes_suite_args(&self) -> bool {
        has(&self.command, SUITE_ARGS)
    }

    /// Returns true if the build command, or that of a revision, has a placeholder for arguments.
    pub fn takes_build_args(&self) -> bool {
        has(&self.build, BUILD_ARGS) || self.revision.as_ref().is_some_and(|own| has(&own.build, BUILD_ARGS))
    }

    /// Assigns the arguments in a suite's table to the placeholders of the launch line and the build command.
    /// `args` are for the suite's own program. If the launch line has no placeholder for them, they are for
    /// the runtime.
    ///
    /// Fails if a line has no placeholder for its arguments.
    pub(super) fn take_args(&mut self, table: &SuiteTable) -> Result<(), Problem> {
        self.args.clone_from(&table.runtime_args);
        self.build_args.clone_from(&table.build_args);
        match self.takes_suite_args() {
            true => self.suite_args.clone_from(&table.args),
            false => self.args.extend(table.args.iter().cloned()),
        }
        if !self.args.is_empty() && !has(&self.command, ARGS) {
            return Err(Problem::new("its arguments have no placeholder")
                .why("its command has neither {suite-args} nor {args}")
                .remedy("add one of them to `command`, or write the arguments there"));
        }
        if !self.build_args.is_empty() && !self.takes_build_args() {
            return Err(Problem::new("its build arguments have no placeholder")
                .why("its build command has no {build-args}")
                .remedy("add that word to `build`, or write the arguments there"));
        }
        Ok(())
    }

    /// Replaces `{file}` in a word with the path of the source's file, and `{name}` with that path without
    /// its extension. Called for a file that a variant names.
    pub(super) fn with_file(&self, word: &str) -> String {
        let file = self.file.clone().unwrap_or_default();
        let plain = Path::new(&file).with_extension("").display().to_string();
        let path = if Path::new(&file).is_absolute() { file } else { format!("{{root}}/{file}") };
        word.replace("{file}", &path).replace("{name}", plain.trim_start_matches('/'))
    }

    /// Fills in the placeholders of a word from a launch line or a build command.
    pub fn fill(&self, word: &str, variant: &Variant, build: u32) -> String {
        if let Cow::Owned(source) = self.at(variant) {
            return source.fill(word, variant, build);
        }
        let root = self.root_for(variant);
        let files = self.files_root.as_ref().unwrap_or(&root);
        let file =
            || self.file.as_ref().map(|file| files.join(file).display().to_string()).unwrap_or_default();
        let name = || {
            let plain = |file: &String| Path::new(file).with_extension("").display().to_string();
            self.file.as_ref().map(|file| if self.is_folder { file.clone() } else { plain(file) })
        };
        word.replace("{sdk}", &self.sdk.display().to_string())
            .replace("{file}", &file())
            .replace("{name}", &name().unwrap_or_default())
            .replace("{root}", &root.display().to_string())
            .replace("{build}", &self.build_folder(variant, build).display().to_string())
    }

    /// Returns true if each build has a separate folder, so that several builds can coexist.
    pub fn is_built_apart(&self) -> bool {
        let of_revision = self.revision.iter().map(|revision| &revision.runtime);
        let mut words = self.build.iter().chain(&self.command).chain(&self.runtime).chain(of_revision);
        words.any(|word| word.contains("{build}"))
    }

    /// Returns true if the build program is part of the SDK rather than a command of the project.
    pub fn is_built_by_sdk(&self) -> bool {
        self.build.iter().any(|word| word.contains("{sdk}"))
    }

    /// Returns true if copying the build folder is enough to run the build on another machine.
    pub fn is_carried(&self) -> bool {
        self.build_whole && !self.build.is_empty() && self.is_built_apart()
    }

    /// Returns the folder for the placeholder `{build}`. Each combination of build command, arguments and
    /// environment variables has a separate folder.
    pub fn build_folder(&self, variant: &Variant, build: u32) -> PathBuf {
        let mut hash = Fnv::new();
        self.build_line(variant).iter().for_each(|word| _ = hash.write(word.as_bytes()));
        for (name, value) in self.build_env(variant) {
            hash.write(name.as_bytes()).write(value.as_bytes());
        }
        let folder = variant.builds.get(build as usize).map(PathBuf::from).unwrap_or_default();
        folder.join(format!("{:08x}", hash.finish() as u32))
    }

    /// Returns true if the source's file exists for a variant. It may be missing in a revision.
    pub fn exists_for(&self, variant: &Variant) -> bool {
        self.file.as_ref().is_none_or(|file| self.root_for(variant).join(file).exists())
    }

    /// Returns the root of the project for a variant. A revision has its own root.
    pub fn root_for(&self, variant: &Variant) -> PathBuf {
        variant.directory.as_ref().map_or_else(|| self.root.clone(), PathBuf::from)
    }
}
