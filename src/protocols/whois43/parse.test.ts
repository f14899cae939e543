import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { GOLDEN, loadGolden } from './golden.fixture.ts'
import { parseWhois } from './parse.ts'

const golden = loadGolden()

suite('every family of answers is parsed (ONOMA_UPDATE_GOLDEN=1 rewrites the expected results)', () => {
  test('there are more than 100 golden files', () => assert.ok(golden.length > 100))

  for (const { name, text, domain, tld, answer } of golden) {
    test(name, () => {
      const actual = parseWhois(text, { domain, tld })
      if (process.env['ONOMA_UPDATE_GOLDEN']) {
        writeFileSync(join(GOLDEN, `${name}.json`), `${JSON.stringify({ domain, tld, answer: actual }, null, 2)}\n`)
      }
      assert.deepEqual(actual, answer)
    })
  }
})

test('line endings, a byte order mark and the case of the domain do not matter', () => {
  for (const { name, text, domain, tld, answer } of golden) {
    const asked = { domain: domain.toUpperCase(), tld: tld.toUpperCase() }
    for (const end of ['\r\n', '\r\r\n', '\r']) {
      assert.deepEqual(
        parseWhois(`\ufeff${text.replaceAll('\n', end)}`, asked),
        answer,
        `${name} with ${JSON.stringify(end)}`,
      )
    }
  }
})

test('doubled line breaks do not matter', () => {
  for (const { name, text, domain, tld, answer } of golden.filter(({ text }) => text.split('\n').length > 12)) {
    assert.deepEqual(parseWhois(text.replaceAll('\n', '\n\n'), { domain, tld }), answer, name)
  }
})

test('a section ends at the next line with less indentation, also without a blank line', () => {
  const dense = [
    'Domain: example.com',
    'Registrant:',
    '    Nuria Ejemplo',
    '    Somewhere',
    'Administrative Contact:',
    '    Somebody Else',
    'Status: clientHold',
    'Created: 2020-01-02',
  ].join('\n')
  assert.deepEqual(parseWhois(dense, { domain: 'example.com', tld: 'com' }), {
    kind: 'registered',
    registration: {
      dates: { created: '2020-01-02T00:00:00Z' },
      status: ['clientHold'],
      nameservers: [],
      registrant: { name: 'Nuria Ejemplo' },
    },
  })
})

test('a registrar URL that is not a URL is omitted', () => {
  const answer = parseWhois('Domain: example.com\nRegistrar: Names Ltd\nRegistrar URL: none yet\nReferral URL: X1\n', {
    domain: 'example.com',
    tld: 'com',
  })
  assert.ok(answer.kind === 'registered')
  assert.deepEqual(answer.registration.registrar, { name: 'Names Ltd' })
})

test('a registration never contains an empty or redacted value', () => {
  for (const { name, answer } of golden) {
    if (answer.kind !== 'registered') continue
    const { registrar = {}, dates = {}, registrant = {}, status, nameservers } = answer.registration
    const values = [
      ...Object.values(registrar),
      ...Object.values(dates),
      ...Object.values(registrant),
      ...status,
      ...nameservers,
    ]
    for (const value of values) assert.match(value, /^(?!.*redacted|.*not disclosed)\S/i, name)
    for (const date of Object.values(dates))
      assert.equal(new Date(date).toISOString().replace('.000Z', 'Z'), date, name)
    for (const host of nameservers) assert.equal(host, host.toLowerCase().replace(/\.$/, ''), name)
  }
})

suite('several domains in one answer', () => {
  const about = (domain: string, server: string) =>
    `Domain Name: ${domain}\nRegistrar: Names Ltd\nName Server: ${server}\n\n`
  const answer = about('OTHER.COM', 'ns.other.example') + about('EXAMPLE.COM', 'ns.example.example')

  test('only the section of the requested domain counts', () => {
    const parsed = parseWhois(answer, { domain: 'example.com', tld: 'com' })
    assert.ok(parsed.kind === 'registered')
    assert.deepEqual(parsed.registration.nameservers, ['ns.example.example'])
  })

  test('an answer without the requested domain is unclear', () => {
    assert.equal(parseWhois(answer, { domain: 'third.com', tld: 'com' }).kind, 'unclear')
  })
})

test('the record of a TLD is not a registration of a domain under it', () => {
  const iana = 'refer: whois.nic.band\n\ndomain: BAND\n\nnserver: a.nic.band\ncreated: 2014-06-25\n'
  assert.equal(parseWhois(iana, { domain: 'example.band', tld: 'band' }).kind, 'unclear')
})
