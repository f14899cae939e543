import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhois } from '../../src/protocols/whois43/parse.ts'
import { knownWording } from '../../src/protocols/whois43/parse/wording/known-wording.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { truthOf } from './truth.ts'
import { freeLines } from './whois-free.ts'
import { whoisText } from './whois-text.ts'

const { tlds } = loadCatalogue()

test('every WHOIS server of the sandbox says "not found" in words its real host is known for', () => {
  const withHost = tlds.filter(({ whoisServer }) => whoisServer !== null)
  for (const tld of withHost) {
    const server = tld.whoisServer!
    const domain = `free-shop.${tld.tld}`
    const answer = parseWhois(freeLines(tld, domain).join('\r\n'), { domain, tld: tld.tld, server })
    const expected = knownWording(server) ? { kind: 'available', wording: 'known' } : { kind: 'available' }
    assert.deepEqual(answer, expected, tld.tld)
  }
})

test('every WHOIS server of the sandbox says of a premium name that it is free and premium', () => {
  for (const { tld, whoisServer } of tlds.filter((one) => one.whoisServer !== null)) {
    const server = whoisServer!
    const domain = `premium-shop.${tld}`
    const answer = parseWhois(whoisText(truthOf(domain)), { domain, tld, server })
    const wording = knownWording(server) ? { wording: 'known' } : {}
    assert.deepEqual(answer, { kind: 'available', ...wording, premium: true }, tld)
  }
})

test('the hosts of nearly all TLDs that have RDAP and WHOIS are known, those of .com and .co among them', () => {
  const both = tlds.filter(({ lookup, whoisServer }) => lookup === 'rdap' && whoisServer !== null)
  const unknown = both.filter(({ whoisServer }) => !knownWording(whoisServer!)).map(({ tld }) => tld)
  assert.deepEqual(unknown, ['earth', 'health', 'menu', 'music', 'nrw', 'photo', 'tattoo', 'tokyo', 'tv'])
})
