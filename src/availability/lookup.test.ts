import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { manualClock } from '../kernel/clock.ts'
import type { DomainName, Label } from '../kernel/names.ts'
import type { RegistryQueryOptions } from '../kernel/registration.ts'
import { createLookup } from './lookup.ts'
import type { Finding, Probes, Source } from './probe.ts'

const POLICY = { tld: 'co', type: 'ccTLD', lookup: 'rdap', hasWhois: true } as const
const TARGET = { domain: 'shop.co' as DomainName, label: 'shop' as Label, tld: 'co' }

type Said = Omit<Finding, 'evidence'>
type Answer = (options: RegistryQueryOptions) => Promise<Said>

/** A lookup over sources that answer as the test says, and the order in which they were asked and given up. */
function lookupOver(answers: Record<Source, Answer>, clock = manualClock()) {
  const log: string[] = []
  const probe = (source: Source) => ({
    async query(_: unknown, options: RegistryQueryOptions): Promise<Finding> {
      log.push(source)
      options.signal.addEventListener('abort', () => log.push(`${source} given up`))
      const evidence = { source, server: `${source}.test`, question: 'q', outcome: 'o', at: AT, ms: 1 }
      return { ...(await answers[source](options)), evidence }
    },
  })
  const probes: Probes = { dns: probe('dns'), rdap: probe('rdap'), whois: probe('whois') }
  const lookUp = createLookup({ probes, policyFor: () => POLICY, clock })
  const run = (wants: 'verdict' | 'record' = 'verdict', signal = new AbortController().signal) =>
    lookUp(TARGET, { wants, signal, timeoutMs: 10_000, lane: 'test' })
  return { run, log }
}

const AT = '2026-01-01T00:00:00.000Z'
const notDelegated = async (): Promise<Said> => ({ says: 'not_delegated' })
const free = async (): Promise<Said> => ({ says: 'available', wording: 'known' })
const taken = async (): Promise<Said> => ({ says: 'registered' })
const down = async (): Promise<Said> => ({ says: 'unclear', failure: 'upstream_error' })
const hang = ({ signal }: RegistryQueryOptions) =>
  new Promise<Said>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

suite('a registry whose RDAP is down', () => {
  test('is still a registry: its WHOIS decides, and the evidence says with less confidence', async () => {
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

  test('tells RDAP that it can go elsewhere only while it can', async () => {
    const alternatives: boolean[] = []
    const error = async ({ alternative }: RegistryQueryOptions): Promise<Said> => {
      alternatives.push(alternative !== undefined)
      return { says: 'unclear', failure: 'upstream_error', retryable: true }
    }
    const { run } = lookupOver({ dns: notDelegated, rdap: error, whois: down })
    assert.equal((await run()).verdict.state, 'unknown')
    assert.deepEqual(alternatives, [true, false])
  })

  test('is not asked a second time when no time is left, so that the verdict says what it answered', async () => {
    const clock = manualClock()
    const error = async (): Promise<Said> => ({ says: 'unclear', failure: 'upstream_error', retryable: true })
    const late = async (): Promise<Said> => {
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

suite('a slow RDAP server', () => {
  test('is given up as soon as WHOIS knows the name as taken', async () => {
    const slow: Answer = (options) => {
      options.alternative!.onSlow()
      return hang(options)
    }
    const { run, log } = lookupOver({ dns: notDelegated, rdap: slow, whois: taken })
    const { verdict } = await run()
    assert.deepEqual([verdict.state, verdict.source], ['registered', 'whois'])
    assert.ok(log.includes('rdap given up'))
  })

  test('still decides where WHOIS beside it says that the name is free', async () => {
    const whoisSaid = Promise.withResolvers<void>()
    const slow: Answer = async (options) => {
      options.alternative!.onSlow()
      await whoisSaid.promise
      return { says: 'registered' }
    }
    const whois: Answer = async () => {
      whoisSaid.resolve()
      return free()
    }
    const { verdict } = await lookupOver({ dns: notDelegated, rdap: slow, whois }).run()
    assert.deepEqual([verdict.state, verdict.source], ['registered', 'rdap'])
  })
})

test('an abort of the caller aborts all its queries, and no error is left unhandled', async () => {
  const leaving = new AbortController()
  const { run } = lookupOver({ dns: hang, rdap: hang, whois: hang })
  const asking = run('record', leaving.signal)
  leaving.abort(new Error('gone'))
  await assert.rejects(asking, /gone/)
})

test('a record is asked for beside DNS, and a name DNS knows is registered whatever RDAP says', async () => {
  const { run, log } = lookupOver({ dns: taken, rdap: free, whois: down })
  const { verdict, contradicted } = await run('record')
  assert.deepEqual([verdict.state, verdict.source, contradicted], ['registered', 'dns', true])
  assert.deepEqual(log.slice(0, 2), ['dns', 'rdap'])
})
