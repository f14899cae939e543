import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { loadGolden } from '../golden.fixture.ts'
import { parseWhois } from '../parse.ts'

const asked = { domain: 'example.com', tld: 'com' }
const registered = loadGolden().filter(({ answer }) => answer.kind === 'registered')
const anyGolden = fc.constantFrom(...registered)
const notFound = fc.constantFrom(
  'No match for domain',
  'NOT FOUND',
  '% No entries found.',
  'Domain not found.',
  'No Data Found',
  'is available',
  'free',
)

test('random text is never parsed as available, and never throws', () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 3000 }),
    fc.string({ unit: 'binary', maxLength: 3000 }),
    fc.array(fc.string({ unit: 'grapheme' })).map((lines) => lines.join('\n')),
  )
  fc.assert(fc.property(texts, (text) => assert.notEqual(parseWhois(text, asked).kind, 'available')))
})

test('parts of answers in any order are never parsed as available', () => {
  const lines = registered.flatMap(({ text }) => text.split('\n'))
  const shuffled = fc.array(fc.constantFrom(...lines), { maxLength: 60 }).map((some) => some.join('\n'))
  fc.assert(fc.property(shuffled, (text) => assert.notEqual(parseWhois(text, asked).kind, 'available')))
})

suite('a registration is never parsed as available', () => {
  test('with "not found" inserted at any line', () => {
    fc.assert(
      fc.property(anyGolden, notFound, fc.nat(), ({ name, text, domain, tld }, words, place) => {
        const lines = text.split('\n')
        lines.splice(place % (lines.length + 1), 0, words)
        assert.equal(parseWhois(lines.join('\n'), { domain, tld }).kind, 'registered', name)
      }),
    )
  })

  test('truncated at any position', () => {
    fc.assert(
      fc.property(anyGolden, fc.nat(), ({ text, domain, tld }, place) => {
        assert.notEqual(parseWhois(text.slice(0, place % text.length), { domain, tld }).kind, 'available')
        assert.notEqual(parseWhois(text.slice(place % text.length), { domain, tld }).kind, 'available')
      }),
    )
  })

  test('with any single character changed', () => {
    fc.assert(
      fc.property(anyGolden, fc.nat(), fc.string({ maxLength: 1 }), ({ text, domain, tld }, place, character) => {
        const at = place % text.length
        const changed = text.slice(0, at) + character + text.slice(at + 1)
        assert.notEqual(parseWhois(changed, { domain, tld }).kind, 'available')
      }),
    )
  })
})

suite('an answer about one domain does not count for another', () => {
  const label = fc.oneof(
    fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/),
    // Words that occur in the answers.
    fc.constantFrom(
      'free',
      'match',
      'domain',
      'not',
      'found',
      'available',
      'status',
      'no',
      'database',
      'is',
      'reserved',
    ),
  )
  const domain = fc
    .tuple(label, fc.constantFrom('it', 'com', 'co', 'de', 'co.uk', 'xn--p1ai'))
    .map((parts) => parts.join('.'))
  const naming: ((name: string) => string)[] = [
    (name) => `No match for "${name.toUpperCase()}".`,
    (name) => `No match for domain "${name}".\r\n>>> Last update of WHOIS database: 2026-01-01 <<<`,
    (name) => `% No entries found for query "${name}".`,
    (name) => `Not found: ${name}`,
    (name) => `The queried object does not exist: ${name}`,
    (name) => `>>> Domain ${name} is available for registration`,
    (name) => `${name} is free`,
    (name) => `Domain: ${name}\nStatus: AVAILABLE`,
    (name) => `Domain Name: ${name}\nDomain Status: No Object Found`,
    (name) => `Available\nDomain: ${name}`,
    (name) => `query: ${name}\n\nNOT FOUND`,
    (name) => `Status: AVAILABLE (No match for domain "${name}")`,
    (name) => `This premium domain is available for purchase\nDomain: ${name}`,
    (name) => `The domain ${name} is available at a premium price`,
    (name) => `    No match for "${name}".\n\n    This domain name has not been registered.`,
  ]
  const question = (name: string) => ({ domain: name, tld: name.slice(name.indexOf('.') + 1) })

  test('if it says not found, free or on offer', () => {
    fc.assert(
      fc.property(domain, domain, fc.constantFrom(...naming), (asked, named, text) => {
        fc.pre(asked !== named)
        assert.notEqual(parseWhois(text(named), question(asked)).kind, 'available')
      }),
      { numRuns: 2000 },
    )
  })

  test('if it says registered', () => {
    const record = (name: string) => `Domain Name: ${name}\nRegistrar: Names Ltd\nCreation Date: 2020-01-01\n`
    fc.assert(
      fc.property(domain, domain, (asked, named) => {
        fc.pre(asked !== named)
        assert.equal(parseWhois(record(named), question(asked)).kind, 'unclear')
        assert.equal(parseWhois(record(named), question(named)).kind, 'registered')
      }),
    )
  })

  test('but it counts for the domain that it names', () => {
    const plain = fc.stringMatching(/^[a-z0-9]{7,20}$/).map((name) => `${name}.it`)
    fc.assert(
      fc.property(plain, fc.constantFrom(...naming), (named, text) => {
        assert.equal(parseWhois(text(named), question(named)).kind, 'available', text(named))
      }),
    )
  })
})

/** Inputs on which a quadratic parser would take minutes. */
test('hostile answers of 256 KiB are parsed in time, and never as available', () => {
  const units = [
    'a',
    ':',
    ' ',
    '\n',
    '\r',
    '\t',
    '.',
    '%',
    '[',
    '(',
    '[[((',
    '&gt;',
    'a:\n',
    'name:\n',
    '[a]\n',
    '[Registrant]\n',
    'Registrant:\n  x\n',
    'Name Server: ns1.example.com\n',
    'Domain Nam e Registr: \n',
    'Registrant Contact Name: x\n',
    'registrar  registrar  registrar\n',
    'Domain:\tStatus:\tStatus:\tStatus:\n',
    'Status: a,b,c,d,e,f,g,h,i,j,k,l,m\n',
    `Status: a${' '.repeat(500)}b\n`,
    'Status: ((((((((((((((\n',
    'no ',
    'no match for the domain \n',
    'limit limit limit limit limit limit\n',
    'this name is registry registry reserved x\n',
    'the domain name domain name is not \n',
    'Created: 1 1 1 1 Jan Jan Jan Jan Feb 1 1 Mar 20\n',
    'Created: 9999999999999999999999\n',
    'Registrant Name: a@a@a@a@a@a@a@a@a@\n',
    `Registrant Name: ${'x'.repeat(500)}\n`,
    'Registrar: http://http://http://\n',
    `Name Server: ${'a-.'.repeat(200)}\n`,
    'Домен\u0301: é\u0301\n',
    '등록인 : 비츠\n',
    'domain name not known in the a b c d e f g h i j k\n',
    'Domain: x.y\n\n[a] (b)\n% c: d\n** e:\n\tf\n',
  ]
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(262_144 / unit.length))
    assert.notEqual(parseWhois(text, asked).kind, 'available', JSON.stringify(unit.slice(0, 40)))
  }
  const unlike = Array.from({ length: 20_000 }, (_, at) => `Key ${at} of (${at}) / x: v`).join('\n')
  assert.notEqual(parseWhois(unlike, asked).kind, 'available')
})
