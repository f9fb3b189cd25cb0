//! Endgame tables: any file under the name of one, asked about a position.
#![no_main]

use clavier::board::Position;
use clavier::tablebase::Tablebase;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = std::env::temp_dir().join(format!("clavier-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder of temporary files can be written");
    for name in ["KQvK.rtbw", "KQvK.rtbz"] {
        std::fs::write(folder.join(name), bytes).expect("the folder of temporary files can be written");
    }
    let (tables, _) = Tablebase::open(folder.as_os_str());
    let position: Position = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1".parse().expect("the text is right");
    let _ = tables.probe_wdl(&position);
});
