/** What each attack of one client costs another: the victim's p50 divided by its calm p50. `npm run bench:hostile`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Children, createChildren } from './children.ts'
import { type Attack, MAX_RATIO } from './hostile/attack.ts'
import { attackFiles, loadAttack } from './hostile/attacks.ts'
import type { AttackerRequest } from './hostile/attacker.ts'
import { costVerdict, measureDocuments } from './hostile/document-cost.ts'
import { startUnderAttack } from './hostile/service.ts'
import { get, measureVictim, type VictimFigures } from './hostile/victim.ts'
import { printReport, runAsCommand, showProgress } from './run.ts'
import { table } from './table.ts'
import type { Verdict } from './verdicts.ts'

const HELP = `npm run bench:hostile -- [options] [ATTACK…]

Measures what an attack of one client costs another, in a new process of the service for each attack.

  ATTACK     One or more of: ${attackFiles.join(', ')}
             (default: all, and what each free document costs)
  --quick    Fewer requests of the victim: shows large regressions, not exact figures
  --json     Print one JSON object instead of a table

Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

const TIMEOUT_MS = 30 * 60_000
/** Before the victim is measured under attack, so that queues and rates have settled. */
const SETTLE_MS = 3_000
/** The part of the victim's requests that a quick run sends. */
const QUICK_PART = 0.3
const ATTACKER_TIMEOUT_MS = 60_000
const HEALTH: Required<Pick<Attack, 'victim' | 'victimEveryMs' | 'victimRequests'>> = {
  victim: async ({ url }) => void (await get(`${url}/health`)),
  victimEveryMs: 50,
  victimRequests: 200,
}

type Row = {
  readonly attack: Attack
  readonly calm: VictimFigures
  readonly attacked: VictimFigures
  readonly longestStepMs: number
  readonly rssGrowthBytes: number
}

async function measure(children: Children, file: string, part: number): Promise<Row> {
  const attack = await loadAttack(file)
  const { victim, victimEveryMs, victimRequests } = { ...HEALTH, ...attack }
  const plan = { send: victim, everyMs: victimEveryMs, requests: Math.ceil(victimRequests * part) }
  const service = await startUnderAttack(children, attack)
  const attacker = children.start(new URL('hostile/attacker.ts', import.meta.url), { args: [file] })
  const tell = async (request: AttackerRequest) => {
    const reply = await attacker.ask<{ ok: boolean; error?: string }>(request, ATTACKER_TIMEOUT_MS)
    if (!reply.ok) throw new Error(`The attack "${attack.name}" failed: ${reply.error}`)
  }
  try {
    await attacker.line('ready')
    showProgress(`${attack.name}: calm`)
    // The first requests compile the code.
    await measureVictim(service.target, { ...plan, requests: Math.ceil(plan.requests / 4) })
    const calm = await measureVictim(service.target, plan)
    const before = await service.child.usage()
    await service.longestStepMs()
    showProgress(`${attack.name}: under attack`)
    await tell({ ask: 'start', target: service.target })
    await sleep(SETTLE_MS)
    const attacked = await measureVictim(service.target, plan)
    const longestStepMs = await service.longestStepMs()
    const { rssBytes } = await service.child.usage()
    await tell({ ask: 'stop' })
    return { attack, calm, attacked, longestStepMs, rssGrowthBytes: rssBytes - before.rssBytes }
  } finally {
    await Promise.all([attacker.stop(), service.stop()])
  }
}

const ratioOf = ({ calm, attacked }: Row): number => attacked.p50Ms / calm.p50Ms

function verdictsOf(row: Row): Verdict[] {
  const { attack, attacked } = row
  const { name, maxRatio = MAX_RATIO, maxP50Ms } = attack
  const measured = `${ratioOf(row).toFixed(1)} ×, ${attacked.p50Ms.toFixed(1)} ms, ${attacked.failed} failed`
  const verdict = (limit: string, isMet: boolean): Verdict => ({
    target: `${name}: the victim's p50 at most ${limit}, none failed`,
    measured,
    met: isMet && attacked.failed === 0,
  })
  return [
    verdict(`${maxRatio} × calm`, ratioOf(row) <= maxRatio),
    ...(maxP50Ms === undefined ? [] : [verdict(`${maxP50Ms} ms`, attacked.p50Ms <= maxP50Ms)]),
  ]
}

const COLUMNS = ['attack', 'calm p50 ms', 'p50 ms', 'ratio', 'max ms', 'failed', 'longest step ms', 'memory']
const lineOf = (row: Row): string[] => [
  row.attack.name,
  row.calm.p50Ms.toFixed(2),
  row.attacked.p50Ms.toFixed(2),
  ratioOf(row).toFixed(1),
  row.attacked.maxMs.toFixed(0),
  String(row.attacked.failed),
  row.longestStepMs.toFixed(0),
  `${row.rssGrowthBytes < 0 ? '−' : '+'}${Math.abs(row.rssGrowthBytes / 1024 / 1024).toFixed(0)} MB`,
]

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const children = createChildren()
  try {
    const rows: Row[] = []
    const part = values.quick ? QUICK_PART : 1
    for (const file of positionals.length > 0 ? positionals : attackFiles)
      rows.push(await measure(children, file, part))
    const documents = positionals.length > 0 ? [] : await measureDocuments(children)
    const costLines = documents.map(({ document, bytes, cpuMs }) => [document, String(bytes), cpuMs.toFixed(2)])
    return printReport({
      json: values.json,
      sections: [
        table([COLUMNS, ...rows.map(lineOf)], 1),
        ...(documents.length > 0 ? [table([['document', 'bytes', 'CPU ms'], ...costLines], 1)] : []),
      ],
      data: { rows: rows.map(({ attack, ...figures }) => ({ attack: attack.name, ...figures })), documents },
      verdicts: [...rows.flatMap(verdictsOf), ...documents.map(costVerdict)],
    })
  } finally {
    await children.stop()
  }
}

await runAsCommand(TIMEOUT_MS, main)
