import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import type { DelegationRequest } from '../../protocols/dns/delegation-query.ts'
import type { Target } from '../probe.ts'
import { dnsProbe } from './dns.ts'

test('name servers get a short part of the time, and all of it if nobody else can be asked', async () => {
  const clock = manualClock()
  const asked: DelegationRequest[] = []
  const evidence = { server: '', question: '', rcode: null, hash: null, at: '', elapsedMs: 0 }
  const probe = dnsProbe({
    delegations: {
      async find(question) {
        asked.push(question)
        return { kind: 'unclear', why: 'timeout', evidence }
      },
    },
    serversOf: () => [],
    isDecisive: (tld) => tld === 'es',
    clock,
  })
  const rows: [string, number, number][] = [
    ['com', 10_000, 2_500],
    ['com', 1_000, 400],
    ['es', 10_000, 10_000],
    ['es', 60_000, 60_000],
    ['es', -5, 1],
  ]
  for (const [tld, leftMs, timeoutMs] of rows) {
    const target = { domain: `example.${tld}`, label: 'example', tld } as Target
    const deadline = clock.monotonic() + leftMs
    await probe.query(target, { signal: new AbortController().signal, deadline, lane: '' })
    assert.equal(asked.at(-1)!.timeoutMs, timeoutMs, `${tld} ${leftMs}`)
  }
})
