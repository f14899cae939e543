import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { importSales } from '../../src/app/commands/sales-import.ts'
import { Valuation } from '../../src/valuation/contract.ts'
import { fromBase64, fundedWallet, PAYERS } from '../support/paid-wallets.ts'
import { payer, pricesOf, refusal, startValuationDoor, type ValuationReply } from './paid.fixture.ts'

const door = await startValuationDoor()

suite('GET /v1/valuation/{domain}', () => {
  const nothingAsked = () => assert.equal(door.chains.asked.length, 0)

  const wrong: [string, string, string][] = [
    ['an unknown tier', '/v1/valuation/example.com?tier=deep', 'invalid_tier'],
    ['a name without a TLD', '/v1/valuation/example', 'invalid_domain'],
    ['an invalid name', '/v1/valuation/-example-.com', 'invalid_domain'],
    ['a sub-domain', '/v1/valuation/www.example.com', 'invalid_domain'],
    ['an unknown TLD', '/v1/valuation/example.notatld', 'invalid_domain'],
  ]
  for (const [what, path, code] of wrong)
    test(`${what} is refused before payment is requested`, async () => {
      assert.deepEqual(refusal(await door.get(path)), [400, code])
      nothingAsked()
    })

  test('the price depends on the tier', async () => {
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

  test('if the model cannot be loaded, the response is 503 before payment is requested, without details', async () => {
    door.model.isReadable = false
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
      door.model.isReadable = true
    }
    nothingAsked()
  })

  for (const [name, by] of PAYERS)
    test(`quick, paid by ${name}: the response matches the contract, without the fields of full`, async () => {
      const reply = await door.buy('/v1/valuation/petfood.com', by)
      assert.equal(reply.status, 200, reply.text)
      const answer = reply.body as ValuationReply
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

  test('full: has an explanation, key factors and similar sales from the starter set and from imports', async () => {
    const first = (await door.buy('/v1/valuation/vaninsurance.com?tier=full')).body as ValuationReply
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

    const file = join(door.folder, 'mine.csv')
    writeFileSync(file, 'domain,price,date\r\nboatinsurance.com,"$7,700",2025-01-31\r\nboat.example,1,2025-01-31\r\n')
    const written: string[] = []
    const output = { write: (text: string) => void written.push(text) }
    const work = { config: { dataDir: door.folder }, output, signal: new AbortController().signal, clock: door.clock }
    assert.ok(await importSales({ help: false, files: [file], source: 'Example Auctions' }, work))
    assert.match(
      written.join(''),
      /sales: 1 added, 0 changed, 0 unchanged; rows rejected: 1\.\n {2}line 3: The TLD \.example/,
    )
    const second = (await door.buy('/v1/valuation/boatinsurance.net?tier=full')).body as ValuationReply
    assert.deepEqual(second.comparables![0], {
      domain: 'boatinsurance.com',
      sale_price: 7700,
      sale_date: '2025-01-31',
      source: 'Example Auctions',
    })
  })

  test('full: a name under a suffix is valued without it, and the suffix is its TLD', async () => {
    const bought = await door.buy('/v1/valuation/coffee.co.uk?tier=full')
    assert.equal(bought.status, 200)
    const { key_factors: factors, estimate } = bought.body as ValuationReply
    assert.deepEqual([factors?.tld, factors?.length, factors?.is_dictionary_word], ['co.uk', 6, true])
    assert.ok(estimate.mid > 100)
  })

  test('full: junk is worth about a registration, without a category, and no reason is invented', async () => {
    const answer = (await door.buy('/v1/valuation/xq-zv7kjw3.com?tier=full')).body as ValuationReply
    assert.ok(answer.estimate.mid < 100, JSON.stringify(answer.estimate))
    assert.ok(!('category' in answer.key_factors!))
    assert.match(answer.explanation!, /What it loses by: digits and hyphens\./)
  })

  test('full: a word split by a hyphen is not that word, in price, factors and category', async () => {
    const word = (await door.buy('/v1/valuation/insurance.com?tier=full')).body as ValuationReply
    const cut = (await door.buy('/v1/valuation/insu-rance.com?tier=full')).body as ValuationReply
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

  test('one payment is valid for all spellings of a domain', async () => {
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
    const payment = await payer(await door.get(paths[0]!), fundedWallet(door.chains), door.clock)
    const headers = { ...payment, 'payment-token': 't'.repeat(43) }
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
})
