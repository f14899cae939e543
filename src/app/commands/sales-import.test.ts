import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { UsageError } from '../../surfaces/cli/arguments.ts'
import { HEADER, salesFolder } from '../../valuation/sources/sales.fixture.ts'
import { importSales, parseSalesImport } from './sales-import.ts'

suite('onoma sales import', () => {
  test('accepts files, and a source for rows without one', () => {
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
    test(`rejects ${JSON.stringify(argv)} with its help`, () => {
      assert.throws(
        () => parseSalesImport(argv),
        (error) => error instanceof UsageError && /Usage: onoma sales/.test(error.message),
      )
    })

  test('imports valid files even if others are damaged or missing, and reports those', async (t) => {
    const sales = salesFolder()
    t.after(sales.remove)
    const [good, bad] = [sales.write(`${HEADER}petfood.com,1200,2024-05-06,x\n`), sales.write('"')]
    const files = [bad, `${sales.folder}/nothing.csv`, sales.folder, good]
    const output: string[] = []
    const isComplete = await importSales(
      { help: false, files, source: null },
      {
        config: { dataDir: sales.folder },
        output: { write: (text) => output.push(text) },
        signal: new AbortController().signal,
        clock: manualClock(Date.UTC(2026, 10, 15)),
      },
    )
    assert.ok(!isComplete)
    assert.deepEqual(output, [
      `${bad}: not imported. The quote that was opened in line 1 is not closed.\n`,
      `${files[1]}: not imported. It cannot be read.\n`,
      `${sales.folder}: not imported. It is not a file.\n`,
      `${good}: sales: 1 added, 0 changed, 0 unchanged; rows rejected: 0.\n`,
    ])
  })
})
