import { readdirSync } from 'node:fs'
import { type Children, createChildren } from '../children.ts'
import { startService } from '../names/contestants.ts'
import type { InternetPlaces } from '../names/internet.ts'
import { isFree, SEED } from '../names/lists.ts'
import { checkBulk } from '../names/service-client.ts'
import { printReport, showProgress } from '../run.ts'
import { table } from '../table.ts'
import type { Verdict } from '../verdicts.ts'

type Plan = {
  readonly lists: number
  readonly namesPerList: number
  /** Lists after which caches are full and the code is compiled. */
  readonly settledLists: number
}
const FULL: Plan = { lists: 20, namesPerList: 5_000, settledLists: 8 }
const QUICK: Plan = { lists: 8, namesPerList: 2_500, settledLists: 5 }
const TLDS = ['com', 'net', 'org', 'app', 'dev']
const MAX_HEAP_GROWTH = 1.15
const HEAP_MARGIN_MB = 5
const MAX_MORE_DESCRIPTORS = 20
const LIST_TIMEOUT_MS = 120_000

type Sample = { readonly checks: number; readonly heapMb: number; readonly rssMb: number; readonly descriptors: number }
type Outcome = { readonly samples: readonly Sample[]; readonly wrong: number; readonly unknown: number }

async function measure(children: Children, { lists, namesPerList }: Plan): Promise<Outcome> {
  const internet = children.start(new URL('../names/internet.ts', import.meta.url), {
    args: [JSON.stringify({ seed: SEED })],
  })
  const { places } = (await internet.line('places')) as { places: InternetPlaces }
  const { child, url } = await startService(children, places)
  const samples: Sample[] = []
  let wrong = 0
  let unknown = 0
  for (let list = 0; list < lists; list++) {
    showProgress(`list ${list + 1} of ${lists}`)
    const domains = Array.from({ length: namesPerList }, (_, at) => `soak-${list}-${at}.${TLDS[at % TLDS.length]}`)
    const { verdicts } = await checkBulk(url, domains, LIST_TIMEOUT_MS)
    for (const domain of domains) {
      const verdict = verdicts[domain] ?? 'unknown'
      if (verdict === 'unknown') unknown++
      else if ((verdict === 'available') !== isFree(domain)) wrong++
    }
    const { heapBytes, rssBytes } = await child.usage({ collect: true })
    samples.push({
      checks: (list + 1) * namesPerList,
      heapMb: heapBytes / 1e6,
      rssMb: rssBytes / 1e6,
      descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
    })
  }
  return { samples, wrong, unknown }
}

function judge({ samples, wrong, unknown }: Outcome, { settledLists }: Plan): Verdict[] {
  const [settled, last] = [samples[settledLists - 1]!, samples.at(-1)!]
  return [
    { target: 'no wrong verdict', measured: String(wrong), met: wrong === 0 },
    { target: 'at most 1 % unknown', measured: `${unknown} of ${last.checks}`, met: unknown <= last.checks / 100 },
    {
      target: `heap at the end at most ${MAX_HEAP_GROWTH} × that after ${settled.checks} checks, and ${HEAP_MARGIN_MB} MB`,
      measured: `${settled.heapMb.toFixed(0)}, ${last.heapMb.toFixed(0)} MB`,
      met: last.heapMb <= settled.heapMb * MAX_HEAP_GROWTH + HEAP_MARGIN_MB,
    },
    {
      target: `at most ${MAX_MORE_DESCRIPTORS} more descriptors than after ${settled.checks} checks`,
      measured: `${settled.descriptors}, ${last.descriptors}`,
      met: last.descriptors <= settled.descriptors + MAX_MORE_DESCRIPTORS,
    },
  ]
}

/** Checks of different names: memory and file descriptors must not grow once they have settled. */
export async function soakWithChecks({
  quick,
  json,
}: {
  readonly quick: boolean
  readonly json: boolean
}): Promise<number> {
  const plan = quick ? QUICK : FULL
  const children = createChildren()
  try {
    const outcome = await measure(children, plan)
    const rows = outcome.samples.map(({ checks, heapMb, rssMb, descriptors }) => [
      checks.toLocaleString('en'),
      heapMb.toFixed(0),
      rssMb.toFixed(0),
      String(descriptors),
    ])
    const [settled, last] = [outcome.samples[plan.settledLists - 1]!, outcome.samples.at(-1)!]
    return printReport({
      json,
      sections: [table([['checks', 'heap MB', 'RSS MB', 'descriptors'], ...rows], 0)],
      data: { plan, ...outcome, ratios: { 'heap growth': last.heapMb / settled.heapMb } },
      verdicts: judge(outcome, plan),
    })
  } finally {
    await children.stop()
  }
}
