import type { Child, Children } from '../children.ts'
import { startGenerator } from '../contest.ts'
import type { Job, Load } from '../load/job.ts'
import { TARGET } from '../load/requests.ts'
import type { CaptureJob, Captures } from './captures.ts'
import { serveSmallPage } from './page.ts'

export type Plan = {
  readonly inFlight: readonly number[]
  readonly warmUpSeconds: number
  readonly seconds: number
  /** How often each round is repeated; both sides take turns. */
  readonly turns: number
  readonly connections: number
  readonly apiSeconds: number
}

export type Done = Exclude<Captures, { failed: string }>
export type Pair = { readonly inFlight: number; readonly onoma: Done; readonly playwright: Done }
type Served = { readonly perSecond: number; readonly p99Ms: number }
/** Another endpoint, without captures and with them. */
export type Beside = { readonly alone: Served; readonly meanwhile: Served; readonly captures: Done }
export type Outcome = { readonly pairs: readonly Pair[]; readonly beside: readonly Beside[] }

/** The browser is busy before the load comes, and after it. */
const LEAD_MS = 700

export async function measureIntel(
  children: Children,
  plan: Plan,
  { concurrent, tell }: { concurrent: number; tell(what: string): void },
): Promise<Outcome> {
  const page = await serveSmallPage()
  try {
    const browser = process.env['ONOMA_CHROMIUM']
    const env = browser === undefined ? {} : { ONOMA_CHROMIUM: browser }
    const start = (file: string, ...args: number[]) =>
      children.start(new URL(file, import.meta.url), { args: [page.port, ...args].map(String), env })
    const most = Math.max(concurrent, ...plan.inFlight)
    const pairs = await race(start('serve.ts', most), start('plain.ts'), plan, tell)
    const beside = await shareTheMachine(start('serve.ts', concurrent), children, plan, { concurrent, tell })
    return { pairs, beside }
  } finally {
    await page.stop()
  }
}

async function race(ours: Child, plain: Child, plan: Plan, tell: (what: string) => void): Promise<Pair[]> {
  await Promise.all([ours.line('url'), plain.line('ready')])
  for (const child of [ours, plain]) await captures(child, { inFlight: 2, seconds: plan.warmUpSeconds })
  const pairs: Pair[] = []
  for (let turn = 1; turn <= plan.turns; turn++) {
    for (const inFlight of plan.inFlight) {
      tell(`turn ${turn} of ${plan.turns}, ${inFlight} in flight`)
      const one = (child: Child) => captures(child, { inFlight, seconds: plan.seconds })
      // Whichever goes first may meet a calmer machine: they take turns at it.
      const first = turn % 2 === 0 ? await one(plain) : undefined
      const onoma = await one(ours)
      pairs.push({ inFlight, onoma, playwright: first ?? (await one(plain)) })
    }
  }
  await Promise.all([ours.stop(), plain.stop()])
  return pairs
}

/** Another endpoint at saturation, alone and while the browser has as much to do as it takes on. */
async function shareTheMachine(
  child: Child,
  children: Children,
  { connections, apiSeconds: seconds, warmUpSeconds, turns }: Plan,
  { concurrent, tell }: { concurrent: number; tell(what: string): void },
): Promise<Beside[]> {
  const url = String((await child.line('url'))['url'])
  const body = await (await fetch(url + TARGET)).text()
  const generator = startGenerator(children, 0)
  const drive = async (seconds: number) => {
    const port = Number(new URL(url).port)
    const job: Job = { ask: 'drive', port, connections, bodyLength: Buffer.byteLength(body), load: { seconds } }
    const load = await generator.ask<Load>(job, 20_000 + seconds * 10_000)
    if ('failed' in load) throw new Error(load.failed)
    return { perSecond: load.requests / load.seconds, p99Ms: load.p99Ms }
  }
  await drive(warmUpSeconds)
  await captures(child, { inFlight: concurrent, seconds: warmUpSeconds })
  const all: Beside[] = []
  for (let turn = 1; turn <= turns; turn++) {
    tell(`turn ${turn} of ${turns}, beside another endpoint`)
    const alone = await drive(seconds)
    const capturing = captures(child, { inFlight: concurrent, seconds: seconds + (2 * LEAD_MS) / 1000 })
    await new Promise((resolve) => setTimeout(resolve, LEAD_MS))
    const meanwhile = await drive(seconds)
    all.push({ alone, meanwhile, captures: await capturing })
  }
  await Promise.all([child.stop(), generator.stop()])
  return all
}

async function captures(child: Child, job: Omit<CaptureJob, 'ask'>): Promise<Done> {
  const result = await child.ask<Captures>(
    { ask: 'captures', ...job } satisfies CaptureJob,
    90_000 + job.seconds * 2000,
  )
  if ('failed' in result) throw new Error(result.failed)
  return result
}
