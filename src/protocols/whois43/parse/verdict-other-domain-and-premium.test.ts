import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseWhois } from '../parse.ts'

const kindOf = (text: string, tld = 'example') => {
  const answer = parseWhois(text, { domain: `free-name.${tld}`, tld })
  return answer.kind === 'unclear' ? answer.why : answer.kind
}

suite('an answer about another domain is unclear', () => {
  const OTHERS = [
    'No match for "bar.example".',
    'No match for bar',
    'bar.example is free',
    'Domain: bar.example\nStatus: AVAILABLE',
    'Status: AVAILABLE\nDomain: bar.example',
    'Domain: bar\nStatus: free',
    'Domain:\n\tbar\nStatus: free',
    'Domain Name: bar.example\nDomain Status: No Object Found',
    'Status: AVAILABLE (No match for domain "bar.example")',
    'Available\nDomain: bar.example',
    'Domain: bar.example\n\nNOT FOUND',
    'Query: bar.example\n\nNot found',
    'Searching for bar.example.\n\nNo entries found.',
    '%% [192.0.2.1 REQUEST] >> bar.example\n\n%% NOT FOUND',
    'Whois lookup for bar.example\nDomain not found.',
    'No match for "bar.example".\nThis domain name has not been registered.',
    'The queried object does not exist: bar.example',
    'Domain free-name.example\nDomain bar.example\nStatus: free',
    'Domain: free-name.example.com\nStatus: free',
    'Domain: www.free-name.example\nStatus: free',
    'The domain name bar.example is reserved',
    'Domain: bar.example\nStatus: reserved',
    'Domain Name: bar.example\nRegistrar: Names Ltd\nCreation Date: 2020-01-01\n',
    'domain: bar.example\nstatus: active\n',
  ]
  for (const text of OTHERS) test(JSON.stringify(text), () => assert.equal(kindOf(text), 'not_understood'))

  test('the requested domain is recognised in every spelling', () => {
    const asked = { domain: 'xn--bcher-kva.example', tld: 'example' }
    for (const name of [
      'xn--bcher-kva.example',
      'XN--BCHER-KVA.EXAMPLE',
      'bücher.example',
      'BÜCHER.example.',
      'bücher',
    ]) {
      assert.equal(parseWhois(`Domain: ${name}\nStatus: free`, asked).kind, 'available', name)
      assert.equal(parseWhois(`No match for ${name}`, asked).kind, 'available', name)
      assert.equal(parseWhois(`Domain: ${name}\nRegistrar: Names Ltd`, asked).kind, 'registered', name)
    }
  })

  test('a longer domain with the same beginning is another domain', () => {
    for (const [domain, tld] of [
      ['bar.co.uk', 'co.uk'],
      ['bar.co.uk', 'uk'],
    ] as const) {
      assert.equal(parseWhois('No match for "bar.co".', { domain, tld }).kind, 'unclear')
      assert.equal(parseWhois('Domain: bar.co\nRegistrar: Names Ltd', { domain, tld }).kind, 'unclear')
    }
  })

  test('words of the answer are not mistaken for the requested label', () => {
    const text = 'No match for "RESERVED.EXAMPLE".\nReserved by the registry\n'
    assert.equal(parseWhois(text, { domain: 'reserved.example', tld: 'example' }).kind, 'reserved')
    for (const label of ['match', 'domain', 'database', 'not', 'found', 'registered']) {
      const domain = `${label}.example`
      for (const free of [`No match for "${domain}".`, `Domain: ${domain}\nStatus: free`, `${domain} is free`]) {
        assert.equal(parseWhois(free, { domain, tld: 'example' }).kind, 'available', free)
      }
    }
  })
})

suite('premium', () => {
  const answerTo = (text: string) => parseWhois(text, { domain: 'free-name.example', tld: 'example' })
  const OFFERED = [
    'This premium domain is available for purchase',
    'This premium name is available at a premium price.',
    'free-name.example is a premium domain name and is available for registration.',
    'The domain free-name.example is available for registration at a premium price from any accredited registrar',
    'This is a premium domain.\nIt can be purchased through your registrar.',
    'This name is a premium name and can be registered at a premium price',
    'Status: available (premium)',
    'No match for "free-name.example".\nThis premium domain is available for purchase.',
    'No match for "free-name.example".\nPremium: yes',
  ]
  for (const text of OFFERED) {
    test(`on offer: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(answerTo(text), { kind: 'available', premium: true }))
  }

  const RESERVED_TEXTS = [
    'This name is a reserved premium name',
    'This is a premium domain name.',
    'Premium name',
    'Status: PREMIUM NAME (No match for domain "free-name.example")',
    'No match for "free-name.example".\nThis is a premium domain name.',
    'This premium domain is not available for registration.',
    'This premium domain is available for purchase.\nReserved by the registry',
    'free-name.example is a premium name available from its current owner',
  ]
  for (const text of RESERVED_TEXTS) {
    test(`reserved: ${JSON.stringify(text)}`, () => {
      const answer = answerTo(text)
      assert.deepEqual({ ...answer, reason: '' }, { kind: 'reserved', reason: '', premium: true })
    })
  }

  test('a registration is premium if a status or a key says so', () => {
    const data = 'Domain: free-name.example\nRegistrar: Names Ltd\n'
    const premium = (text: string) => {
      const answer = answerTo(text)
      assert.ok(answer.kind === 'registered')
      return answer.premium
    }
    assert.equal(premium(data), undefined)
    assert.equal(premium(`${data}Premium: no\n`), undefined)
    assert.equal(premium(`${data}Premium: yes\n`), true)
    assert.equal(premium(`${data}Status: premium\n`), true)
    assert.equal(premium(`${data}\nPremium domains are sold by our registrars.\n`), undefined)
  })

  test('sentences about another domain or about names in general do not count', () => {
    for (const text of [
      'The domain bar.example is available at a premium price',
      'Premium domains are available for purchase.',
      'This domain may be available at a premium price',
    ]) {
      assert.equal(answerTo(text).kind, 'unclear', text)
    }
  })
})

suite('the wording is marked as known', () => {
  const wordingOf = (text: string, server: string | undefined, domain = 'free-name.com') => {
    const answer = parseWhois(text, { domain, tld: domain.split('.').at(-1)!, server })
    assert.ok(answer.kind === 'available', text)
    return answer.wording
  }

  test('if it is the wording of this host', () => {
    assert.equal(wordingOf('No match for domain "FREE-NAME.COM".', 'whois.verisign-grs.com'), 'known')
    assert.equal(wordingOf('No match for "FREE-NAME.COM".', 'WHOIS.VERISIGN-GRS.COM:43'), 'known')
    assert.equal(wordingOf('DOMAIN NOT FOUND', 'whois.registry.co', 'free-name.co'), 'known')
    assert.equal(wordingOf('Domain: free-name.de\nStatus: free', 'whois.denic.de', 'free-name.de'), 'known')
  })

  test('not if it is the wording of another host, or the host is unknown', () => {
    assert.equal(wordingOf('Domain not found.', 'whois.verisign-grs.com'), undefined)
    assert.equal(wordingOf('No match.', 'whois.verisign-grs.com'), undefined)
    assert.equal(wordingOf('No match for "FREE-NAME.COM".', 'whois.registry.co'), undefined)
    assert.equal(wordingOf('No match for "FREE-NAME.COM".', 'whois.example.com'), undefined)
    assert.equal(wordingOf('No match for "FREE-NAME.COM".', '127.0.0.1:4343'), undefined)
    assert.equal(wordingOf('No match for "FREE-NAME.COM".', undefined), undefined)
  })
})
