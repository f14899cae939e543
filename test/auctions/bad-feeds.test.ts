import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { PresetName } from '../../src/auctions/sources/feed/presets.ts'
import { serve } from '../../src/kernel/upstream/loopback.fixture.ts'
import { buildZip } from '../../src/kernel/zip/zip.fixture.ts'
import { fixture, serveBodies, syncFile, syncPreset } from './preset-feeds.fixture.ts'

suite('a feed whose shape changed', () => {
  test('is told by the name of the missing column, in CSV and in JSON', async (t) => {
    const csv = fixture('namecheap.csv').toString().replace(',price,', ',currentPrice,').replace(',goValue', ',value')
    const { report } = await syncFile(t, 'namecheap', Buffer.from(csv))
    assert.equal(report.problem, 'The CSV has no column "price": it has another format than expected.')
    const json = fixture('dynadot-page-1.json').toString().replaceAll('current_bid_price', 'bid_price')
    const { report: renamed } = await syncFile(t, 'dynadot', Buffer.from(json))
    assert.equal(renamed.problem, 'The feed has no column "current_bid_price": its format has changed.')
    const unlisted = await syncFile(t, 'dynadot', Buffer.from('{"status":"success","auctions":[]}'))
    assert.equal(unlisted.report.problem, 'The feed has no list "auction_list": its format has changed.')
  })

  test('but only in a metric is loaded, and says which', async (t) => {
    const csv = fixture('namecheap.csv').toString().replace(',goValue', ',value')
    const { report } = await syncFile(t, 'namecheap', Buffer.from(csv))
    assert.deepEqual([report.outcome, report.missingColumns], ['complete', ['goValue']])
  })

  const useless: [string, PresetName, Buffer, RegExp][] = [
    ['a web page', 'sedo', Buffer.from('\n<!DOCTYPE html><html><body>Log in; please</body></html>'), /a web page/],
    ['a web page instead of a page', 'parkio', Buffer.from('<html></html>'), /a web page/],
    ['half a page', 'dynadot', fixture('dynadot-page-1.json').subarray(0, 200), /cut off/],
    ['half a zip', 'godaddy', buildZip([{ name: 'a', data: fixture('godaddy.json') }]).subarray(0, 90), /cut off/],
  ]
  for (const [what, preset, bytes, problem] of useless) {
    test(`into ${what} is rejected`, async (t) => {
      const { report } = await syncFile(t, preset, bytes)
      assert.equal(report.outcome, 'failed')
      assert.match(report.problem!, problem)
    })
  }

  test('into UTF-16 is read, with and without a byte order mark', async (t) => {
    const text = fixture('namecheap.csv').toString()
    const bigEndian = Buffer.from(text, 'utf16le').swap16()
    for (const bytes of [Buffer.from(`\uFEFF${text}`, 'utf16le'), Buffer.from(text, 'utf16le'), bigEndian]) {
      assert.equal((await syncFile(t, 'namecheap', bytes)).report.added, 2)
    }
  })

  test('shows refused rows by example, without control characters and keys', async (t) => {
    const line = (name: string, price: string) => `${name};1794400000;1795000000;${price};EUR;0;`
    const rows = Array.from({ length: 60 }, (_, at) => line(`quiet-${at}.com`, at === 0 ? '1.234,56 &euro;' : '5'))
    const bad = ['a', 'b', 'c', 'd'].map((name) => line(`${name}.com`, `secret-key\u001b ${name}`))
    const { base } = await serveBodies(t, [Buffer.from([...rows, line('quiet-1.com', '7'), ...bad].join('\n'))])
    const { report, auctions } = await syncPreset(t, 'sedo', `${base}/feed?key=secret-key`)
    assert.deepEqual([report.outcome, report.added, report.refused], ['complete', 60, 5])
    assert.equal(auctions.find(({ domain }) => domain === 'quiet-0.com')?.price, 1234.56)
    assert.deepEqual(report.examples, {
      'duplicate id': ['"quiet-1.com"'],
      'the price is not a valid amount': ['a.com: "***\uFFFD a"', 'b.com: "***\uFFFD b"', 'c.com: "***\uFFFD c"'],
    })
  })

  test('to 2 GB is rejected before it is downloaded', async (t) => {
    const port = await serve(t, (_, response) => {
      response.writeHead(200, { 'content-length': String(2 * 1024 ** 3) })
      response.write('url,name')
    })
    const { report } = await syncPreset(t, 'namecheap', `http://127.0.0.1:${port}/feed`)
    assert.match(report.problem!, /larger than 1073741824 bytes/)
  })
})
