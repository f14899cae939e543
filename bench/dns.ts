/**
 * Speed of our DNS client, compared with Node's `dns.Resolver` in the same run: one burst as for one name under all TLDs,
 * and a long list of names. All query the same name server on loopback, in turns. A third row shows what sending and
 * receiving cost without any client. Exits with 1 if slower than `dns.Resolver`. `npm run bench:dns`.
 */
import { availableParallelism, loadavg } from 'node:os'
import { systemClock } from '../src/kernel/clock.ts'
import { secureRandom } from '../src/kernel/random.ts'
import { createDnsClient } from '../src/protocols/dns/client.ts'
import { createChildren } from './children.ts'
import { bareSocket, type Client, ours, theirs } from './dns/contestants.ts'
import { dnsVerdicts, OURS, PEER, type Round, type Rounds } from './dns/verdicts.ts'
import { verdictLines } from './report.ts'
import { median } from './speed.ts'

const BURST_QUERIES = 511
const BURST_ROUNDS = 12
const LIST_QUERIES = 20_000
const LIST_ROUNDS = 5
/** Until V8 has compiled the client; a service runs for days. */
const LIST_WARM_UP_ROUNDS = 2
const LIST_CONCURRENCY = 200
const BARE = 'no client'
/** It sends nothing again: as many datagrams as fit into the smallest usual socket buffer, so that none is lost. */
const BARE_CONCURRENCY = 100

const children = createChildren()
const dns = createDnsClient({ clock: systemClock, random: secureRandom })
try {
  const responder = children.start(new URL('servers/dns-responder.ts', import.meta.url))
  const port = Number((await responder.line('port'))['port'])
  const bare = await bareSocket(port)
  const clients = { [OURS]: ours(dns, port), [PEER]: theirs(port) }

  const bursts = await inTurns(clients, { warmUp: 1, rounds: BURST_ROUNDS }, (ask) =>
    measure(ask, BURST_QUERIES, BURST_QUERIES),
  )
  const lists = await inTurns(
    { ...clients, [BARE]: bare.ask },
    { warmUp: LIST_WARM_UP_ROUNDS, rounds: LIST_ROUNDS },
    (ask) => measure(ask, LIST_QUERIES, ask === bare.ask ? BARE_CONCURRENCY : LIST_CONCURRENCY),
  )
  bare.close()
  console.log(report(`${BURST_QUERIES} queries in one burst`, BURST_QUERIES, bursts))
  console.log(report(`${LIST_QUERIES} queries, ${LIST_CONCURRENCY} at a time`, LIST_QUERIES, lists))
  const queries = BURST_QUERIES * (BURST_ROUNDS + 1) + LIST_QUERIES * (LIST_ROUNDS + LIST_WARM_UP_ROUNDS)
  console.log(`datagrams sent by ${OURS} per query: ${(dns.stats().sent / queries).toFixed(4)}`)
  if (loadavg()[0]! > availableParallelism() + 1) {
    console.log('NOTE: other programs were busy; rates say little, CPU times are higher than on a calm machine.')
  }
  const verdicts = dnsVerdicts({ bursts, lists })
  console.log(`\n${verdictLines(verdicts)}`)
  if (verdicts.some(({ met }) => !met)) process.exitCode = 1
} finally {
  dns.close()
  await children.stop()
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

/** In turns, so that a disturbance affects all. */
async function inTurns(
  contestants: Record<string, Client>,
  plan: { readonly warmUp: number; readonly rounds: number },
  run: (ask: Client) => Promise<Round>,
): Promise<Rounds> {
  const results = new Map<string, Round[]>(Object.keys(contestants).map((name) => [name, []]))
  for (let round = -plan.warmUp; round < plan.rounds; round++) {
    for (const [name, ask] of Object.entries(contestants)) {
      const result = await run(ask)
      if (round >= 0) results.get(name)!.push(result)
    }
  }
  return results
}

function report(title: string, count: number, results: Rounds): string {
  const lines = [...results].map(([name, rounds]) => {
    const ms = median(rounds.map((round) => round.ms))
    const cpu = median(rounds.map((round) => round.cpuMicros))
    const wrong = rounds.reduce((sum, round) => sum + round.wrong, 0)
    const perSecond = Math.round((count / ms) * 1000)
    return `  ${name.padEnd(14)}${ms.toFixed(1).padStart(9)} ms ${String(perSecond).padStart(8)}/s ${cpu.toFixed(1).padStart(7)} µs CPU each   wrong or lost: ${wrong}`
  })
  return [title, ...lines, ''].join('\n')
}
