import { readdirSync } from 'node:fs'
import { createChildren } from '../children.ts'
import { startService } from '../names/contestants.ts'
import type { InternetPlaces } from '../names/internet.ts'
import { isFree, SEED } from '../names/lists.ts'
import { checkBulk } from '../names/service-client.ts'

const LISTS = 20
const NAMES_PER_LIST = 5_000
/** Lists after which caches are full and the code is compiled. */
const SETTLED_LISTS = 8
const MAX_HEAP_GROWTH = 1.15
const LIST_TIMEOUT_MS = 120_000

type Sample = { readonly checks: number; readonly heapMb: number; readonly rssMb: number; readonly descriptors: number }

/** A hundred thousand checks of different names: memory and file descriptors must not grow once they have settled. */
export async function soakWithChecks(): Promise<number> {
  const children = createChildren()
  try {
    const internet = children.start(new URL('../names/internet.ts', import.meta.url), {
      args: [JSON.stringify({ seed: SEED })],
    })
    const { places } = (await internet.line('places')) as { places: InternetPlaces }
    const { child, url } = await startService(children, places)
    const samples: Sample[] = []
    let wrong = 0
    let unknown = 0
    for (let list = 0; list < LISTS; list++) {
      const tlds = ['com', 'net', 'org', 'app', 'dev']
      const domains = Array.from({ length: NAMES_PER_LIST }, (_, at) => `soak-${list}-${at}.${tlds[at % tlds.length]}`)
      const { verdicts } = await checkBulk(url, domains, LIST_TIMEOUT_MS)
      for (const domain of domains) {
        const verdict = verdicts[domain] ?? 'unknown'
        if (verdict === 'unknown') unknown++
        else if ((verdict === 'available') !== isFree(domain)) wrong++
      }
      const { heapBytes, rssBytes } = await child.usage({ collect: true })
      const sample = {
        checks: (list + 1) * NAMES_PER_LIST,
        heapMb: Math.round(heapBytes / 1e6),
        rssMb: Math.round(rssBytes / 1e6),
        descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
      }
      samples.push(sample)
      console.log(JSON.stringify(sample))
    }
    const settled = samples[SETTLED_LISTS - 1]!
    const last = samples.at(-1)!
    const verdicts: [string, boolean][] = [
      [`no wrong verdict: ${wrong}`, wrong === 0],
      [`at most 1 % unknown: ${unknown} of ${LISTS * NAMES_PER_LIST}`, unknown <= (LISTS * NAMES_PER_LIST) / 100],
      [
        `heap after ${settled.checks} checks and at the end: ${settled.heapMb}, ${last.heapMb} MB`,
        last.heapMb <= settled.heapMb * MAX_HEAP_GROWTH + 5,
      ],
      [`descriptors: ${settled.descriptors}, ${last.descriptors}`, last.descriptors <= settled.descriptors + 20],
    ]
    for (const [what, holds] of verdicts) console.log(`${holds ? 'PASS' : 'FAIL'}  ${what}`)
    return verdicts.every(([, holds]) => holds) ? 0 : 1
  } finally {
    await children.stop()
  }
}
