import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { TrademarkRecord } from '../../../src/trademark/record.ts'
import { namesOf } from '../../../src/trademark/scoring.ts'
import { tieKeyOf, tieRankOf } from '../../../src/trademark/tie-rank.ts'
import type { Filter, FirstMarks, RecordPage, Store } from '../../../src/trademark/engine/search/store.ts'
import { expandBy } from './expand.ts'

/** The store in plain SQL. The segment engine is tested against it. */
export function openFts5Store(path: string): Store {
  const place = pathToFileURL(path)
  // The file never changes once it is built, so SQLite need not check for locks or a journal.
  place.search = '?mode=ro&immutable=1'
  const db = new DatabaseSync(place, { readOnly: true })
  db.exec('PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824')
  db.function('tie_rank', { deterministic: true }, (text) => tieRankOf(JSON.parse(String(text)) as TrademarkRecord))
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const rows = (sql: string, ...values: (string | number)[]): Record<string, unknown>[] => {
    let statement = statements.get(sql)
    if (!statement) statements.set(sql, (statement = db.prepare(sql)))
    return statement.all(...values)
  }
  const column = (found: Record<string, unknown>[]): unknown[] => found.map((row) => Object.values(row)[0])
  const numbersOf = (sql: string, ...values: (string | number)[]) => column(rows(sql, ...values)) as number[]
  const textsOf = (sql: string, ...values: (string | number)[]) => column(rows(sql, ...values)) as string[]
  const record = (number: number) =>
    JSON.parse(textsOf('SELECT record FROM records WHERE number = ?', number)[0]!) as TrademarkRecord

  /** The numbers that `source` selects and the filter keeps, sorted by `order`. */
  const select = (
    source: string,
    values: readonly string[],
    filter: Filter,
    order: string,
    offset: number,
    limit: number,
  ) => {
    const tests = [`number IN (${source})`]
    const wanted = [...values]
    if (filter.life !== 'all') {
      tests.push('life = ?')
      wanted.push(filter.life)
    }
    if (filter.class !== undefined) {
      tests.push('number IN (SELECT number FROM classes WHERE class = ?)')
      wanted.push(filter.class)
    }
    const from = `FROM records WHERE ${tests.join(' AND ')}`
    return {
      numbers: () => numbersOf(`SELECT number ${from} ORDER BY ${order} LIMIT ? OFFSET ?`, ...wanted, limit, offset),
      total: () => numbersOf(`SELECT count(*) ${from}`, ...wanted)[0]!,
    }
  }
  const found = ({ numbers, total }: ReturnType<typeof select>): RecordPage => ({ numbers: numbers(), total: total() })
  const MARK_ORDER = 'mark_length, serial'
  const first = (source: string, value: string, filter: Filter, max: number): FirstMarks => {
    const numbers = select(source, [value], filter, MARK_ORDER, 0, max + 1).numbers()
    return { numbers: numbers.slice(0, max), isMore: numbers.length > max }
  }
  const matching = (table: string) => `SELECT rowid FROM ${table} WHERE ${table} MATCH ?`

  const frequency = (word: string) => numbersOf('SELECT frequency FROM words WHERE word = ?', word)[0] ?? 0
  const vocabulary = {
    frequency,
    wordsByForm: (form: string) => textsOf('SELECT word FROM forms WHERE form = ?', form),
    wordsByCode: (code: string) => textsOf('SELECT word FROM word_codes WHERE code = ?', code),
    codesByForm: (form: string) => textsOf('SELECT code FROM code_forms WHERE form = ?', form),
    wordsWithPrefix: (prefix: string, maxLength: number) =>
      textsOf(
        'SELECT word FROM words WHERE word BETWEEN ? AND ? AND length(word) <= ?',
        prefix,
        `${prefix}{`,
        maxLength,
      ),
  }

  return {
    documents: numbersOf('SELECT count(*) FROM records')[0]!,
    term: (text) => ({ text, frequency: frequency(text) }),
    expand: (word, isDeep) => expandBy(vocabulary, word, isDeep),
    bySquash: (squash, filter, max) => first('SELECT number FROM squashes WHERE squash = ?', squash, filter, max),
    byCode: (code, max) => first('SELECT number FROM codes WHERE code = ?', code, { life: 'all' }, max),
    byWords(groups, filter, max) {
      if (groups.some((group) => group.length === 0)) return { numbers: [], isMore: false }
      const words = groups.map((group) => group.map(({ text }) => text))
      return first(matching('marks'), allOf(words), filter, max)
    },
    byWord: ({ text }, max) => first(matching('marks'), allOf([[text]]), { life: 'all' }, max),
    keeps: (filter) => (number) => select('SELECT ?', [String(number)], filter, 'number', 0, 1).numbers().length === 1,
    byText(field, words, filter, offset, limit) {
      const table = field === 'goods' ? 'goods' : 'owners'
      const query = allOf(words.map((word) => [word]))
      return found(select(matching(table), [query], filter, `${field}_words, tie_rank(record), serial`, offset, limit))
    },
    byExpiry(from, to, offset, limit) {
      const where = 'FROM records WHERE expiry BETWEEN ? AND ?'
      const page = `SELECT number ${where} ORDER BY expiry, serial LIMIT ? OFFSET ?`
      return {
        numbers: numbersOf(page, from, to, limit, offset),
        total: numbersOf(`SELECT count(*) ${where}`, from, to)[0]!,
      }
    },
    reader: (query) => ({
      bound: () => 1,
      boundByLength: () => 1,
      isOneSpelling: () => false,
      isNew: firstTime(),
      names(number) {
        const names = textsOf('SELECT names FROM records WHERE number = ?', number)[0]!
        const [mark = '', ...pseudoMarks] = JSON.parse(names) as string[]
        return namesOf(query, { mark, pseudoMarks })
      },
    }),
    tieKey(number) {
      const found = record(number)
      return tieKeyOf(tieRankOf(found), Number(found.serial))
    },
    record,
    recordOfMark: record,
    close: () => db.close(),
  }
}

/** FTS5 query syntax: at least one word of every group. Words are quoted, so that `OR` is not an operator. */
const allOf = (groups: readonly (readonly string[])[]) =>
  groups.map((group) => `(${group.map((word) => `"${word}"`).join(' OR ')})`).join(' AND ')

function firstTime(): (number: number) => boolean {
  const seen = new Set<number>()
  return (number) => seen.size < seen.add(number).size
}
