import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import type { DomainName } from '../../kernel/names.ts'
import type { Pacer } from '../../kernel/pace/pacer.ts'
import { serveRaw } from '../../kernel/upstream/loopback.fixture.ts'
import { createWhois43 } from './client.ts'
import { createWhoisRegistry } from './registry.ts'

const clock = manualClock()
const pacer: Pick<Pacer, 'run'> = {
  run: (_host, ask) => ask({ signal: new AbortController().signal, timeoutMs: 60_000 }),
}

/** Queries a server on loopback for `free-name.com`. */
async function answerOf(t: TestContext, text: string, knownAs?: (tld: string) => string | undefined) {
  const port = await serveRaw(t, (socket) => void socket.once('data', () => socket.end(text)))
  const client = createWhois43({ clock, timeoutMs: 60_000, maxBytes: 10_000, allow: () => true })
  const serverOf = () => `127.0.0.1:${port}`
  const ask = createWhoisRegistry({ client, pacer, serverOf, clock, ...(knownAs && { knownAs }) })
  const question = { domain: 'free-name.com' as DomainName, tld: 'com' }
  const options = { signal: new AbortController().signal, deadline: 60_000, lane: '' }
  return (await ask(question, options)).answer
}

suite('the "not found" wording is known per registry host', () => {
  const text = 'No match for domain "FREE-NAME.COM".\r\n'
  const asked: string[] = []
  const knownAs = (tld: string) => {
    asked.push(tld)
    return 'whois.verisign-grs.com'
  }

  test('it is recognised under the host name of the registry, whatever address is queried', async (t) => {
    assert.deepEqual(await answerOf(t, text, knownAs), { kind: 'available', wording: 'known' })
    assert.deepEqual(asked, ['com'])
  })

  test('it is not recognised without the host name of the registry', async (t) => {
    assert.deepEqual(await answerOf(t, text), { kind: 'available' })
    assert.deepEqual(await answerOf(t, text, () => undefined), { kind: 'available' })
  })

  test('another wording of that host is not recognised', async (t) => {
    assert.deepEqual(await answerOf(t, 'Domain not found.\r\n', knownAs), { kind: 'available' })
  })
})
