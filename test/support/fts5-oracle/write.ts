import type { DatabaseSync } from 'node:sqlite'
import { expiryOf } from '../../../src/trademark/expiry.ts'
import { codesOf } from '../../../src/trademark/phonetic.ts'
import type { TrademarkRecord } from '../../../src/trademark/record.ts'
import { statusOf } from '../../../src/trademark/statuses.ts'
import { mergeRecords } from '../../../src/trademark/engine/search/merge.ts'
import {
  deletionsOf,
  formsOf,
  MAX_MARK_LENGTH,
  MIN_CODE_LENGTH,
  wordsOf,
  type RecordWords,
} from '../../../src/trademark/engine/search/record-terms.ts'

export type Writer = {
  /** The stored record; null if nothing changed. */
  upsert(record: TrademarkRecord): string | null
  /** Must be called after the last record. */
  finish(): void
}

export function createWriter(db: DatabaseSync): Writer {
  const known = db.prepare('SELECT number, record FROM records WHERE serial = ?')
  const insert = db.prepare(
    `INSERT OR REPLACE INTO records (number, serial, life, expiry, mark_length, goods_words, owner_words, names, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const word = db.prepare(
    'INSERT INTO words VALUES (?, ?) ON CONFLICT (word) DO UPDATE SET frequency = frequency + excluded.frequency',
  )
  const lists = { classes: 'class', squashes: 'squash', codes: 'code' } as const
  const into = (table: string) => db.prepare(`INSERT OR IGNORE INTO ${table} VALUES (?, ?)`)
  const outOf = (table: string, column: string) => db.prepare(`DELETE FROM ${table} WHERE ${column} = ? AND number = ?`)
  const add = { classes: into('classes'), squashes: into('squashes'), codes: into('codes') }
  const remove = {
    classes: outOf('classes', lists.classes),
    squashes: outOf('squashes', lists.squashes),
    codes: outOf('codes', lists.codes),
  }
  const texts = [
    { read: (words: RecordWords) => words.mark, ...textTable(db, 'marks') },
    { read: (words: RecordWords) => words.goods, ...textTable(db, 'goods') },
    { read: (words: RecordWords) => words.owner, ...textTable(db, 'owners') },
  ]
  let next = Number(db.prepare('SELECT coalesce(max(number), 0) AS n FROM records').get()!['n']) + 1
  const isKnownWord = db.prepare('SELECT 1 FROM words WHERE word = ?')
  const fresh = new Set<string>()

  /** Adds the words of a mark to the vocabulary, or removes them. */
  function countWords(words: RecordWords, by: 1 | -1): void {
    for (const one of words.mark) {
      if (by === 1 && !fresh.has(one) && !isKnownWord.get(one)) fresh.add(one)
      word.run(one, by)
    }
  }

  function removeRecord(number: number, old: TrademarkRecord): void {
    const words = wordsOf(old)
    for (const one of old.classes) remove.classes.run(one, number)
    for (const one of words.squashes) remove.squashes.run(one, number)
    for (const one of words.codes) remove.codes.run(one, number)
    for (const text of texts) text.remove(number)
    countWords(words, -1)
  }

  return {
    upsert(incoming) {
      const row = known.get(incoming.serial)
      const number = row === undefined ? next++ : Number(row['number'])
      const old = row === undefined ? null : (JSON.parse(String(row['record'])) as TrademarkRecord)
      // Also merges a new record with itself: fixed field order, so equal records are equal texts.
      const record = mergeRecords(old ?? incoming, incoming)
      const text = JSON.stringify(record)
      if (old !== null && text === row!['record']) return null
      if (old !== null) removeRecord(number, old)
      const words = wordsOf(record)
      insert.run(
        number,
        record.serial,
        statusOf(record.status).life,
        expiryOf(record),
        Math.min(MAX_MARK_LENGTH, words.squashes[0]?.length ?? 0),
        words.goods.length,
        words.owner.length,
        JSON.stringify([record.mark, ...record.pseudoMarks]),
        text,
      )
      for (const one of record.classes) add.classes.run(one, number)
      for (const one of words.squashes) add.squashes.run(one, number)
      for (const one of words.codes) add.codes.run(one, number)
      for (const table of texts) table.add(number, table.read(words))
      countWords(words, 1)
      return text
    },
    finish() {
      for (const table of texts) table.flush()
      const form = into('forms')
      const code = into('word_codes')
      const codeForm = into('code_forms')
      for (const one of fresh) {
        for (const key of formsOf(one)) form.run(key, one)
        for (const sound of new Set(codesOf(one))) {
          if (sound.length < MIN_CODE_LENGTH) continue
          code.run(sound, one)
          for (const key of [sound, ...deletionsOf(sound)]) codeForm.run(key, sound)
        }
      }
    },
  }
}

const MAX_BATCH_CHANGES = 20_000

/** Batches the changes of an FTS table: any other statement in between makes SQLite flush them, which is slow. */
function textTable(db: DatabaseSync, table: string) {
  const insert = db.prepare(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`)
  const remove = db.prepare(`DELETE FROM ${table} WHERE rowid = ?`)
  let changes: { readonly number: number; readonly words: string | null }[] = []
  const flush = () => {
    for (const { number, words } of changes) {
      if (words === null) remove.run(number)
      else insert.run(number, words)
    }
    changes = []
  }
  const enqueue = (number: number, words: string | null) => {
    if (changes.push({ number, words }) >= MAX_BATCH_CHANGES) flush()
  }
  return {
    add: (number: number, words: readonly string[]) => enqueue(number, words.join(' ')),
    remove: (number: number) => enqueue(number, null),
    flush,
  }
}
