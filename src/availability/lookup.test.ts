import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { manualClock } from '../kernel/clock.ts'
import { nextTurn, type NextTurn } from '../kernel/event-loop.ts'
import type { DomainName, Label } from '../kernel/names.ts'
import type { RegistryQueryOptions } from '../kernel/registration.ts'
import { createLookup } from './lookup.ts'
import type { Finding, Probes, Source } from './probe.ts'

const POLICY = { tld: 'co', type: 'ccTLD', lookup: 'rdap', hasWhois: true } as const
const TARGET = { domain: 'shop.co' as DomainName, label: 'shop' as Label, tld: 'co' }

type Reply = Omit<Finding, 'evidence'>
type Answer = (options: RegistryQueryOptions) => Promise<Reply>

/** A lookup over scripted sources, and a log of the order in which they were queried and aborted. */
function lookupOver(answers: Record<Source, Answer>, clock = manualClock(), nextTurn?: NextTurn) {
  const log: string[] = []
  const probe = (source: Source) => ({
    async query(_: unknown, options: RegistryQueryOptions): Promise<Finding> {
      log.push(source)
      options.signal.addEventListener('abort', () => log.push(`${source} aborted`))
      const evidence = { source, server: `${source}.test`, question: 'q', outcome: 'o', at: AT, ms: 1 }
      return { ...(await answers[source](options)), evidence }
    },
  })
  const probes: Probes = { dns: probe('dns'), rdap: probe('rdap'), whois: probe('whois') }
  const lookUp = createLookup({ probes, policyFor: () => POLICY, clock, nextTurn })
  const run = (wants: 'verdict' | 'record' = 'verdict', signal = new AbortController().signal) =>
    lookUp(TARGET, { wants, signal, timeoutMs: 10_000, lane: 'test' })
  return { run, log }
}

const AT = '2026-01-01T00:00:00.000Z'
const notDelegated = async (): Promise<Reply> => ({ says: 'not_delegated' })
const free = async (): Promise<Reply> => ({ says: 'available', wording: 'known' })
const taken = async (): Promise<Reply> => ({ says: 'registered' })
const down = async (): Promise<Reply> => ({ says: 'unclear', failure: 'upstream_error' })
const hang = ({ signal }: RegistryQueryOptions) =>
  new Promise<Reply>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('a registry is asked in the turn after the answer of DNS, when the client has what DNS proves of other names', async () => {
  const turn = Promise.withResolvers<void>()
  const { run, log } = lookupOver({ dns: notDelegated, rdap: free, whois: hang }, manualClock(), () => turn.promise)
  const result = run()
  await nextTurn()
  assert.deepEqual(log, ['dns'])
  turn.resolve()
  assert.equal((await result).verdict.state, 'available')
})

suite('a registry whose RDAP is down', () => {
  test('is replaced by its WHOIS, and the evidence has reduced confidence', async () => {
    const { run, log } = lookupOver({ dns: notDelegated, rdap: down, whois: free })
    const { verdict, evidence } = await run()
    assert.deepEqual([verdict.state, verdict.source], ['available', 'whois'])
    assert.deepEqual(
      evidence.map(({ source, confidence }) => [source, confidence]),
      [
        ['dns', undefined],
        ['rdap', undefined],
        ['whois', 'reduced'],
      ],
    )
    assert.deepEqual(log.slice(0, 3), ['dns', 'rdap', 'whois'])
  })

  test('offers the WHOIS alternative to the first RDAP query, not to the retry', async () => {
    const alternatives: boolean[] = []
    const error = async ({ alternative }: RegistryQueryOptions): Promise<Reply> => {
      alternatives.push(alternative !== undefined)
      return { says: 'unclear', failure: 'upstream_error', retryable: true }
    }
    const { run } = lookupOver({ dns: notDelegated, rdap: error, whois: down })
    assert.equal((await run()).verdict.state, 'unknown')
    assert.deepEqual(alternatives, [true, false])
  })

  test('is not retried without time left, so that the verdict has its failure', async () => {
    const clock = manualClock()
    const error = async (): Promise<Reply> => ({ says: 'unclear', failure: 'upstream_error', retryable: true })
    const late = async (): Promise<Reply> => {
      clock.advance(10_000)
      return { says: 'unclear', failure: 'timeout' }
    }
    const { run, log } = lookupOver({ dns: notDelegated, rdap: error, whois: late }, clock)
    assert.equal((await run()).verdict.failure, 'upstream_error')
    assert.deepEqual(
      log.filter((word) => !word.includes(' ')),
      ['dns', 'rdap', 'whois'],
    )
  })
})

suite('a registry whose RDAP has a rate limit', () => {
  test('is not asked by WHOIS, which cannot decide, once the time was spent waiting for RDAP', async () => {
    const clock = manualClock()
    const deadlines: unknown[] = []
    const throttled = async ({ deadline, alternative }: RegistryQueryOptions): Promise<Reply> => {
      deadlines.push(deadline - clock.monotonic(), alternative!.deadline! - clock.monotonic())
      clock.advance(10_000)
      return { says: 'unclear', failure: 'rate_limited' }
    }
    const { run, log } = lookupOver({ dns: notDelegated, rdap: throttled, whois: free }, clock)
    const { verdict } = await run()
    assert.deepEqual([verdict.state, verdict.failure], ['unknown', 'rate_limited'])
    assert.ok(!log.includes('whois'))
    assert.deepEqual(deadlines, [10_000, 7_000])
  })
})

suite('a slow RDAP server', () => {
  test('is aborted as soon as WHOIS reports the name as registered', async () => {
    const slow: Answer = (options) => {
      options.alternative!.onSlow()
      return hang(options)
    }
    const { run, log } = lookupOver({ dns: notDelegated, rdap: slow, whois: taken })
    const { verdict } = await run()
    assert.deepEqual([verdict.state, verdict.source], ['registered', 'whois'])
    assert.ok(log.includes('rdap aborted'))
  })

  test('still decides if WHOIS beside it reports the name as available', async () => {
    const whoisReplied = Promise.withResolvers<void>()
    const slow: Answer = async (options) => {
      options.alternative!.onSlow()
      await whoisReplied.promise
      return { says: 'registered' }
    }
    const whois: Answer = async () => {
      whoisReplied.resolve()
      return free()
    }
    const { verdict } = await lookupOver({ dns: notDelegated, rdap: slow, whois }).run()
    assert.deepEqual([verdict.state, verdict.source], ['registered', 'rdap'])
  })
})

test('an abort by the caller aborts all queries, and leaves no unhandled rejection', async () => {
  const leaving = new AbortController()
  const { run } = lookupOver({ dns: hang, rdap: hang, whois: hang })
  const asking = run('record', leaving.signal)
  leaving.abort(new Error('gone'))
  await assert.rejects(asking, /gone/)
})

test('for a record, RDAP is queried beside DNS, and a delegated name is registered whatever RDAP answers', async () => {
  const { run, log } = lookupOver({ dns: taken, rdap: free, whois: down })
  const { verdict, contradicted } = await run('record')
  assert.deepEqual([verdict.state, verdict.source, contradicted], ['registered', 'dns', true])
  assert.deepEqual(log.slice(0, 2), ['dns', 'rdap'])
})
