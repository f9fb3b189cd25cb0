//! Layer 0: opening files that must end. A device may have no end, and to open a pipe to which nobody writes would
//! never return.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a regular file for reading.
///
/// # Errors
/// Those of the system, and another for what is no regular file.
pub fn open(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::other("not a regular file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_opened() {
        let refusal = |path: &str| open(Path::new(path)).err().map(|error| error.to_string());
        assert_eq!(refusal(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")), None);
        assert_eq!(refusal(env!("CARGO_MANIFEST_DIR")).as_deref(), Some("not a regular file"));
        assert!(refusal("no/such/file").is_some());
    }
}
