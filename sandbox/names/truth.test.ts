import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { OUTCOME_WORDS } from '../outcome.ts'
import { STATE_WORDS } from './scripted-outcomes.ts'
import { truthOf } from './truth.ts'

const NAMES = Array.from({ length: 2000 }, (_, at) => `n${at}-shop.com`)
const { tlds } = loadCatalogue()

suite('the truth about names', () => {
  test('is equal for equal seed and name, and differs between seeds and TLDs', () => {
    const facts = (seed: number, tld: string) => NAMES.map((_, at) => truthOf(`n${at}-shop.${tld}`, seed).state).join()
    assert.equal(facts(7, 'com'), facts(7, 'com'))
    assert.notEqual(facts(7, 'com'), facts(8, 'com'))
    assert.notEqual(facts(7, 'com'), facts(7, 'net'))
  })

  test('does not depend on earlier calls', () => {
    const before = truthOf('n1-shop.com', 3)
    for (let at = 0; at < 20_001; at++) truthOf(`other${at}.net`, 3)
    const after = truthOf('n1-shop.com', 3)
    assert.notEqual(after, before, 'it was still cached')
    assert.deepEqual(after, before)
  })

  test('has about half of all names registered, and nearly all of those delegated', () => {
    const truths = NAMES.map((name) => truthOf(name))
    const registered = truths.filter(({ state }) => state === 'registered')
    const undelegated = registered.filter(({ isDelegated }) => !isDelegated)
    assert.ok(registered.length > 850 && registered.length < 1150, String(registered.length))
    assert.ok(undelegated.length > 3 && undelegated.length < 40, String(undelegated.length))
    assert.ok(truths.every(({ state }) => state !== 'reserved'))
    assert.ok(truths.every(({ state, registration }) => (registration !== null) === (state === 'registered')))
    assert.ok(truths.every(({ state, isDelegated }) => state === 'registered' || !isDelegated))
  })

  test('follows the first word of a name, under every TLD with RDAP or WHOIS', () => {
    for (const { tld } of tlds.filter(({ lookup }) => lookup !== 'dns')) {
      const facts = STATE_WORDS.map((word) => {
        const { state, isDelegated, zoneFault } = truthOf(`${word}-shop.${tld}`)
        return [word, state, isDelegated, zoneFault]
      })
      assert.deepEqual(
        facts,
        [
          ['free', 'free', false, null],
          ['premium', 'free', false, null],
          ['taken', 'registered', true, null],
          ['held', 'registered', false, null],
          ['reserved', 'reserved', false, null],
          ['signed', 'registered', true, null],
          ['lame', 'registered', true, 'lame'],
          ['bogus', 'registered', true, 'bogus'],
        ],
        tld,
      )
    }
    assert.ok(truthOf('heldback.com').registration?.status.includes('clientHold'))
    assert.equal(truthOf('signed.com').registration?.dnssec?.delegationSigned, true)
  })

  test('is visible in DNS under TLDs without RDAP and WHOIS', () => {
    for (const { tld } of tlds.filter(({ lookup }) => lookup === 'dns')) {
      const labels = [...STATE_WORDS, ...OUTCOME_WORDS].map((word) => `${word}-shop`)
      for (const label of labels) {
        const { state, isDelegated } = truthOf(`${label}.${tld}`)
        assert.equal(state, isDelegated ? 'registered' : 'free', `${label}.${tld}`)
      }
    }
  })

  test('never delegates a name with a scripted registry, so that DNS cannot decide', () => {
    const states = new Set<string>()
    for (const word of OUTCOME_WORDS) {
      for (const prefix of ['', 'rdap-', 'whois-']) {
        for (const end of ['a', 'b', 'c', 'd', 'e']) {
          const { state, isDelegated } = truthOf(`${prefix}${word}-${end}.com`)
          assert.equal(isDelegated, false)
          states.add(state)
        }
      }
    }
    assert.deepEqual(states, new Set(['free', 'registered']))
  })

  test('has delegated and other names among those with scripted name servers', () => {
    const found = OUTCOME_WORDS.flatMap((word) => ['a', 'b', 'c'].map((end) => truthOf(`dns-${word}-${end}.com`)))
    assert.deepEqual(new Set(found.map(({ isDelegated }) => isDelegated)), new Set([true, false]))
  })

  test('has fixed names under every TLD: example, nic and reserved labels', () => {
    for (const { tld, type } of tlds) {
      assert.equal(truthOf(`example.${tld}`).isDelegated, true, tld)
      assert.equal(truthOf(`nic.${tld}`).isDelegated, true, tld)
      if (type === 'gTLD') assert.equal(truthOf(`whois.${tld}`).state, 'reserved', tld)
    }
    assert.deepEqual([truthOf('q.com').state, truthOf('q.com').isReservationPublished], ['reserved', false])
    assert.equal(truthOf('reserved-q.com').isReservationPublished, true)
  })

  test('is invented: registrations use only hosts and phone numbers reserved for examples', () => {
    for (const name of NAMES.slice(0, 300)) {
      const { registration, domain } = truthOf(name)
      if (registration === null) continue
      const { registrar, nameservers, dates, status } = registration
      assert.match(registrar?.url ?? '', /\.example$/)
      assert.match(registrar?.abuseEmail ?? '', /\.example$/)
      assert.match(registrar?.abusePhone ?? '', /^\+1\.55555501\d\d$/)
      for (const host of nameservers) assert.ok(host.endsWith('.example') || host.endsWith(`.${domain}`), host)
      assert.ok(dates!.created! <= dates!.updated! && dates!.updated! < dates!.expires!, domain)
      assert.ok(status.length > 0)
    }
  })

  test('has all its words, and each outcome over WHOIS and DNS, in docs/sandbox.md', () => {
    const docs = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
    const rows = (start: string) => {
      const table = docs.slice(docs.indexOf(start)).split('\n\n')[0]!
      return [...table.matchAll(/^\| `?([a-z]+)`? \|/gm)].map((match) => match[1])
    }
    assert.deepEqual(rows('| name starts with |'), STATE_WORDS)
    assert.deepEqual(rows('| word | over WHOIS |').slice(1), OUTCOME_WORDS)
  })

  test('exists only for second-level domains of our TLDs', () => {
    for (const name of ['', 'com', '.com', 'a.b.com', 'shop.notatld', 'shop.']) {
      assert.throws(() => truthOf(name), RangeError, name)
    }
  })
})
