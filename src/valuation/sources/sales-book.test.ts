import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, suite, test } from 'node:test'
import fc from 'fast-check'
import { comparablesOf } from '../comparables.ts'
import type { Sale, SalesBook } from '../sales-book.ts'
import { openSalesBook } from './sales-book.ts'
import { openToWrite, salesFile } from './sales-file.ts'
import { IntakeError } from './sales-intake.ts'
import { describeByHyphens, HEADER, salesFolder } from './sales.fixture.ts'

const nameOf = (domain: string) => {
  const dot = domain.indexOf('.')
  return describeByHyphens({ label: domain.slice(0, dot), tld: domain.slice(dot + 1) })
}
const starter: Sale[] = [
  { ...nameOf('brightly.io'), domain: 'brightly.io', price: 9000, date: '2020-02-03', source: 'Example News' },
]

let sales: ReturnType<typeof salesFolder>
let book: SalesBook
let troubles: Error[]
beforeEach(() => {
  sales = salesFolder()
  troubles = []
  book = openSalesBook({ folder: sales.folder, starter, onTrouble: (error) => void troubles.push(error) })
})
afterEach(() => {
  book.close()
  sales.remove()
})

const domains = (name: string) => book.like(nameOf(name)).map(({ domain }) => domain)
const found = (name: string) => domains(name).filter((domain) => domain !== 'brightly.io')

suite('the book of sales', () => {
  test('has the starter set where nothing was imported, and leaves no file behind', () => {
    assert.deepEqual(book.like(nameOf('pet-food.com')), starter)
    assert.ok(!existsSync(salesFile(sales.folder)))
  })

  test('has what is imported at once, with everything that was told', async () => {
    assert.deepEqual(found('pet-food.com'), [])
    await sales.take(`${HEADER}pet-shop.com,1200,2024-05-06,Example Auctions\n`)
    assert.deepEqual(book.like(nameOf('pet-food.com')), [
      {
        domain: 'pet-shop.com',
        label: 'pet-shop',
        tld: 'com',
        price: 1200,
        date: '2024-05-06',
        source: 'Example Auctions',
        words: ['pet', 'shop'],
        category: 'shopping',
      },
      ...starter,
    ])
  })

  test('finds by label, words, one or many, trade, and TLD with length; and not by nothing', async () => {
    const rows = [
      'pet-food.net',
      'pet-shop.com',
      'pets.io',
      'cat-toys.co.uk',
      'dog-walk.com',
      'aaaa-bbb.com',
      'abcdefghijk.io',
    ]
    await sales.take(HEADER + rows.map((domain) => `${domain},5,2024-05-06,x\n`).join(''))
    assert.deepEqual(found('pet-food.com').toSorted(), [
      'aaaa-bbb.com',
      'dog-walk.com',
      'pet-food.net',
      'pet-shop.com',
      'pets.io',
    ])
    assert.deepEqual(found('cat.net').toSorted(), ['cat-toys.co.uk', 'dog-walk.com', 'pets.io'].toSorted())
  })

  test('goes on reading while an import is under way, and sees nothing of it before its end', async () => {
    await sales.take(`${HEADER}pet-shop.com,5,2024-05-06,x\n`)
    const seen: string[][] = []
    await sales.take(`${HEADER}pet-toys.com,5,2024-05-06,x\n`, { onProgress: () => seen.push(found('pet-food.com')) })
    assert.deepEqual(seen, [['pet-shop.com']])
    assert.deepEqual(found('pet-food.com').toSorted(), ['pet-shop.com', 'pet-toys.com'])
  })

  test('notices that the file was taken away, or another one put there', async () => {
    await sales.take(`${HEADER}pet-shop.com,5,2024-05-06,x\n`)
    assert.deepEqual(found('pet-food.com'), ['pet-shop.com'])
    renameSync(salesFile(sales.folder), `${salesFile(sales.folder)}.old`)
    assert.deepEqual(found('pet-food.com'), [])
    await sales.take(`${HEADER}pet-toys.com,5,2024-05-06,x\n`)
    assert.deepEqual(found('pet-food.com'), ['pet-toys.com'])
  })

  test('keeps the starter set where the file cannot be used, and says so once', async () => {
    writeFileSync(salesFile(sales.folder), 'this is no database, and long enough to be looked at as one')
    for (const _ of [1, 2, 3]) assert.deepEqual(book.like(nameOf('pet-food.com')), starter)
    assert.equal(troubles.length, 1)
    assert.match(troubles[0]!.message, /cannot be used: it is not a SQLite file/)
    assert.equal(book.problem(), 'it is not a SQLite file; import the sales again')
  })

  test('an import moves a damaged file aside, says where, and begins a new one', async () => {
    const damaged = 'this is no database, and long enough to be looked at as one'
    writeFileSync(salesFile(sales.folder), damaged)
    assert.deepEqual(book.like(nameOf('pet-food.com')), starter)
    const { movedTo, added } = await sales.take(`${HEADER}pet-shop.com,5,2024-05-06,x\n`)
    assert.equal(added, 1)
    assert.match(movedTo!, /sales\.sqlite\.damaged-/)
    assert.equal(readFileSync(movedTo!, 'utf8'), damaged)
    assert.deepEqual(found('pet-food.com'), ['pet-shop.com'])
    assert.equal(book.problem(), null)
  })

  test('leaves the file of another program, and of a newer Onoma, alone', async () => {
    const path = salesFile(sales.folder)
    const db = new DatabaseSync(path)
    db.exec('CREATE TABLE diary (entry TEXT)')
    assert.deepEqual(book.like(nameOf('pet-food.com')), starter)
    await assert.rejects(sales.take(`${HEADER}pet-shop.com,5,2024-05-06,x\n`), /belongs to another program/)
    db.exec('DROP TABLE diary')
    db.close()
    openToWrite(path).close()
    const ours = new DatabaseSync(path)
    ours.exec('PRAGMA user_version = 99')
    ours.close()
    await assert.rejects(sales.take(`${HEADER}pet-shop.com,5,2024-05-06,x\n`), /a newer Onoma wrote it/)
  })

  test('shows the same comparables as a look at every sale would, and looks at a few hundred', async () => {
    const words = ['pet', 'pets', 'food', 'loan', 'insurance', 'shop', 'x', 'blue', 'sky']
    const name = fc
      .tuple(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }), fc.constantFrom('com', 'net', 'io'))
      .map(([words, tld]) => `${words.join('-')}.${tld}`)
    const [names, asked] = [fc.sample(name, { numRuns: 3000, seed: 7 }), fc.sample(name, { numRuns: 60, seed: 8 })]
    // Every name once, and days in the order of the names: then there is one right answer.
    const all = [...new Set(names)].map((domain, at): Sale => {
      const date = new Date(Date.UTC(2001, 0, 1) + at * 86_400_000).toISOString().slice(0, 10)
      return { ...nameOf(domain), domain, price: 5, date, source: 'x' }
    })
    await sales.take(HEADER + all.map(({ domain, date }) => `${domain},5,${date},x\n`).join(''))
    for (const one of asked) {
      const candidates = book.like(nameOf(one)).slice(0, -1)
      assert.ok(candidates.length <= 500, `${candidates.length}`)
      assert.deepEqual(comparablesOf(nameOf(one), candidates)[0], comparablesOf(nameOf(one), all)[0], one)
    }
  })
})

suite('an import of sales', () => {
  test('counts what is new, changed, known and refused, and says in which lines', async () => {
    const text = `${HEADER}pet-food.com,5,2024-05-06,x\n"pet-shop.com","1,200",2024-05-06,"x"\nnone,5,2024-05-06,x\n\npet.com,5,2024,x\n`
    assert.deepEqual(await sales.take(text), {
      added: 2,
      changed: 0,
      known: 0,
      refused: 2,
      movedTo: null,
      examples: [
        { line: 4, problem: 'the domain has no TLD; give the full domain, for example none.com' },
        { line: 6, problem: 'the date is not a full date (YYYY-MM-DD)' },
      ],
    })
    assert.deepEqual(
      { ...(await sales.take(text)), examples: [] },
      { added: 0, changed: 0, known: 2, refused: 2, movedTo: null, examples: [] },
    )
    const changed = await sales.take(`${HEADER}pet-food.com,7,2024-05-06,y\npet-food.com,9,2025-05-06,y\n`)
    assert.deepEqual([changed.added, changed.changed, changed.known], [1, 1, 0])
    const prices = book.like(nameOf('pet-food.com')).filter(({ domain }) => domain === 'pet-food.com')
    assert.deepEqual(
      prices.map(({ price, date, source }) => [price, date, source]),
      [
        [7, '2024-05-06', 'y'],
        [9, '2025-05-06', 'y'],
      ],
    )
  })

  test('shows no more than five of those refused', async () => {
    const intake = await sales.take(`${HEADER}a.com,5,2024-05-06,x\n${'b.com,5,,x\n'.repeat(9)}`)
    assert.deepEqual([intake.refused, intake.examples.length], [9, 5])
  })

  test('reads a BOM, CRLF, and columns in any order with others between them', async () => {
    const text = '\ufeffVenue,note,Date,PRICE,Domain\r\n"Sales, Inc.",,2024-05-06,$5,pet.com\r\n'
    assert.equal((await sales.take(text)).added, 1)
    assert.equal(book.like(nameOf('pet.com'))[0]!.source, 'Sales, Inc.')
  })

  test('finds a sale by its new words when the words are read differently later', async () => {
    const row = `${HEADER}petfood.com,5,2024-05-06,x\n`
    await sales.take(row)
    assert.deepEqual(found('pet-loan.net'), [])
    const describe = () => ({ label: 'petfood', tld: 'com', words: ['pet', 'food'], category: 'pets' })
    assert.equal((await sales.take(row, { describe })).changed, 1)
    assert.deepEqual(found('pet-loan.net'), ['petfood.com'])
    await sales.take(row)
    assert.deepEqual(found('pet-loan.net'), [])
  })

  const useless: [string, string | Buffer, RegExp][] = [
    ['empty', '', /empty/],
    ['not text', Buffer.from([0x64, 0xff, 0xfe, 0x00]), /not UTF-8/],
    ['cut off inside a quote', `${HEADER}pet.com,5,2024-05-06,x\npet.net,5,2024-05-06,"x\n`, /quote .* line 3/],
    ['without the columns', 'a,b\n1,2\n', /must name the columns/],
    ['of wrong rows only', `${HEADER}a,b,c,d\n`, /None of its rows is valid; the first, in line 2: the domain/],
  ]
  for (const [what, text, reason] of useless)
    test(`of a file that is ${what} changes nothing`, async () => {
      await sales.take(`${HEADER}pet-shop.com,5,2024-05-06,x\n`)
      await assert.rejects(sales.take(text), (error) => error instanceof IntakeError && reason.test(error.message))
      assert.deepEqual(found('pet.com'), ['pet-shop.com'])
    })

  test('that is stopped changes nothing', async () => {
    const stop = new AbortController()
    const onProgress = () => stop.abort()
    await assert.rejects(sales.take(`${HEADER}pet.com,5,2024-05-06,x\n`, { signal: stop.signal, onProgress }))
    assert.deepEqual(found('pet.com'), [])
  })

  test('waits for no other import for long, and says so', async () => {
    const other = openToWrite(salesFile(sales.folder))
    other.exec('BEGIN IMMEDIATE')
    await assert.rejects(sales.take(`${HEADER}pet.com,5,2024-05-06,x\n`), /another import is under way/)
    other.close()
  })

  test('keeps which file a sale came from, and when', async () => {
    await sales.take(`${HEADER}pet.com,5,2024-05-06,x\n`)
    const db = openToWrite(salesFile(sales.folder))
    const row = db.prepare('SELECT file, at, added, refused FROM sale JOIN intake ON intake.id = sale.intake').get()
    db.close()
    assert.deepEqual({ ...row }, { file: 'sales-1.csv', at: Date.UTC(2026, 10, 15, 12), added: 1, refused: 0 })
  })

  test('of any bytes ends with rows or with a sentence', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((all) => Buffer.from(all)),
      fc
        .string({ unit: fc.constantFrom(',', '"', '\n', '\r', 'a.com', '5', '2024-05-06', 'x'), maxLength: 60 })
        .map((text) => Buffer.from(HEADER + text)),
    )
    await fc.assert(
      fc.asyncProperty(bytes, async (file) => {
        await sales.take(file).catch((error: unknown) => assert.ok(error instanceof IntakeError, String(error)))
      }),
      { numRuns: 60 },
    )
  })
})
