/**
 * Speed of our DNS client, compared with Node's `dns.Resolver` in the same run: one burst as for one name under all TLDs,
 * and a long list of names. Both query the same name server on loopback, in turns. `npm run bench:dns`.
 */
import { Resolver } from 'node:dns/promises'
import { systemClock } from '../src/kernel/clock.ts'
import { secureRandom } from '../src/kernel/random.ts'
import { createDnsClient } from '../src/protocols/dns/client.ts'
import { parseServerAddress } from '../src/protocols/dns/server-address.ts'
import { createChildren } from './children.ts'
import { median } from './speed.ts'

const BURST_QUERIES = 511
const BURST_ROUNDS = 12
const LIST_QUERIES = 20_000
const LIST_ROUNDS = 3
const LIST_CONCURRENCY = 200
const QUERY_TIMEOUT_MS = 10_000

/** Whether the name is delegated; throws if that stays unknown. */
type Client = (name: string) => Promise<boolean>
type Round = { readonly ms: number; readonly cpuMicros: number; readonly wrong: number }

const children = createChildren()
const dns = createDnsClient({ clock: systemClock, random: secureRandom })
try {
  const responder = children.start(new URL('servers/dns-responder.ts', import.meta.url))
  const { port } = await responder.line('port')
  const contestants: Record<string, Client> = { onoma: ours(Number(port)), 'dns.Resolver': theirs(Number(port)) }

  const bursts = await inTurns(contestants, BURST_ROUNDS, (ask) => measure(ask, BURST_QUERIES, BURST_QUERIES))
  const lists = await inTurns(contestants, LIST_ROUNDS, (ask) => measure(ask, LIST_QUERIES, LIST_CONCURRENCY))
  console.log(report(`${BURST_QUERIES} queries in one burst`, BURST_QUERIES, bursts))
  console.log(report(`${LIST_QUERIES} queries, ${LIST_CONCURRENCY} at a time`, LIST_QUERIES, lists))
  const { sent } = dns.stats()
  const queries = BURST_QUERIES * (BURST_ROUNDS + 1) + LIST_QUERIES * (LIST_ROUNDS + 1)
  console.log(`datagrams sent by onoma per query: ${(sent / queries).toFixed(4)}`)
} finally {
  dns.close()
  await children.stop()
}

function ours(port: number): Client {
  const servers = [parseServerAddress(`127.0.0.1:${port}`)]
  return async (name) => {
    const options = { type: 'NS', servers, recursion: false, zone: 'tld', timeoutMs: QUERY_TIMEOUT_MS } as const
    const { outcome } = await dns.query({ name, ...options })
    if (outcome !== 'referral' && outcome !== 'nxdomain') throw new Error(outcome)
    return outcome === 'referral'
  }
}

function theirs(port: number): Client {
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${port}`])
  return async (name) => {
    try {
      await resolver.resolveNs(name)
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A referral has no answer section; Node reports it as a name without records.
      if (code === 'ENODATA') return true
      if (code === 'ENOTFOUND') return false
      throw error
    }
  }
}

async function measure(ask: Client, count: number, concurrency: number): Promise<Round> {
  let next = 0
  let wrong = 0
  const worker = async () => {
    while (next < count) {
      const at = next++
      const isTaken = at % 2 === 0
      const name = `${isTaken ? 'taken' : 'free'}-${at}-${secureRandom.below(1e9)}.tld`
      if ((await ask(name).catch(() => null)) !== isTaken) wrong++
    }
  }
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  await Promise.all(Array.from({ length: concurrency }, worker))
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - start, cpuMicros: (user + system) / count, wrong }
}

/** One warm-up round each, then in turns, so that a disturbance affects both. */
async function inTurns(
  contestants: Record<string, Client>,
  rounds: number,
  run: (ask: Client) => Promise<Round>,
): Promise<Map<string, Round[]>> {
  const results = new Map<string, Round[]>(Object.keys(contestants).map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const [name, ask] of Object.entries(contestants)) {
      const result = await run(ask)
      if (round >= 0) results.get(name)!.push(result)
    }
  }
  return results
}

function report(title: string, count: number, results: ReadonlyMap<string, readonly Round[]>): string {
  const medianOf = (name: string, figure: (round: Round) => number) => median(results.get(name)!.map(figure))
  const lines = [...results.keys()].map((name) => {
    const [ms, cpu] = [medianOf(name, (round) => round.ms), medianOf(name, (round) => round.cpuMicros)]
    const wrong = results.get(name)!.reduce((sum, round) => sum + round.wrong, 0)
    const perSecond = Math.round((count / ms) * 1000)
    return `  ${name.padEnd(14)}${ms.toFixed(1).padStart(9)} ms ${String(perSecond).padStart(8)}/s ${cpu.toFixed(1).padStart(7)} µs CPU each   wrong or lost: ${wrong}`
  })
  const times = (figure: (round: Round) => number) =>
    (medianOf('dns.Resolver', figure) / medianOf('onoma', figure)).toFixed(2)
  const ratio = `  dns.Resolver needs ${times((round) => round.ms)} × the time and ${times((round) => round.cpuMicros)} × the CPU`
  return [title, ...lines, ratio, ''].join('\n')
}
