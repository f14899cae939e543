import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { serveRaw } from '../../kernel/upstream/loopback.fixture.ts'
import { clientFor, question } from './client.fixture.ts'
import type { Whois43Options } from './client.ts'

suite('referrals', () => {
  const refers = (host: string) => `Domain Name: EXAMPLE.COM\r\nRegistrar WHOIS Server: ${host}\r\n`

  /** All servers on one port; the last resolved host name selects the answer. */
  async function serversFor(t: TestContext, answers: Record<string, string>, options: Partial<Whois43Options> = {}) {
    const hosts: string[] = []
    const port = await serveRaw(t, (socket) => {
      socket.once('data', () => socket.end(answers[hosts.at(-1)!] ?? 'nothing'))
    })
    const lookup: Whois43Options['lookup'] = (host, _options, callback) => {
      hosts.push(host)
      callback(null, [{ address: host.includes('private') ? '10.0.0.1' : '127.0.0.1', family: 4 }])
    }
    const client = clientFor({ port, lookup, ...options })
    const ask = (followReferral: boolean) => client.query({ ...question, server: 'registry.example', followReferral })
    return { hosts, ask }
  }

  test('a referral is followed only with followReferral', async (t) => {
    const { hosts, ask } = await serversFor(t, {
      'registry.example': refers('registrar.example'),
      'registrar.example': 'more',
    })
    assert.equal((await ask(false)).referral, undefined)
    assert.deepEqual(hosts, ['registry.example'])
    assert.equal((await ask(true)).referral?.text, 'more')
  })

  test('at most one hop is followed, and never back to the same server', async (t) => {
    const chain = { 'registry.example': refers('one.example'), 'one.example': refers('two.example') }
    const first = await serversFor(t, chain)
    assert.equal((await first.ask(true)).referral?.referral, undefined)
    assert.deepEqual(first.hosts, ['registry.example', 'one.example'])
    const circle = await serversFor(t, { 'registry.example': refers('REGISTRY.example') })
    assert.equal((await circle.ask(true)).referral, undefined)
    assert.deepEqual(circle.hosts, ['registry.example'])
  })

  test('referrals to IP addresses, other ports and private hosts are not followed', async (t) => {
    for (const target of [
      '127.0.0.1',
      '[::1]',
      'registrar.example:22',
      'localhost',
      'user@registrar.example',
      '0x7f.1',
      'a b.example',
      '',
    ]) {
      const { hosts, ask } = await serversFor(t, { 'registry.example': refers(target) })
      assert.equal((await ask(true)).referral, undefined, target)
      assert.deepEqual(hosts, ['registry.example'], target)
    }
    const { ask } = await serversFor(t, { 'registry.example': refers('private.example') })
    assert.equal((await ask(true)).referral, undefined)
  })

  test("if the registrar fails, the registry's answer is still returned", async (t) => {
    const { ask } = await serversFor(t, { 'registry.example': refers('registrar.example'), 'registrar.example': '' })
    const reply = await ask(true)
    assert.equal(reply.referral, undefined)
    assert.match(reply.text, /EXAMPLE\.COM/)
  })

  test('if an answer has several records, the referral of the requested domain is followed', async (t) => {
    const several = [
      'Server Name: EXAMPLE.COM.ELSEWHERE.NET',
      'Whois Server: wrong.example',
      '',
      'Domain Name: EXAMPLE.COM',
      'Whois Server: right.example',
      '',
      'Domain Name: OTHER.COM',
      'Whois Server: wrong.example',
    ].join('\n')
    const { hosts, ask } = await serversFor(t, { 'registry.example': several, 'right.example': 'more' })
    await ask(true)
    assert.deepEqual(hosts, ['registry.example', 'right.example'])
  })
})
