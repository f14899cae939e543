import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Clock, timestamp } from '../../kernel/clock.ts'
import { CsvError, createCsvParser, type CsvRecord } from '../../kernel/csv.ts'
import type { Describe } from '../describe.ts'
import { openToWrite, salesFile, unusable } from './sales-file.ts'
import { keysOf } from './sales-keys.ts'
import { type Columns, columnsOf, readSale, type SaleRow } from './sales-row.ts'

/** An import failed and changed nothing. The message is for the operator. */
export class IntakeError extends Error {}

type Needs = {
  /** Folder of the sales file. */
  readonly folder: string
  /** Source of rows without one. */
  readonly source: string | null
  readonly suffixes: ReadonlySet<string>
  readonly describe: Describe
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress?: (progress: { readonly done: number; readonly total: number; readonly rows: number }) => void
}

export type Intake = {
  readonly added: number
  readonly changed: number
  /** Rows that are already stored with the same values. */
  readonly known: number
  readonly refused: number
  /** Where a damaged file of earlier sales was moved to. */
  readonly movedTo: string | null
  /** The first refused rows. */
  readonly examples: readonly { readonly line: number; readonly problem: string }[]
}

const MAX_EXAMPLES = 5

/** Imports a CSV file of sales in one transaction. Invalid rows are skipped and reported. */
export async function takeInSales(file: string, needs: Needs): Promise<Intake> {
  const { folder, clock, signal } = needs
  const total = sizeOf(file)
  const path = salesFile(folder)
  let movedTo: string | null = null
  const db = openToWrite(path, { now: clock.now(), onMovedAside: (target) => (movedTo = target) })
  try {
    begin(db, path)
    const intake = beginIntake(db, file, needs)
    let done = 0
    for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024, signal })) {
      intake.push(chunk as Buffer)
      done += (chunk as Buffer).length
      needs.onProgress?.({ done, total, rows: intake.rows() })
    }
    signal.throwIfAborted()
    const outcome = intake.end(clock.now())
    db.exec('COMMIT')
    return { ...outcome, movedTo }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof CsvError) throw new IntakeError(error.message, { cause: error })
    throw error
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK')
    db.close()
  }
}

function sizeOf(file: string): number {
  try {
    const found = statSync(file)
    if (found.isFile()) return found.size
  } catch (cause) {
    throw new IntakeError('It cannot be read.', { cause })
  }
  throw new IntakeError('It is not a file.')
}

function begin(db: DatabaseSync, path: string): void {
  try {
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    throw unusable(path, error)
  }
}

function beginIntake(db: DatabaseSync, file: string, { source, suffixes, describe, clock }: Needs) {
  const now = clock.now()
  const today = timestamp(clock).slice(0, 10)
  const { lastInsertRowid } = db.prepare('INSERT INTO intake (file, at) VALUES (?, ?)').run(basename(file), now)
  const write = createWriter(db, Number(lastInsertRowid), describe)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = createCsvParser()
  const counts = { added: 0, changed: 0, known: 0, refused: 0 }
  const examples: { line: number; problem: string }[] = []
  let columns: Columns | undefined

  function take({ line, fields }: CsvRecord): void {
    if (columns === undefined) {
      const found = columnsOf(fields, source !== null)
      if (typeof found === 'string') throw new IntakeError(found)
      columns = found
      return
    }
    const sale = readSale(fields, { columns, suffixes, today, source })
    if (typeof sale !== 'string') {
      counts[write(sale)]++
      return
    }
    counts.refused++
    if (examples.length < MAX_EXAMPLES) examples.push({ line, problem: sale })
  }

  return {
    rows: () => counts.added + counts.changed + counts.known + counts.refused,
    push(bytes: Buffer): void {
      for (const record of reader.push(decoded(decoder, bytes))) take(record)
    },
    end(at: number): Omit<Intake, 'movedTo'> {
      for (const record of reader.push(decoded(decoder))) take(record)
      for (const record of reader.end()) take(record)
      if (columns === undefined) throw new IntakeError('It is empty.')
      const { added, changed, known, refused } = counts
      if (refused > 0 && added + changed + known === 0) {
        const [first] = examples
        throw new IntakeError(`None of its rows is valid; the first, in line ${first!.line}: ${first!.problem}.`)
      }
      const outcome = db.prepare('UPDATE intake SET at = ?, added = ?, changed = ?, refused = ? WHERE id = ?')
      outcome.run(at, added, changed, refused, lastInsertRowid)
      return { ...counts, examples }
    },
  }
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch (cause) {
    throw new IntakeError('It is not UTF-8 text.', { cause })
  }
}

/** Writes one sale, and returns whether it is new, changed or the same. */
function createWriter(db: DatabaseSync, intake: number, describe: Describe) {
  const find = db.prepare('SELECT id, price, source, words, category FROM sale WHERE domain = ? AND date = ?')
  const insert = db.prepare(
    'INSERT INTO sale (domain, date, tld, price, source, words, category, intake) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const update = db.prepare('UPDATE sale SET price = ?, source = ?, words = ?, category = ?, intake = ? WHERE id = ?')
  const mark = db.prepare('INSERT INTO mark (key, tld, length, date, sale) VALUES (?, ?, ?, ?, ?)')
  const unmark = db.prepare('DELETE FROM mark WHERE key = ? AND tld = ? AND length = ? AND date = ? AND sale = ?')

  return (sale: SaleRow): 'added' | 'changed' | 'known' => {
    const { domain, label, tld, price, date, source } = sale
    const { words, category } = describe(sale)
    const text = words.join(' ')
    const known = find.get(domain, date)
    const onMarks = (statement: typeof mark, facts: Parameters<typeof keysOf>[0], id: number | bigint) => {
      for (const key of Object.values(keysOf(facts)).flat()) statement.run(key, tld, label.length, date, id)
    }
    if (known === undefined) {
      const { lastInsertRowid } = insert.run(domain, date, tld, price, source, text, category, intake)
      onMarks(mark, { words, category }, lastInsertRowid)
      return 'added'
    }
    const isDescribedSo = known['words'] === text && known['category'] === category
    if (isDescribedSo && known['price'] === price && known['source'] === source) return 'known'
    const id = Number(known['id'])
    update.run(price, source, text, category, intake, id)
    if (!isDescribedSo) {
      const before = String(known['words'])
      const was = { words: before === '' ? [] : before.split(' '), category: known['category'] as string | null }
      onMarks(unmark, was, id)
      onMarks(mark, { words, category }, id)
    }
    return 'changed'
  }
}
