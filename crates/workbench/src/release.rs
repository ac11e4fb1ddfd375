//! Addresses of Derny's releases, derived from the repository in the manifest.

/// The address of the releases. Each is in a folder `vVERSION`.
const DOWNLOAD: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/download");

/// Returns a text with `DERNY-DOWNLOAD` replaced by the address of the releases, and `DERNY-VERSION` by this
/// version. A workflow that Derny writes installs the release that wrote it.
pub fn fill(text: &str) -> String {
    text.replace("DERNY-DOWNLOAD", DOWNLOAD).replace("DERNY-VERSION", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_named_by_address_and_version() {
        let text = fill("DERNY-DOWNLOAD/vDERNY-VERSION/install.sh");
        let (address, rest) = text.split_once("/releases/download/v").expect(&text);
        assert!(address.starts_with("https://") && !address.ends_with('/'), "{text}");
        assert_eq!(rest, concat!(env!("CARGO_PKG_VERSION"), "/install.sh"));
    }
}
