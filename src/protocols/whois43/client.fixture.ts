import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { parseDomain, type DomainName } from '../../kernel/names.ts'
import { serveRaw } from '../../kernel/upstream/loopback.fixture.ts'
import { createWhois43, type Whois43Options } from './client.ts'

const domainName = (text: string): DomainName => {
  const reading = parseDomain(text)
  assert.ok(reading.ok, text)
  return reading.name
}
export const question = { domain: domainName('example.com'), tld: 'com' }

/** A client that resolves every host to loopback and may connect there. */
export function clientFor(options: Partial<Whois43Options> = {}) {
  return createWhois43({
    clock: manualClock(),
    timeoutMs: 60_000,
    maxBytes: 10_000,
    allow: (address) => address === '127.0.0.1',
    lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    ...options,
  })
}

/** A server that records the lines it receives and always sends the same answer. */
export async function serveAnswer(t: TestContext, answer: string | Uint8Array, asked: string[] = []): Promise<number> {
  return serveRaw(t, (socket) => {
    socket.once('data', (line) => {
      asked.push(line.toString('latin1'))
      socket.end(answer)
    })
  })
}
