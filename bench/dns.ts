/**
 * How fast our DNS client is, against Node's own resolver in the same run: a check of one name under all TLDs in one
 * burst, and a long list of names. Both ask the same name server on loopback, in turns. `npm run bench:dns`.
 */
import { Resolver } from 'node:dns/promises'
import { systemClock } from '../src/kernel/clock.ts'
import { secureRandom } from '../src/kernel/random.ts'
import { createDnsClient } from '../src/protocols/dns/client.ts'
import { parseServerAddress } from '../src/protocols/dns/server-address.ts'
import { createChildren } from './children.ts'

const BURST = 511
const BURST_ROUNDS = 12
const LIST = 20_000
const LIST_ROUNDS = 3
const AT_ONCE = 200

/** Whether the name is delegated; throws where that is not known. */
type Client = (name: string) => Promise<boolean>
type Round = { readonly ms: number; readonly cpuMicros: number; readonly wrong: number }

const children = createChildren()
const dns = createDnsClient({ clock: systemClock, random: secureRandom })
try {
  const responder = children.start(new URL('servers/dns-responder.ts', import.meta.url))
  const { port } = await responder.line('port')
  const contestants: Record<string, Client> = { onoma: ours(Number(port)), 'dns.Resolver': theirs(Number(port)) }

  const bursts = await inTurns(contestants, BURST_ROUNDS, (ask) => measure(ask, BURST, BURST))
  const lists = await inTurns(contestants, LIST_ROUNDS, (ask) => measure(ask, LIST, AT_ONCE))
  console.log(report(`${BURST} questions in one burst`, BURST, bursts))
  console.log(report(`${LIST} questions, ${AT_ONCE} at a time`, LIST, lists))
  const { sent } = dns.stats()
  const questions = BURST * (BURST_ROUNDS + 1) + LIST * (LIST_ROUNDS + 1)
  console.log(`datagrams sent by onoma per question: ${(sent / questions).toFixed(4)}`)
} finally {
  dns.close()
  await children.stop()
}

function ours(port: number): Client {
  const servers = [parseServerAddress(`127.0.0.1:${port}`)]
  return async (name) => {
    const how = { type: 'NS', servers, recursion: false, zone: 'tld', timeoutMs: 10_000 } as const
    const { outcome } = await dns.query({ name, ...how })
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
      // A referral has no answer section: to Node that is a name without records.
      if (code === 'ENODATA') return true
      if (code === 'ENOTFOUND') return false
      throw error
    }
  }
}

async function measure(ask: Client, count: number, atOnce: number): Promise<Round> {
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
  await Promise.all(Array.from({ length: atOnce }, worker))
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - start, cpuMicros: (user + system) / count, wrong }
}

/** One round each to warm up, then turn by turn, so that a noisy moment hits both. */
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
  const median = (name: string, figure: (round: Round) => number) => {
    const sorted = results
      .get(name)!
      .map(figure)
      .toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)]!
  }
  const lines = [...results.keys()].map((name) => {
    const [ms, cpu] = [median(name, (round) => round.ms), median(name, (round) => round.cpuMicros)]
    const wrong = results.get(name)!.reduce((sum, round) => sum + round.wrong, 0)
    const perSecond = Math.round((count / ms) * 1000)
    return `  ${name.padEnd(14)}${ms.toFixed(1).padStart(9)} ms ${String(perSecond).padStart(8)}/s ${cpu.toFixed(1).padStart(7)} µs CPU each   wrong or lost: ${wrong}`
  })
  const times = (figure: (round: Round) => number) =>
    (median('dns.Resolver', figure) / median('onoma', figure)).toFixed(2)
  const ratio = `  dns.Resolver needs ${times((round) => round.ms)} × the time and ${times((round) => round.cpuMicros)} × the CPU`
  return [title, ...lines, ratio, ''].join('\n')
}
