//! What several test programs need.

use std::path::PathBuf;

/// A file or folder of the public test data, which are no part of the repository: in `../shared` or in the
/// folder that `$CLAVIER_SHARED` names. None where they are not there; tests have nothing to do then.
pub fn shared(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("CLAVIER_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    Some(folder.join("data").join(name)).filter(|path| path.exists())
}
