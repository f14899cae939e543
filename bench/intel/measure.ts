import type { Child, Children } from '../children.ts'
import { startGenerator } from '../contest.ts'
import type { Job, Load } from '../load/job.ts'
import { TARGET } from '../load/requests.ts'
import type { CaptureJob, Captures } from './captures.ts'
import { serveSmallPage } from './small-page.ts'

export type Plan = {
  readonly inFlight: readonly number[]
  readonly warmUpSeconds: number
  readonly seconds: number
  /** How often each round is repeated; both contestants take turns. */
  readonly turns: number
  readonly connections: number
  readonly apiSeconds: number
}

export type CaptureFigures = Exclude<Captures, { failed: string }>
export type Pair = { readonly inFlight: number; readonly onoma: CaptureFigures; readonly playwright: CaptureFigures }
type EndpointFigures = { readonly perSecond: number; readonly p99Ms: number }
/** Another endpoint, without and with captures. */
export type Interference = {
  readonly alone: EndpointFigures
  readonly withCaptures: EndpointFigures
  readonly captures: CaptureFigures
}
export type Outcome = { readonly pairs: readonly Pair[]; readonly interference: readonly Interference[] }

/** Captures start this long before the load and end this long after it. */
const LEAD_MS = 700
const CAPTURE_TIMEOUT_MS = 90_000
const LOAD_TIMEOUT_MS = 20_000

export async function measureIntel(
  children: Children,
  plan: Plan,
  { concurrent, showProgress }: { concurrent: number; showProgress(what: string): void },
): Promise<Outcome> {
  const page = await serveSmallPage()
  try {
    const browser = process.env['ONOMA_CHROMIUM']
    const env = browser === undefined ? {} : { ONOMA_CHROMIUM: browser }
    const start = (file: string, ...args: number[]) =>
      children.start(new URL(file, import.meta.url), { args: [page.port, ...args].map(String), env })
    const maxConcurrent = Math.max(concurrent, ...plan.inFlight)
    const pairs = await comparePeers(start('onoma.ts', maxConcurrent), start('playwright.ts'), plan, showProgress)
    const interference = await measureInterference(start('onoma.ts', concurrent), children, plan, {
      concurrent,
      showProgress,
    })
    return { pairs, interference }
  } finally {
    await page.stop()
  }
}

async function comparePeers(
  ours: Child,
  peer: Child,
  plan: Plan,
  showProgress: (what: string) => void,
): Promise<Pair[]> {
  await Promise.all([ours.line('url'), peer.line('ready')])
  for (const child of [ours, peer]) await captures(child, { inFlight: 2, seconds: plan.warmUpSeconds })
  const pairs: Pair[] = []
  for (let turn = 1; turn <= plan.turns; turn++) {
    for (const inFlight of plan.inFlight) {
      showProgress(`turn ${turn} of ${plan.turns}, ${inFlight} in flight`)
      const one = (child: Child) => captures(child, { inFlight, seconds: plan.seconds })
      // The first may find a calmer machine, so the order alternates.
      const first = turn % 2 === 0 ? await one(peer) : undefined
      const onoma = await one(ours)
      pairs.push({ inFlight, onoma, playwright: first ?? (await one(peer)) })
    }
  }
  await Promise.all([ours.stop(), peer.stop()])
  return pairs
}

/** Saturates another endpoint, without captures and with as many captures as the browser runs concurrently. */
async function measureInterference(
  child: Child,
  children: Children,
  { connections, apiSeconds: seconds, warmUpSeconds, turns }: Plan,
  { concurrent, showProgress }: { concurrent: number; showProgress(what: string): void },
): Promise<Interference[]> {
  const url = String((await child.line('url'))['url'])
  const body = await (await fetch(url + TARGET)).text()
  const generator = startGenerator(children, 0)
  const drive = async (seconds: number) => {
    const port = Number(new URL(url).port)
    const job: Job = { ask: 'drive', port, connections, bodyLength: Buffer.byteLength(body), load: { seconds } }
    const load = await generator.ask<Load>(job, LOAD_TIMEOUT_MS + seconds * 10_000)
    if ('failed' in load) throw new Error(load.failed)
    return { perSecond: load.requests / load.seconds, p99Ms: load.p99Ms }
  }
  await drive(warmUpSeconds)
  await captures(child, { inFlight: concurrent, seconds: warmUpSeconds })
  const all: Interference[] = []
  for (let turn = 1; turn <= turns; turn++) {
    showProgress(`turn ${turn} of ${turns}, with another endpoint`)
    const alone = await drive(seconds)
    const capturing = captures(child, { inFlight: concurrent, seconds: seconds + (2 * LEAD_MS) / 1000 })
    await new Promise((resolve) => setTimeout(resolve, LEAD_MS))
    const withCaptures = await drive(seconds)
    all.push({ alone, withCaptures, captures: await capturing })
  }
  await Promise.all([child.stop(), generator.stop()])
  return all
}

async function captures(child: Child, job: Omit<CaptureJob, 'ask'>): Promise<CaptureFigures> {
  const result = await child.ask<Captures>(
    { ask: 'captures', ...job } satisfies CaptureJob,
    CAPTURE_TIMEOUT_MS + job.seconds * 2000,
  )
  if ('failed' in result) throw new Error(result.failed)
  return result
}
