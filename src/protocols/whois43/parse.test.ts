import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { GOLDEN, loadGolden } from './golden.fixture.ts'
import { parseWhois } from './parse.ts'

const golden = loadGolden()

suite('every family of answers is understood (ONOMA_UPDATE_GOLDEN=1 rewrites what is expected)', () => {
  test('the golden files are there', () => assert.ok(golden.length > 100))

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

test('it does not matter how lines end, nor whether the domain is asked for in capitals', () => {
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

test('it does not matter whether every line end is sent twice', () => {
  for (const { name, text, domain, tld, answer } of golden.filter(({ text }) => text.split('\n').length > 12)) {
    assert.deepEqual(parseWhois(text.replaceAll('\n', '\n\n'), { domain, tld }), answer, name)
  }
})

test('a section ends where something stands further left, also without a gap', () => {
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

test('what is no address of a registrar is not called one', () => {
  const answer = parseWhois('Domain: example.com\nRegistrar: Names Ltd\nRegistrar URL: none yet\nReferral URL: X1\n', {
    domain: 'example.com',
    tld: 'com',
  })
  assert.ok(answer.kind === 'registered')
  assert.deepEqual(answer.registration.registrar, { name: 'Names Ltd' })
})

test('a registration never holds an empty or redacted value', () => {
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

  test('only what is said of the one asked for counts', () => {
    const parsed = parseWhois(answer, { domain: 'example.com', tld: 'com' })
    assert.ok(parsed.kind === 'registered')
    assert.deepEqual(parsed.registration.nameservers, ['ns.example.example'])
  })

  test('without the one asked for it is no answer', () => {
    assert.equal(parseWhois(answer, { domain: 'third.com', tld: 'com' }).kind, 'unclear')
  })
})

test('the record of the TLD is not that of a domain in it', () => {
  const iana = 'refer: whois.nic.band\n\ndomain: BAND\n\nnserver: a.nic.band\ncreated: 2014-06-25\n'
  assert.equal(parseWhois(iana, { domain: 'example.band', tld: 'band' }).kind, 'unclear')
})
