import { DatabaseSync } from 'node:sqlite'
import { expiryOf } from '../../src/trademark/expiry.ts'
import type { TrademarkRecord } from '../../src/trademark/record.ts'
import { tokenize } from '../../src/trademark/tokenize.ts'
import type { RunQuery } from './latencies.ts'
import type { IndexQuery } from './queries.ts'

/**
 * The same records in SQLite: a table, and FTS5 over mark, goods and owner, ranked by `bm25`. It finds exact words only, no
 * similar ones.
 */
export function buildPeer(path: string, records: Iterable<TrademarkRecord>): void {
  const db = new DatabaseSync(path)
  try {
    db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -131072; BEGIN;
      CREATE TABLE record (id INTEGER PRIMARY KEY, serial INTEGER, expiry INTEGER, body TEXT);
      CREATE TABLE class (class TEXT, id INTEGER, PRIMARY KEY (class, id)) WITHOUT ROWID;
      ${['mark', 'goods', 'owner'].map((name) => `CREATE VIRTUAL TABLE ${name} USING fts5(words, content='', detail=none, tokenize='ascii');`).join('\n')}`)
    const record = db.prepare('INSERT INTO record VALUES (?, ?, ?, ?)')
    const ofClass = db.prepare('INSERT OR IGNORE INTO class VALUES (?, ?)')
    const word = (name: string) => db.prepare(`INSERT INTO ${name} (rowid, words) VALUES (?, ?)`)
    const [mark, goods, owner] = [word('mark'), word('goods'), word('owner')]
    let id = 0
    for (const one of records) {
      record.run(++id, Number(one.serial), expiryOf(one), JSON.stringify(one))
      for (const each of one.classes) ofClass.run(each, id)
      mark.run(id, tokenize(one.mark).join(' '))
      goods.run(id, tokenize(one.goods).join(' '))
      owner.run(id, tokenize(one.owner).join(' '))
    }
    db.exec('CREATE INDEX record_by_expiry ON record (expiry, serial) WHERE expiry IS NOT NULL; COMMIT')
  } finally {
    db.close()
  }
}

export function openPeer(path: string): { readonly runQuery: RunQuery; close(): void } {
  const db = new DatabaseSync(path, { readOnly: true })
  db.exec('PRAGMA cache_size = -65536; PRAGMA mmap_size = 4294967296')
  const body = db.prepare('SELECT body FROM record WHERE id = ?')
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const rows = (sql: string, values: readonly (string | number)[]) => {
    let statement = prepared.get(sql)
    if (!statement) prepared.set(sql, (statement = db.prepare(sql)))
    return statement.all(...values)
  }
  const page = (from: string, order: string, values: readonly (string | number)[], offset: number) => {
    const ids = rows(`SELECT id ${from} ORDER BY ${order} LIMIT 10 OFFSET ${offset}`, values)
    for (const { id } of ids) JSON.parse(body.get(id as number)!['body'] as string)
    const [count] = rows(`SELECT count(*) AS n ${from}`, values)
    return { hits: [], total: Number(count!['n']), isLowerBound: false }
  }
  return {
    runQuery({ method, question }: IndexQuery) {
      if (method === 'expiring')
        return page(
          'FROM record WHERE expiry BETWEEN ? AND ?',
          'expiry, serial',
          [question.from, question.to],
          question.offset,
        )
      const table = method === 'search' ? 'mark' : method === 'byOwner' ? 'owner' : 'goods'
      const query = tokenize(question.text)
        .map((token) => `"${token}"`)
        .join(' AND ')
      const only = method === 'search' ? question.class : undefined
      // The unary plus keeps SQLite from querying the FTS index again for every record of a class.
      const found = `FROM (SELECT rowid AS id, rank AS place FROM ${table} WHERE ${table} MATCH ?)`
      return only === undefined
        ? page(found, 'place', [query], 0)
        : page(
            `${found} AS found WHERE EXISTS (SELECT 1 FROM class WHERE class.id = +found.id AND class.class = ?)`,
            'place',
            [query, only],
            0,
          )
    },
    close: () => db.close(),
  }
}
