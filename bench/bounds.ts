/**
 * Fills each bound of the service one after the other and measures what it costs: the figures of "Limits and memory" in
 * docs/self-hosting.md. `npm run bench:bounds`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { BOUNDS, type Bound } from './bounds/bounds.ts'
import type { Outcome } from './bounds/bound.ts'
import { ask, inParallel } from './bounds/client.ts'
import { type Child, createChildren } from './children.ts'
import { startUnderAttack } from './hostile/service.ts'
import { printReport, runAsCommand, showProgress } from './run.ts'
import type { Usage } from './servers/gauge.ts'
import { table } from './table.ts'

const HELP = `npm run bench:bounds -- [NAME…] [--json]

Starts the service in a process of its own for each bound, fills the bound, and prints the memory it took: the heap after a
collection, with buffers outside of it, and the resident memory. What the service does above the bound is checked too.
Without names all bounds: ${BOUNDS.map(({ name }) => name).join(', ')}.

Exit code: 0 all within what is stated, 1 one is not, 2 the measurement failed.
`

const TIMEOUT_MS = 45 * 60_000
const MEGABYTE = 1_000_000

type Row = Outcome & Pick<Bound, 'name' | 'statedMb'> & { readonly usedMb: number; readonly rssMb: number }

/** Creates what exists once, however much is asked. */
async function warmUp(url: string): Promise<void> {
  await inParallel(2_000, 16, () => ask(`${url}/v1/register?domain=example.com`))
  await inParallel(200, 16, (at) => ask(`${url}/v1/check?domain=taken-warm-up-${at}.com`))
  await ask(`${url}/v1/check/bulk`, { body: JSON.stringify({ domains: ['taken-warm-up.com'] }) })
}

/** What the start has left is collected only after a while: until two collections in a row find nothing. */
async function settledUsage(child: Child): Promise<Usage> {
  let last = await child.usage({ collect: true })
  for (;;) {
    await sleep(1_000)
    const usage = await child.usage({ collect: true })
    if (usage.heapBytes > last.heapBytes - MEGABYTE) return usage
    last = usage
  }
}

async function measure(bound: Bound): Promise<Row> {
  const children = createChildren()
  try {
    const service = await startUnderAttack(children, bound)
    await warmUp(service.target.url)
    const before = await settledUsage(service.child)
    const outcome = await bound.fill(service.target)
    const after = await service.child.usage({ collect: true })
    await outcome.release?.()
    const usedMb = (after.heapBytes + after.externalBytes - before.heapBytes - before.externalBytes) / MEGABYTE
    const rssMb = (after.rssBytes - before.rssBytes) / MEGABYTE
    return { ...outcome, name: bound.name, statedMb: bound.statedMb, usedMb, rssMb }
  } finally {
    await children.stop()
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
    allowPositionals: true,
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const unknown = positionals.find((one) => !BOUNDS.some(({ name }) => name === one))
  if (unknown !== undefined) throw new Error(`There is no bound ${unknown}.\n\n${HELP}`)
  const rows: Row[] = []
  for (const bound of BOUNDS) {
    if (positionals.length > 0 && !positionals.includes(bound.name)) continue
    showProgress(bound.name)
    rows.push(await measure(bound))
  }
  const lines = rows.map(({ name, filled, statedMb, usedMb, rssMb, above }) => [
    name,
    filled,
    String(statedMb),
    usedMb.toFixed(0),
    rssMb.toFixed(0),
    above.saw,
  ])
  return printReport({
    json: values.json,
    sections: [table([['bound', 'filled with', 'stated MB', 'heap MB', 'RSS MB', 'above it'], ...lines], 2)],
    data: { rows },
    verdicts: rows.flatMap(({ name, statedMb, usedMb, above }) => [
      {
        target: `${name}: at most ${statedMb} MB of heap and buffers`,
        measured: `${usedMb.toFixed(0)} MB`,
        met: usedMb <= statedMb,
      },
      { target: `${name}: ${above.expected}`, measured: above.saw, met: above.met },
    ]),
  })
}

await runAsCommand(TIMEOUT_MS, main)
