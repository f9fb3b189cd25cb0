//! Going on with an output that was cut off at any place.

use super::batch::Batch;
use super::source::{Raw, SourceError};
use super::{Format, Plan, Style};
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Why an output cannot be gone on with.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum ResumeError {
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error("{path}, line {line}: this is no record of an analysis")]
    NoRecord { path: PathBuf, line: u64 },
    #[error("{path} was made with {name} {found}, and now it is {wanted}")]
    Different { path: PathBuf, name: String, found: Box<Value>, wanted: Box<Value> },
    #[error("{path} is not there, so nothing tells how {output} was made")]
    NoNotes { path: PathBuf, output: PathBuf },
    #[error("{path} holds {records} records, more than the input has items")]
    TooMany { path: PathBuf, records: u64 },
    #[error("{path}: record {record} is of {found}, and in the input it is {wanted}")]
    OtherItem { path: PathBuf, record: u64, found: Box<Value>, wanted: Box<Value> },
}

/// What an output holds.
pub struct Kept {
    /// The file, cut behind its last whole record and ready to be written on.
    pub file: File,
    /// Whole records.
    pub records: u64,
    /// Is there nothing at all, not even a header?
    pub is_blank: bool,
    /// The id of the last one, where records tell it.
    last_id: Option<Value>,
}

/// Everything that two runs must have in common.
fn marks(plan: &Plan, style: Style) -> Value {
    let mut marks = plan.fingerprint();
    marks["style"] = json!(format!("{style:?}"));
    marks
}

/// The file beside an output that tells how it was made, for forms that do not tell themselves.
fn notes_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".resume");
    name.into()
}

/// Begins an output.
///
/// # Errors
/// If it cannot be written.
pub fn begin(output: &Path, plan: &Plan, style: Style) -> Result<File, ResumeError> {
    let notes = (style.format != Format::Jsonl).then(|| marks(plan, style));
    create(output, notes.as_ref())
}

/// Creates an output, and beside a regular file the notes that tell how it was made.
pub(super) fn create(output: &Path, notes: Option<&Value>) -> Result<File, ResumeError> {
    let fault = |path: &Path| {
        let path = path.to_owned();
        move |source| ResumeError::File { path, source }
    };
    let file = File::create(output).map_err(fault(output))?;
    let is_regular = file.metadata().is_ok_and(|data| data.is_file());
    if let Some(notes) = notes.filter(|_| is_regular) {
        let path = notes_path(output);
        std::fs::write(&path, format!("{notes}\n")).map_err(fault(&path))?;
    }
    Ok(file)
}

/// Cuts a torn end off an output and makes it ready to be written on.
///
/// # Errors
/// If the file is no output of the same analysis.
pub fn reopen(output: &Path, plan: &Plan, style: Style) -> Result<Kept, ResumeError> {
    if is_missing_or_empty(output) {
        return begin(output, plan, style).map(|file| Kept {
            file,
            records: 0,
            is_blank: true,
            last_id: None,
        });
    }
    let mut file = open(output)?;
    if style.format != Format::Jsonl {
        check_notes(output, &marks(plan, style))?;
    }
    let (records, length, last_id) = scan(output, &file, plan, style)?;
    cut(output, &mut file, length)?;
    Ok(Kept { file, records, is_blank: length == 0, last_id })
}

/// Is there nothing to go on with?
pub(super) fn is_missing_or_empty(output: &Path) -> bool {
    output.metadata().map_or(true, |data| data.len() == 0)
}

/// Opens an output that is there.
pub(super) fn open(output: &Path) -> Result<File, ResumeError> {
    let fault = |source| ResumeError::File { path: output.to_owned(), source };
    OpenOptions::new().read(true).write(true).open(output).map_err(fault)
}

/// Cuts an output off behind so many bytes and makes it ready to be written on there.
pub(super) fn cut(output: &Path, file: &mut File, length: u64) -> Result<(), ResumeError> {
    let fault = |source| ResumeError::File { path: output.to_owned(), source };
    file.set_len(length).map_err(fault)?;
    file.seek(SeekFrom::Start(length)).map_err(fault)?;
    Ok(())
}

/// Compares the notes beside an output with what holds now.
pub(super) fn check_notes(output: &Path, wanted: &Value) -> Result<(), ResumeError> {
    let path = notes_path(output);
    let text = std::fs::read_to_string(&path)
        .map_err(|_| ResumeError::NoNotes { path: path.clone(), output: output.to_owned() })?;
    compare(output, &serde_json::from_str(&text).unwrap_or_default(), wanted)
}

/// Compares what a record or note tells with what holds now.
fn compare(output: &Path, found: &Value, wanted: &Value) -> Result<(), ResumeError> {
    for (name, wanted) in wanted.as_object().into_iter().flatten() {
        let found = &found[name];
        if found != wanted {
            let (path, name) = (output.to_owned(), name.clone());
            return Err(ResumeError::Different {
                path,
                name,
                found: found.clone().into(),
                wanted: wanted.clone().into(),
            });
        }
    }
    Ok(())
}

/// Number of whole records, the bytes up to their end, and the last id.
fn scan(
    output: &Path,
    file: &File,
    plan: &Plan,
    style: Style,
) -> Result<(u64, u64, Option<Value>), ResumeError> {
    let fault = |source| ResumeError::File { path: output.to_owned(), source };
    let wanted = plan.fingerprint();
    let (mut records, mut kept, mut offset, mut line, mut last_id) = (0, 0, 0_u64, 0, None);
    let mut reader = BufReader::new(file);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        offset += reader.read_until(b'\n', &mut bytes).map_err(fault)? as u64;
        if bytes.last() != Some(&b'\n') {
            return Ok((records, kept, last_id));
        }
        line += 1;
        if style.format == Format::Jsonl {
            let record: Value = serde_json::from_slice(&bytes)
                .map_err(|_| ResumeError::NoRecord { path: output.to_owned(), line })?;
            if record["status"] == "ok" {
                compare(output, &record, &wanted)?;
                compare_style(output, &record, style)?;
            }
            last_id = Some(record["id"].clone());
        }
        let is_header = line == 1 && style.header().as_bytes() == bytes;
        // A record of several lines ends with a blank one.
        if is_header || style.record_end() == "\n" || bytes == b"\n" {
            kept = offset;
            records += u64::from(!is_header);
        }
    }
}

/// Do the lines of a record look as they would now?
fn compare_style(output: &Path, record: &Value, style: Style) -> Result<(), ResumeError> {
    let Some(line) = record["lines"].get(0) else { return Ok(()) };
    let found = json!({
        "pov": line["score"]["pov"],
        "wdl": line.get("wdl").is_some(),
        "san": line.get("pv_san").is_some(),
    });
    compare(output, &found, &json!({"pov": style.view_name(), "wdl": style.wdl, "san": style.san}))
}

impl Kept {
    /// Takes the items that have records from a source; those in error have some only if they are recorded.
    ///
    /// # Errors
    /// If the records are not of these items.
    pub fn skip(
        &self,
        output: &Path,
        source: &mut dyn Iterator<Item = Result<Raw, SourceError>>,
        batch: &Batch<'_>,
    ) -> Result<u64, SkipError> {
        let (mut taken, mut met) = (0, 0);
        while met < self.records {
            let path = output.to_owned();
            let Some(raw) = source.next().transpose()? else {
                return Err(ResumeError::TooMany { path, records: self.records }.into());
            };
            taken += 1;
            let (id, is_recorded) = match raw.parse() {
                Ok(item) => (item.id, batch.records_errors() || batch.plan.accepts(&item.game)),
                Err(refusal) => (refusal.id, batch.records_errors()),
            };
            met += u64::from(is_recorded);
            let is_last = is_recorded && met == self.records;
            if let Some(found) = self.last_id.as_ref().filter(|&found| is_last && *found != id) {
                let found = found.clone().into();
                return Err(ResumeError::OtherItem { path, record: met, found, wanted: id.into() }.into());
            }
        }
        Ok(taken)
    }
}

/// Why items cannot be passed over.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum SkipError {
    #[error(transparent)]
    Resume(#[from] ResumeError),
    #[error(transparent)]
    Source(#[from] SourceError),
}
