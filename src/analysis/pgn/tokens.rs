//! The moves of a game and what stands among them, line by line.

use super::Token;

/// Splits the text of a game into tokens.
#[derive(Default)]
pub(super) struct Tokenizer {
    pub tokens: Vec<Token>,
    /// The comment that is open, if one is.
    comment: Option<String>,
    /// Variations that are open.
    depth: usize,
    /// Has the result been read?
    pub is_over: bool,
}

/// Marks of moves that are written behind them, with their numbers.
const MARKS: &[(&str, u8)] = &[("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)];
/// Results, with a form that some write.
const RESULTS: &[(&str, &str)] = &[
    ("1-0", "1-0"),
    ("0-1", "0-1"),
    ("1/2-1/2", "1/2-1/2"),
    ("1/2", "1/2-1/2"),
    ("½-½", "1/2-1/2"),
    ("*", "*"),
];

impl Tokenizer {
    /// Takes a line.
    pub fn feed(&mut self, line: &str) {
        // A line that starts with % is for other programs.
        if self.comment.is_none() && line.starts_with('%') {
            return;
        }
        let mut rest = line;
        while !rest.is_empty() {
            rest = if self.comment.is_some() { self.continue_comment(rest) } else { self.take_token(rest) };
        }
    }

    /// Is a comment open?
    pub fn is_in_comment(&self) -> bool {
        self.comment.is_some()
    }

    /// Ends a comment that has no end.
    pub fn close_comment(&mut self) {
        if let Some(comment) = self.comment.take() {
            self.tokens.push(Token::Comment(comment.trim().to_owned()));
        }
    }

    fn continue_comment<'a>(&mut self, text: &'a str) -> &'a str {
        let (inner, rest) = match text.split_once('}') {
            Some((inner, rest)) => (inner, Some(rest)),
            None => (text, None),
        };
        if let Some(comment) = &mut self.comment {
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.push_str(inner.trim());
        }
        if rest.is_some() {
            self.close_comment();
        }
        rest.unwrap_or_default()
    }

    /// Takes what the text begins with, and gives the rest.
    fn take_token<'a>(&mut self, text: &'a str) -> &'a str {
        let text = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter.is_control());
        let Some(first) = text.chars().next() else { return "" };
        let rest = &text[first.len_utf8()..];
        match first {
            '{' => self.comment = Some(String::new()),
            ';' => {
                self.tokens.push(Token::Comment(rest.trim().to_owned()));
                return "";
            }
            '(' => {
                self.depth += 1;
                self.tokens.push(Token::Open);
            }
            ')' if self.depth > 0 => {
                self.depth -= 1;
                self.tokens.push(Token::Close);
            }
            ')' | '}' => {}
            '$' => {
                let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
                self.tokens.extend(rest[..end].parse().ok().map(Token::Nag));
                return &rest[end..];
            }
            _ => {
                let is_end = |letter: char| letter.is_whitespace() || "{}();$".contains(letter);
                let end = text.find(is_end).unwrap_or(text.len());
                self.take_word(&text[..end]);
                return &text[end..];
            }
        }
        rest
    }

    fn take_word(&mut self, word: &str) {
        let word = word.replace(['–', '—'], "-");
        if let Some((_, result)) = RESULTS.iter().find(|(form, _)| *form == word) {
            self.is_over |= self.depth == 0;
            self.tokens.push(Token::Result((*result).to_owned()));
            return;
        }
        let word = without_number(&word);
        let text = word.trim_end_matches(['!', '?']);
        let text: String = text.chars().map(plain_letter).filter(|&letter| letter != 'P').collect();
        if super::is_null(&text) || looks_like_move(&text) {
            self.tokens.push(Token::Move(text));
        }
        let mark = &word[word.trim_end_matches(['!', '?']).len()..];
        self.tokens
            .extend(MARKS.iter().find(|(form, _)| *form == mark).map(|&(_, number)| Token::Nag(number)));
    }
}

/// The word without the number of a move before it: `1.`, `1...`, or a number alone.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if (rest.is_empty() && !super::is_null(word)) || rest.starts_with(['.', '…']) {
        rest.trim_start_matches(['.', '…'])
    } else {
        word
    }
}

/// The letter for a figurine.
fn plain_letter(letter: char) -> char {
    const FIGURINES: [(char, &str); 6] =
        [('K', "♔♚"), ('Q', "♕♛"), ('R', "♖♜"), ('B', "♗♝"), ('N', "♘♞"), ('P', "♙♟")];
    FIGURINES.into_iter().find(|(_, forms)| forms.contains(letter)).map_or(letter, |(plain, _)| plain)
}

/// Does the word name a square, or castling? Everything else is no move, whatever it is.
fn looks_like_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let names_square = bytes.windows(2).any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']));
    let castles = ["O-O", "0-0", "o-o"].iter().any(|form| word.starts_with(form));
    names_square || castles
}
