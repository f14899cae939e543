import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Finding } from '../../src/availability/probe.ts'
import type { Reply } from '../support/door.ts'
import { registered, unclear, startWhois, errorOf, type ScriptedAnswer } from './whois.fixture.ts'

describe('check and whois share one verdict', () => {
  type Checked = { status: string[]; error?: string }

  /** What whois may answer where check says this. */
  const agrees = (checked: Checked, whois: Reply): boolean => {
    const [state] = checked.status
    const available = (whois.body as { available?: boolean }).available
    if (state === 'available') return whois.status === 200 && available === true
    if (state === 'reserved') return whois.status === 404
    if (state === 'unknown') return whois.status === 502 || whois.status === 504
    return (whois.status === 200 && available === false) || whois.status === 502 || whois.status === 504
  }

  test('they agree about every name, in either order, whatever the sources say', async (t) => {
    const registry: readonly ScriptedAnswer[] = [
      registered,
      { kind: 'available' },
      { kind: 'available', wording: 'known' },
      { kind: 'reserved', reason: 'reserved by the registry' },
      unclear,
      'unavailable',
      'timeout',
      'rate_limited',
    ]
    for (const dns of ['registered', 'not_delegated', 'unclear'] as const) {
      for (const rdap of registry.filter((says) => typeof says === 'string' || !('wording' in says))) {
        for (const whois of registry) {
          const door = await startWhois(t, { dns, rdap, whois })
          const row = JSON.stringify({ dns, rdap, whois })
          for (const [first, second] of [
            ['check', 'whois'],
            ['whois', 'check'],
          ] as const) {
            for (const name of ['shop', 'a', 'example']) {
              const domain = `${name}-${first}`.replace(/^(a|example)-.*/, '$1') + '.com'
              const replies = {
                [first]: await door.get(`/v1/${first}?domain=${domain}`),
                [second]: await door.get(`/v1/${second}?domain=${domain}`),
              } as Record<'check' | 'whois', Reply>
              assert.ok(
                agrees(replies.check.body as Checked, replies.whois),
                `${domain} ${row}: ${replies.check.text} but ${replies.whois.status} ${replies.whois.text}`,
              )
            }
          }
          await door.stop()
        }
      }
    }
  })

  test('a single character that .com does not register is not available on whois either', async (t) => {
    const door = await startWhois(t, { rdap: { kind: 'available' } })
    const reply = await door.get('/v1/whois?domain=a.com')
    assert.deepEqual(errorOf(reply), [404, 'domain_not_found'])
    assert.match(reply.text, /single characters/)
  })

  test('a name in DNS is never available, and a missing record is reported as missing', async (t) => {
    const door = await startWhois(t, { dns: 'registered', rdap: { kind: 'available' } })
    const reply = await door.get('/v1/whois?domain=shop.com')
    assert.deepEqual(errorOf(reply), [502, 'upstream_error'])
    assert.match(reply.text, /DNS shows that shop\.com is registered/)
  })

  test('a later verdict that contradicts a cached record removes it', async (t) => {
    const says: { dns: Finding['says']; rdap: ScriptedAnswer } = { dns: 'not_delegated', rdap: registered }
    const door = await startWhois(t, says)
    await door.get('/v1/whois?domain=shop.com')
    door.clock.advance(600_001)
    says.rdap = { kind: 'available' }
    assert.equal(((await door.get('/v1/check?domain=shop.com')).body as { available: boolean }).available, true)
    assert.equal(((await door.get('/v1/whois?domain=shop.com')).body as { available: boolean }).available, true)
  })

  test('one uses the cached result of the other', async (t) => {
    const door = await startWhois(t, { rdap: registered })
    await door.get('/v1/check?domain=shop.com')
    await door.get('/v1/whois?domain=shop.com')
    await door.get('/v1/check?domain=shop.com')
    assert.deepEqual(door.asked, ['rdap shop.com'])
  })
})
