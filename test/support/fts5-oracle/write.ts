import type { DatabaseSync } from 'node:sqlite'
import { expiryOf } from '../../../src/trademark/expiry.ts'
import { codesOf } from '../../../src/trademark/phonetic.ts'
import type { TrademarkRecord } from '../../../src/trademark/record.ts'
import { statusOf } from '../../../src/trademark/statuses.ts'
import { mergeRecords } from '../../../src/trademark/engine/build/merge-records.ts'
import { MAX_MARK_LENGTH, MIN_CODE_LENGTH } from '../../../src/trademark/engine/search/word-forms.ts'
import { wordsOf, type RecordWords } from './record-words.ts'
import { deletionsOf, formsOf } from './word-forms.ts'

export type Writer = {
  /** The merged record as JSON; null if nothing changed. */
  upsert(record: TrademarkRecord): string | null
  /** Call after the last record. */
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

  /** Adds to the document frequency of each word of a mark, or subtracts from it. */
  function count(words: RecordWords, by: 1 | -1): void {
    for (const one of words.mark) {
      if (by === 1 && !fresh.has(one) && !isKnownWord.get(one)) fresh.add(one)
      word.run(one, by)
    }
  }

  function removeOld(number: number, old: TrademarkRecord): void {
    const words = wordsOf(old)
    for (const one of old.classes) remove.classes.run(one, number)
    for (const one of words.squashes) remove.squashes.run(one, number)
    for (const one of words.codes) remove.codes.run(one, number)
    for (const text of texts) text.remove(number)
    count(words, -1)
  }

  return {
    upsert(arrived) {
      const row = known.get(arrived.serial)
      const number = row === undefined ? next++ : Number(row['number'])
      const old = row === undefined ? null : (JSON.parse(String(row['record'])) as TrademarkRecord)
      // A new record is merged with itself, so that equal records have their members in the same order.
      const record = mergeRecords(old ?? arrived, arrived)
      const text = JSON.stringify(record)
      if (old !== null && text === row!['record']) return null
      if (old !== null) removeOld(number, old)
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
      count(words, 1)
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

const BATCH_CHANGES = 20_000

/**
 * Writes to an FTS5 table in batches: FTS5 flushes its buffered changes whenever another statement runs in between, which
 * would take most of the time.
 */
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
  const later = (number: number, words: string | null) => {
    if (changes.push({ number, words }) >= BATCH_CHANGES) flush()
  }
  return {
    add: (number: number, words: readonly string[]) => later(number, words.join(' ')),
    remove: (number: number) => later(number, null),
    flush,
  }
}
