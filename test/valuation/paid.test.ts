import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { importSales } from '../../src/app/commands/sales-import.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { Valuation, valueDomains } from '../../src/valuation/contract.ts'
import { createDescriber } from '../../src/valuation/describe.ts'
import { valuationRoutes } from '../../src/valuation/routes.ts'
import { createValuations } from '../../src/valuation/service.ts'
import { bundledAppraiser, bundledWords } from '../../src/valuation/sources/bundled.ts'
import { openSalesBook } from '../../src/valuation/sources/sales-book.ts'
import { starterSales } from '../../src/valuation/sources/starter.ts'
import type { Reply } from '../support/door.ts'
import { startPaidRoutes } from '../support/paid-routes.ts'
import { fromBase64, fundedWallet, PAYERS } from '../support/paid-wallets.ts'

type Answer = {
  domain: string
  tier: string
  estimate: { low: number; mid: number; high: number; currency: string }
  confidence: number
  factors: string[]
  timestamp: string
  explanation?: string
  comparables?: { domain: string; sale_price: number; sale_date: string; source: string }[]
  key_factors?: Record<string, unknown>
}

const refusal = ({ status, body }: Reply) => [status, (body as { error: string }).error]
/** What both protocols ask for, in millionths of a dollar. */
function pricesOf({ headers }: Reply): string[] {
  const { accepts } = fromBase64(headers.get('payment-required')!) as { accepts: { amount: string }[] }
  const [, request] = /request="([^"]+)"/.exec(headers.get('www-authenticate')!)!
  return [accepts[0]!.amount, (fromBase64(request!) as { amount: string }).amount]
}

describe('valuations are sold', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-valuation-'))
  const { suffixes } = loadCatalogue()
  const sales = openSalesBook({
    folder,
    starter: starterSales(createDescriber(bundledWords())),
    onTrouble: (error) => assert.fail(error),
  })
  let isReadable = true
  let door: Awaited<ReturnType<typeof startPaidRoutes>>
  before(async () => {
    const appraiser = bundledAppraiser()
    door = await startPaidRoutes((clock) =>
      valuationRoutes(
        createValuations({
          appraiser() {
            if (!isReadable) throw new Error('no such file: /secret/model.json')
            return appraiser
          },
          sales: () => sales,
          suffixes,
          clock,
        }),
      ),
    )
  })
  after(async () => {
    await door.stop()
    sales.close()
    rmSync(folder, { recursive: true })
  })

  const payer = PAYERS[0]![1]
  const buy = async (path: string, by = payer) => {
    const headers = await by(await door.get(path), fundedWallet(door.chains), door.clock)
    return door.get(path, headers)
  }
  const nothingAsked = () => assert.equal(door.chains.asked.length, 0)

  const wrong: [string, string, string][] = [
    ['an unknown tier', '/v1/valuation/example.com?tier=deep', 'invalid_tier'],
    ['a name without a TLD', '/v1/valuation/example', 'invalid_domain'],
    ['an invalid name', '/v1/valuation/-example-.com', 'invalid_domain'],
    ['a sub-domain', '/v1/valuation/www.example.com', 'invalid_domain'],
    ['a TLD we do not know', '/v1/valuation/example.notatld', 'invalid_domain'],
  ]
  for (const [what, path, code] of wrong)
    test(`but ${what} is refused before any money is asked`, async () => {
      assert.deepEqual(refusal(await door.get(path)), [400, code])
      nothingAsked()
    })

  test('at the price of the tier', async () => {
    for (const [query, price] of [
      ['', '20000'],
      ['?tier=quick', '20000'],
      ['?tier=full', '80000'],
    ]) {
      const reply = await door.get(`/v1/valuation/example.com${query}`)
      assert.deepEqual(refusal(reply), [402, 'payment_required'])
      assert.deepEqual(pricesOf(reply), [price, price])
    }
    nothingAsked()
  })

  test('but not while the model cannot be read: then nobody is asked for money, or told why', async () => {
    isReadable = false
    try {
      for (const reply of [
        await door.get('/v1/valuation/example.com'),
        await door.post('/v1/valuation', { domains: ['example.com'] }),
      ]) {
        assert.deepEqual(refusal(reply), [503, 'service_unavailable'])
        assert.ok(!reply.headers.has('payment-required') && !reply.headers.has('www-authenticate'))
        assert.doesNotMatch(reply.text, /secret/)
      }
    } finally {
      isReadable = true
    }
    nothingAsked()
  })

  for (const [name, by] of PAYERS)
    test(`quick, for ${name}: in the shape of the contract, and nothing of full`, async () => {
      const reply = await buy('/v1/valuation/petfood.com', by)
      assert.equal(reply.status, 200, reply.text)
      const answer = reply.body as Answer
      Valuation.strict().parse(answer)
      assert.deepEqual(Object.keys(answer).toSorted(), [
        'confidence',
        'domain',
        'estimate',
        'factors',
        'tier',
        'timestamp',
      ])
      assert.deepEqual(
        [answer.domain, answer.tier, answer.timestamp],
        ['petfood.com', 'quick', '2026-11-15T12:00:00.000Z'],
      )
      const { low, mid, high, currency } = answer.estimate
      assert.ok(0 < low && low <= mid && mid <= high, JSON.stringify(answer.estimate))
      assert.equal(currency, 'USD')
      assert.ok(answer.factors.includes('dot_com') && answer.factors.includes('exact_match'))
    })

  test('full: with explanation, key factors and similar sales, of the starter set and of what was imported', async () => {
    const first = (await buy('/v1/valuation/vaninsurance.com?tier=full')).body as Answer
    Valuation.strict().parse(first)
    assert.deepEqual(first.comparables![0], {
      domain: 'vaninsurance.com',
      sale_price: 100_000,
      sale_date: '2020-10-14',
      source: 'DNJournal',
    })
    assert.match(first.explanation!, /It was sold itself for \$100,000 \(DNJournal, 2020-10-14\)\./)
    assert.deepEqual(first.key_factors, {
      length: 12,
      tld: 'com',
      is_dictionary_word: false,
      has_hyphens: false,
      has_numbers: false,
      category: 'insurance',
    })

    const file = join(folder, 'mine.csv')
    writeFileSync(file, 'domain,price,date\r\nboatinsurance.com,"$7,700",2025-01-31\r\nboat.example,1,2025-01-31\r\n')
    const said: string[] = []
    const output = { write: (text: string) => void said.push(text) }
    const work = { config: { dataDir: folder }, output, signal: new AbortController().signal, clock: door.clock }
    assert.ok(await importSales({ help: false, files: [file], source: 'Example Auctions' }, work))
    assert.match(
      said.join(''),
      /1 sales added, 0 changed, 0 unchanged, 1 rows rejected\.\n {2}line 3: The TLD \.example/,
    )
    const second = (await buy('/v1/valuation/boatinsurance.net?tier=full')).body as Answer
    assert.deepEqual(second.comparables![0], {
      domain: 'boatinsurance.com',
      sale_price: 7700,
      sale_date: '2025-01-31',
      source: 'Example Auctions',
    })
  })

  test('full: junk is worth about a registration, has no category, and no reason is made up for it', async () => {
    const answer = (await buy('/v1/valuation/xq-zv7kjw3.com?tier=full')).body as Answer
    assert.ok(answer.estimate.mid < 100, JSON.stringify(answer.estimate))
    assert.ok(!('category' in answer.key_factors!))
    assert.match(answer.explanation!, /What it loses by: digits and hyphens\./)
  })

  test('full: a word cut by a hyphen is not that word: neither in price nor in factors nor in trade', async () => {
    const word = (await buy('/v1/valuation/insurance.com?tier=full')).body as Answer
    const cut = (await buy('/v1/valuation/insu-rance.com?tier=full')).body as Answer
    assert.ok(word.key_factors!.is_dictionary_word && word.factors.includes('dictionary_word'))
    assert.ok(cut.estimate.high < word.estimate.low / 100, JSON.stringify(cut.estimate))
    assert.deepEqual(cut.factors, ['dot_com', 'hyphenated'])
    assert.deepEqual(cut.key_factors, {
      length: 10,
      tld: 'com',
      is_dictionary_word: false,
      has_hyphens: true,
      has_numbers: false,
    })
  })

  test('many for one payment, at the quick price for each different name', async () => {
    const domains = ['petfood.com', 'PetFood.com', 'example.net', 'petfood.com.']
    const unpaid = await door.post('/v1/valuation', { domains })
    assert.deepEqual(refusal(unpaid), [402, 'payment_required'])
    assert.deepEqual(pricesOf(unpaid), ['40000', '40000'])
    const headers = await payer(unpaid, fundedWallet(door.chains), door.clock)
    const reply = await door.post('/v1/valuation', { domains }, headers)
    assert.equal(reply.status, 200, reply.text)
    const answer = valueDomains.output.parse(reply.body)
    assert.deepEqual(
      answer.valuations.map(({ domain }) => domain),
      ['petfood.com', 'example.net'],
    )
    assert.equal(answer.total, 2)
    const alone = (await buy('/v1/valuation/petfood.com')).body as Answer
    assert.deepEqual(answer.valuations[0]!.estimate, alone.estimate)
  })

  test('a thousand for one payment of twenty dollars', async () => {
    // As long as names can be: the body must have room for them.
    const domains = Array.from({ length: 1000 }, (_, at) => `${String(at).padStart(4, 'a')}${'x'.repeat(59)}.com`)
    const unpaid = await door.post('/v1/valuation', { domains })
    assert.deepEqual([unpaid.status, pricesOf(unpaid)], [402, ['20000000', '20000000']])
    const wallet = fundedWallet(door.chains, 25_000_000n)
    const before = door.chains.base.balanceOf(wallet.address)
    const reply = await door.post('/v1/valuation', { domains }, await payer(unpaid, wallet, door.clock))
    assert.equal((reply.body as { total: number }).total, 1000)
    assert.equal(before - door.chains.base.balanceOf(wallet.address), 20_000_000n)
  })

  const wrongLists: [string, unknown, string][] = [
    ['none', {}, 'missing_parameter'],
    ['an empty list', { domains: [] }, 'invalid_domain'],
    ['a text', { domains: 'example.com' }, 'invalid_domain'],
    ['a thousand and one', { domains: Array.from({ length: 1001 }, (_, at) => `n${at}.com`) }, 'invalid_domain'],
    ['one that is wrong', { domains: ['example.com', 'example'] }, 'invalid_domain'],
    ['a sub-domain', { domains: ['example.com', 'www.example.com'] }, 'invalid_domain'],
    ['a TLD we do not know', { domains: ['example.notatld'] }, 'invalid_domain'],
    ['a number', { domains: [7] }, 'invalid_domain'],
    ['a control character', { domains: ['exa\u0000mple.com'] }, 'invalid_domain'],
    ['a body that is too large', `{"domains":["${'x'.repeat(310_000)}"]}`, 'invalid_request'],
    ['a body that is not JSON', '{"domains":', 'invalid_request'],
  ]
  for (const [what, body, code] of wrongLists)
    test(`many: ${what} is refused before any money is asked`, async () => {
      const reply = await door.post('/v1/valuation', body)
      assert.deepEqual(refusal(reply), [400, code], reply.text.slice(0, 200))
      assert.ok(!reply.headers.has('payment-required'))
    })

  test('a domain is the same however it is written, and one payment is for all of its spellings', async () => {
    const paths = [
      '/v1/valuation/petfood.com?tier=',
      '/v1/valuation/PetFood.com',
      '/v1/valuation/petfood.com.?tier=quick',
      '/v1/valuation/petfood.com?x=1&tier=quick',
    ]
    const resources = await Promise.all(
      paths.map(async (path) => {
        const { headers } = await door.get(path)
        return (fromBase64(headers.get('payment-required')!) as { resource: { url: string } }).resource.url
      }),
    )
    assert.deepEqual([...new Set(resources)], ['https://shop.example/v1/valuation/petfood.com'])
    const headers = await payer(await door.get(paths[0]!), fundedWallet(door.chains), door.clock)
    const texts = []
    for (const path of paths) texts.push((await door.get(path, headers)).text)
    assert.equal(new Set(texts).size, 1)
    assert.match(texts[0]!, /"tier":"quick"/)
    const full = await door.get('/v1/valuation/petfood.com?tier=full')
    assert.match(
      (fromBase64(full.headers.get('payment-required')!) as { resource: { url: string } }).resource.url,
      /petfood\.com\?tier=full$/,
    )
  })

  test('a payment for one list does not pay for another', async () => {
    const unpaid = await door.post('/v1/valuation', { domains: ['petfood.com'] })
    const headers = await payer(unpaid, fundedWallet(door.chains), door.clock)
    assert.equal((await door.post('/v1/valuation', { domains: ['petfood.com'] }, headers)).status, 200)
    assert.notEqual((await door.post('/v1/valuation', { domains: ['example.com'] }, headers)).status, 200)
  })
})

describe('the starter set of sales', () => {
  const { suffixes } = loadCatalogue()
  const sales = starterSales(createDescriber(bundledWords()))

  test('has a few dozen sales, each of a name that can be valued, with price, day and source', () => {
    assert.ok(sales.length >= 30 && sales.length <= 60)
    assert.equal(new Set(sales.map(({ domain }) => domain)).size, sales.length)
    for (const { domain, label, tld, price, date, source } of sales) {
      assert.equal(domain, `${label}.${tld}`)
      assert.ok(suffixes.has(tld), domain)
      assert.ok(Number.isInteger(price) && price > 0, domain)
      assert.equal(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10), date)
      assert.ok(date < '2026-11-15' && source.length > 2, domain)
    }
  })
})
