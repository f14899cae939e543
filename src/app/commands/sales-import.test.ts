import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { UsageError } from '../../surfaces/cli/arguments.ts'
import { HEADER, salesFolder } from '../../valuation/sources/sales.fixture.ts'
import { importSales, parseSalesImport } from './sales-import.ts'

suite('onoma sales import', () => {
  test('takes files, and a source for rows that do not say', () => {
    const { files, source } = parseSalesImport(['a.csv', '--source', ' Example Auctions ', 'b.csv'])
    assert.deepEqual([files, source], [['a.csv', 'b.csv'], 'Example Auctions'])
    assert.equal(parseSalesImport(['a.csv']).source, null)
    assert.ok(parseSalesImport(['--help']).help)
  })

  for (const argv of [
    [],
    ['--source', 'x'],
    ['a.csv', '--sauce', 'x'],
    ['a.csv', '--source'],
    ['a.csv', '--source', '\u001b[2J'],
  ])
    test(`refuses ${JSON.stringify(argv)} with its help`, () => {
      assert.throws(
        () => parseSalesImport(argv),
        (error) => error instanceof UsageError && /Usage: onoma sales/.test(error.message),
      )
    })

  test('takes in the good files though one is damaged or missing, and says so', async (t) => {
    const sales = salesFolder()
    t.after(sales.remove)
    const [good, bad] = [sales.write(`${HEADER}petfood.com,1200,2024-05-06,x\n`), sales.write('"')]
    const files = [bad, `${sales.folder}/nothing.csv`, sales.folder, good]
    const said: string[] = []
    const isWhole = await importSales(
      { help: false, files, source: null },
      {
        config: { dataDir: sales.folder },
        output: { write: (text) => said.push(text) },
        signal: new AbortController().signal,
        clock: manualClock(Date.UTC(2026, 10, 15)),
      },
    )
    assert.ok(!isWhole)
    assert.deepEqual(said, [
      `${bad}: not taken in. The quote that was opened in line 1 is not closed.\n`,
      `${files[1]}: not taken in. It cannot be read.\n`,
      `${sales.folder}: not taken in. It is not a file.\n`,
      `${good}: 1 new sales, 0 changed, 0 known already, 0 rows refused.\n`,
    ])
  })
})
