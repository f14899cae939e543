import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { manualClock } from '../../src/kernel/clock.ts'
import { RegistrationLinks, registrationLinks } from '../../src/registrars/contract.ts'
import { loadBundledRegistrars, parseRegistrars } from '../../src/registrars/links.ts'
import { registrarRoutes } from '../../src/registrars/routes.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { startDoor } from '../support/door.ts'

const { suffixes } = loadCatalogue()
const noon = Date.UTC(2026, 10, 15, 12)

describe('registration links', () => {
  let door: Awaited<ReturnType<typeof startDoor>>
  before(async () => {
    door = await startDoor(registrarRoutes({ registrars: loadBundledRegistrars(), suffixes, clock: manualClock(noon) }))
  })
  after(() => door.stop())

  const ask = async (query: string) => {
    const { status, body, text } = await door.get(`/v1/register?${query}`)
    assert.equal(status, 200, text)
    return RegistrationLinks.strict().parse(body)
  }
  const assertRejected = async (query: string, error: string, message: RegExp | string) => {
    const { status, body } = await door.get(`/v1/register?${query}`)
    const { error: code, message: sentence } = body as { error: string; message: string }
    assert.deepEqual([status, code], [400, error], query)
    if (typeof message === 'string') assert.equal(sentence, message)
    else assert.match(sentence, message)
  }

  test('a domain has a link at each of the three registrars, as in the example of the contract', async () => {
    assert.deepEqual(await ask('domain=example.com'), registrationLinks.example.output)
  })
  test('every link is https and contains the domain', async () => {
    const { registrars } = await ask('domain=my-name.io')
    assert.deepEqual(
      registrars.map(({ slug }) => slug),
      ['registrar_a', 'registrar_b', 'registrar_c'],
    )
    for (const { url, name } of registrars) {
      assert.match(url, /^https:\/\/[^/]+\/.*my-name\.io/)
      assert.ok(name.length > 0)
    }
  })
  test('the parameter registrar selects one registrar', async () => {
    for (const slug of ['registrar_a', 'registrar_b', 'registrar_c']) {
      const { registrars } = await ask(`domain=example.com&registrar=${slug}`)
      assert.deepEqual(
        registrars.map((link) => link.slug),
        [slug],
      )
    }
  })
  test('a price is estimated at registrar_a only, and for six TLDs only', async () => {
    const prices = { com: 11.06, org: 6.86, app: 4.99, xyz: 1.01, ai: 72.4, bot: 45 }
    for (const [tld, price] of Object.entries(prices)) {
      const { registrars } = await ask(`domain=example.${tld}`)
      assert.deepEqual(
        registrars.map(({ estimatedPrice }) => estimatedPrice),
        [price, undefined, undefined],
        tld,
      )
    }
    for (const tld of [...suffixes].filter((suffix) => !Object.hasOwn(prices, suffix))) {
      const { text } = await door.get(`/v1/register?domain=example.${tld}`)
      assert.doesNotMatch(text, /estimatedPrice/, tld)
    }
  })
  test('case, padding and a trailing dot do not matter', async () => {
    assert.equal((await ask('domain=%20EXAMPLE.Com.%20')).domain, 'example.com')
  })
  test('a punycode name is accepted', async () => {
    const { domain, registrars } = await ask('domain=XN--bcher-kva.de')
    assert.equal(domain, 'xn--bcher-kva.de')
    assert.ok(registrars.every(({ url }) => url.endsWith('=xn--bcher-kva.de')))
  })

  test('a missing domain is missing_domain, and the message has an example', async () => {
    const message = 'domain is required; for example domain=example.com.'
    for (const query of ['', 'domain=', 'domain=%20%20', 'registrar=registrar_a']) {
      await assertRejected(query, 'missing_domain', message)
    }
  })
  test('a name without a TLD is invalid_domain', async () => {
    await assertRejected('domain=example', 'invalid_domain', /^domain: has no TLD; give the full domain, for example/)
  })
  test('a malformed domain is invalid_domain, and the message says what is wrong', async () => {
    await assertRejected('domain=-a.com', 'invalid_domain', /hyphen/)
    await assertRejected('domain=a_b.com', 'invalid_domain', /contains "_"/)
    await assertRejected('domain=a..com', 'invalid_domain', /empty label/)
    await assertRejected('domain=https://example.com/', 'invalid_domain', /looks like a URL/)
    await assertRejected('domain=a%00.com', 'invalid_domain', /control character/)
    await assertRejected('domain=xn--a.com', 'invalid_domain', /punycode/)
    await assertRejected(`domain=${'a.'.repeat(300)}com`, 'invalid_domain', /603 characters long/)
    await assertRejected('domain=a.com&domain=a.com', 'invalid_domain', /more than once/)
  })
  test('a name that is not ASCII is rejected with its punycode form', async () => {
    const message = 'domain: is not ASCII; use its punycode form xn--bcher-kva.de.'
    await assertRejected('domain=b%C3%BCcher.de', 'invalid_domain', message)
  })
  test('a subdomain is rejected with its registrable domain', async () => {
    const message = 'domain: www.example.com is a sub-domain of example.com; ask for example.com.'
    await assertRejected('domain=www.example.com', 'invalid_domain', message)
  })
  test('an unknown TLD is rejected and named', async () => {
    await assertRejected('domain=example.example', 'invalid_domain', /^domain: The TLD \.example is not supported; /)
  })
  test('an unknown registrar is invalid_registrar, and the message names the three', async () => {
    const three = /one of registrar_a, registrar_b, registrar_c, not "registrar_d"\.$/
    await assertRejected('domain=example.com&registrar=registrar_d', 'invalid_registrar', three)
    const twice = 'domain=example.com&registrar=registrar_a&registrar=registrar_b'
    await assertRejected(twice, 'invalid_registrar', /more than once/)
    assert.equal((await ask('domain=example.com&registrar=')).registrars.length, 3)
  })
})

describe("an operator's own registrars", () => {
  const one = { name: 'Shop', link: 'https://shop.example/?d={domain}' }
  const write = (changes: Record<string, unknown> = {}) =>
    JSON.stringify({ registrar_a: one, registrar_b: one, registrar_c: one, ...changes })

  test('a configured affiliate link replaces the plain one', async (t) => {
    const affiliateLink = 'https://track.example/go?id=7&to=https%3A%2F%2Fshop.example%2F{domain}&again={domain}'
    const registrars = parseRegistrars(write({ registrar_b: { ...one, affiliateLink } }))
    const door = await startDoor(registrarRoutes({ registrars, suffixes, clock: manualClock(noon) }))
    t.after(() => door.stop())
    const { body } = await door.get('/v1/register?domain=a-b.com')
    assert.deepEqual((body as { registrars: unknown }).registrars, [
      { name: 'Shop', slug: 'registrar_a', url: 'https://shop.example/?d=a-b.com' },
      {
        name: 'Shop',
        slug: 'registrar_b',
        url: 'https://track.example/go?id=7&to=https%3A%2F%2Fshop.example%2Fa-b.com&again=a-b.com',
      },
      { name: 'Shop', slug: 'registrar_c', url: 'https://shop.example/?d=a-b.com' },
    ])
  })
  test('a file may have prices of registrar_a, for some of the six TLDs', () => {
    const [first] = parseRegistrars(write({ registrar_a: { ...one, prices: { com: 9.5 } } }))
    assert.deepEqual([...(first?.prices?.registration ?? [])], [['com', 9.5]])
  })

  const link = (text: string) => ({ registrar_a: { ...one, link: text } })
  const affiliateLink = (text: string) => ({ registrar_a: { ...one, affiliateLink: text } })
  const wrong: [string, Record<string, unknown>, RegExp][] = [
    ['plain http', link('http://shop.example/?d={domain}'), /registrar_a\.link: must start with https:\/\/\.$/],
    ['javascript', link('javascript:alert("{domain}")'), /must start with https/],
    ['no placeholder', link('https://shop.example/'), /must contain \{domain\}/],
    ['another placeholder', link('https://shop.example/{tld}/{domain}'), /no other braces/],
    ['a control character', link('https://shop.example/\r\n{domain}'), /control character/],
    ['the domain as host', link('https://{domain}/'), /must not have \{domain\} in its host/],
    ['a host built from the domain', link('https://shop-{domain}/'), /in its host/],
    ['a password', link('https://me:secret@shop.example/{domain}'), /user name or password/],
    ['no URL at all', link('https://sh op/{domain}'), /must be a URL/],
    ['a bad affiliate link', affiliateLink('https://shop.example/'), /registrar_a\.affiliateLink: must contain/],
    ['no name', { registrar_a: { link: one.link } }, /registrar_a\.name/],
    ['an empty name', { registrar_a: { ...one, name: '' } }, /registrar_a\.name/],
    ['a name with a bell', { registrar_a: { ...one, name: 'Sh\u0007op' } }, /control character/],
    ['a missing registrar', { registrar_c: undefined }, /registrar_c/],
    ['a fourth registrar', { registrar_d: one }, /registrar_d/],
    ['an unknown setting', { registrar_a: { ...one, colour: 'red' } }, /colour/],
    ['a price elsewhere', { registrar_b: { ...one, prices: { com: 1 } } }, /only registrar_a may have prices/],
    ['a price for another TLD', { registrar_a: { ...one, prices: { net: 1 } } }, /may name only com, org, app/],
    [
      'a price in words',
      { registrar_a: { ...one, prices: { com: '9' } } },
      /prices\.com: must be a number of US dollars/,
    ],
    ['a price of nothing', { registrar_a: { ...one, prices: { com: 0 } } }, /prices\.com/],
  ]
  for (const [what, changes, message] of wrong) {
    test(`a file with ${what} is rejected, and the message says where`, () => {
      assert.throws(() => parseRegistrars(write(changes)), message)
    })
  }
  test('a file that is not a JSON object is rejected', () => {
    assert.throws(() => parseRegistrars('{'), /^Error: The registrars file is not JSON\.$/)
    assert.throws(() => parseRegistrars('[]'), /wrong at the top level/)
  })
})
