/** Words are tokenized by `wordsOf` before they are stored, so SQLite's own tokenizer must not split them again. */
const wordTable = (name: string) =>
  `CREATE VIRTUAL TABLE ${name} USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');`

export const SCHEMA = `
  CREATE TABLE records (
    number INTEGER PRIMARY KEY,
    serial TEXT NOT NULL UNIQUE,
    life TEXT NOT NULL,
    expiry INTEGER,
    mark_length INTEGER NOT NULL,
    goods_words INTEGER NOT NULL,
    owner_words INTEGER NOT NULL,
    names TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX records_by_expiry ON records (expiry, serial) WHERE expiry IS NOT NULL;
  CREATE TABLE classes (class TEXT, number INTEGER, PRIMARY KEY (class, number)) STRICT, WITHOUT ROWID;
  CREATE TABLE squashes (squash TEXT, number INTEGER, PRIMARY KEY (squash, number)) STRICT, WITHOUT ROWID;
  CREATE TABLE codes (code TEXT, number INTEGER, PRIMARY KEY (code, number)) STRICT, WITHOUT ROWID;
  CREATE TABLE words (word TEXT PRIMARY KEY, frequency INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE forms (form TEXT, word TEXT, PRIMARY KEY (form, word)) STRICT, WITHOUT ROWID;
  CREATE TABLE word_codes (code TEXT, word TEXT, PRIMARY KEY (code, word)) STRICT, WITHOUT ROWID;
  CREATE TABLE code_forms (form TEXT, code TEXT, PRIMARY KEY (form, code)) STRICT, WITHOUT ROWID;
  ${wordTable('marks')}
  ${wordTable('goods')}
  ${wordTable('owners')}
`
