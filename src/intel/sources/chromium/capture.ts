import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import type { Clock } from '../../../kernel/clock.ts'
import { unlessAborted } from '../../../kernel/timeout.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Capture } from '../../browser.ts'
import { SiteError, type SiteProblem } from '../../site-error.ts'
import { parseAuthority } from '../egress/destination.ts'
import type { Pass } from '../egress/pass.ts'
import type { Admission, Unreached } from '../egress/proxy.ts'
import { keepFirstBody } from './first-body.ts'
import { followJourney, type Journey } from './journey.ts'
import { photograph, readFrames, type Reading, readPage, silence } from './reading.ts'

export type Pace = {
  /** How long nothing may happen on a page before it counts as done. */
  readonly quietMs: number
  /** How long a loaded page may take to settle. */
  readonly settleMs: number
  /** Kept back from the deadline for the picture. */
  readonly pictureMs: number
}

export type Visit = {
  readonly context: BrowserContext
  readonly pass: Pass
  readonly host: string
  /** The ways to ask for it, the better one first. */
  readonly schemes: readonly string[]
  readonly clock: Clock
  /** On the monotonic clock. */
  readonly endsAt: number
  readonly pace: Pace
  readonly signal: AbortSignal
}

const MAX_FIRST_BODY_LENGTH = 512 * 1024
/** A page that sends its visitor on later than this is what the visitor sees. */
const MAX_REFRESH_S = 5
const STUCK_MS = 1500
const FRAMES_MS = 1000

/** Visits a host as anybody would. Throws SiteError where there is nothing to show. */
export async function capture({
  context,
  pass,
  host,
  schemes,
  clock,
  endsAt,
  pace,
  signal: caller,
}: Visit): Promise<Capture> {
  const page = await context.newPage()
  context.on('page', (popup) => void popup.close().catch(() => {}))
  const gone = new AbortController()
  page.once('crash', () => gone.abort(new Error('the page crashed')))
  page.once('close', () => gone.abort(new Error('the page closed')))
  const signal = AbortSignal.any([caller, gone.signal])
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
  const session = await context.newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const journey = followJourney(page)
  const first = await keepFirstBody(session, frameTree.frame.id)

  const loading = AbortSignal.any([
    signal,
    AbortSignal.timeout(Math.max(0, Math.trunc(endsAt - pace.pictureMs - clock.monotonic()))),
  ])
  const started = clock.monotonic()
  for (const scheme of schemes) {
    if (await arrives(page, `${scheme}://${host}/`, loading)) break
    if (scheme === schemes.at(-1)) throw new SiteError(pass.refused > 0 ? 'site_not_public' : 'site_unreachable')
    journey.restart()
    first.restart()
  }
  await journey.untilLoaded(loading).catch(() => {})
  const loadTimeMs = Math.round(clock.monotonic() - started)
  const read = () => readPage(session, frameTree.frame.id)
  await settle({ read, journey, pace, signal: loading }).catch(() => {})
  signal.throwIfAborted()

  let shown: [Reading, Uint8Array, string | null, string]
  const show = () => Promise.all([read(), photograph(session), first.read(), framesOf(page, session)])
  try {
    shown = await unlessAborted(show(), AbortSignal.any([signal, AbortSignal.timeout(STUCK_MS)]))
  } catch {
    await unlessAborted(silence(session), AbortSignal.timeout(STUCK_MS)).catch(() => {})
    shown = await unlessAborted(show(), signal)
  }
  const [reading, screenshot, firstBody, inFrames] = shown
  return {
    finalUrl: publicUrl(reading.url, pass, loading.aborted),
    hops: [...journey.hops],
    status: journey.status,
    // Too long to be kept, or too quick to be caught: then the document as it is now.
    firstBody: (firstBody ?? reading.html).slice(0, MAX_FIRST_BODY_LENGTH),
    html: reading.html,
    title: reading.title,
    text: `${reading.text} ${inFrames}`.trim(),
    hosts: [...new Set([...journey.hosts, ...pass.hosts])],
    screenshot,
    loadTimeMs,
  }
}

/** What it says of a site that nobody is reached there; undefined where it says more about this machine. */
const PROBLEMS: Readonly<Record<Unreached, SiteProblem | undefined>> = {
  refused: 'site_not_public',
  timeout: 'site_timeout',
  closed: 'site_unreachable',
  unknown: 'site_not_resolved',
  unresolved: undefined,
  no_route: undefined,
  spent: undefined,
}

/** Where the two ports differ, the first of these is what counts. */
const BY_WEIGHT = ['site_not_public', 'site_timeout', 'site_unreachable', 'site_not_resolved'] as const

/**
 * In which ways the host may be visited: https before http. Throws SiteError where there is none: many a name has no
 * site, and a browser would need much longer to find out. Throws UpstreamError where this machine is to blame.
 */
export async function findDoor(host: string, pass: Admission): Promise<readonly string[]> {
  const secure = await pass.probe({ host, port: 443 })
  if (secure === null) return ['https', 'http']
  const plain = await pass.probe({ host, port: 80 })
  if (plain === null) return ['http']
  const problem = BY_WEIGHT.find((one) => one === PROBLEMS[secure] || one === PROBLEMS[plain])
  if (problem) throw new SiteError(problem)
  throw new UpstreamError('unavailable', `the host cannot be reached from here: ${secure}, ${plain}`)
}

/** Whether a document came; where the time is up, what came so far is all there will be. */
async function arrives(page: Page, url: string, signal: AbortSignal): Promise<boolean> {
  try {
    await unlessAborted(page.goto(url, { waitUntil: 'commit', timeout: 0 }), signal)
    return true
  } catch (error) {
    // The browser's own end is no word about the site.
    if (/has been closed|crashed/.test(String(error))) throw error
    // A page that sent its visitor on at once has arrived, too.
    return signal.aborted || /interrupted by another navigation/.test(String(error))
  }
}

/** Frames are a gift: a page is shown without what they say where they do not say it soon. */
async function framesOf(page: Page, session: CDPSession): Promise<string> {
  if (page.frames().length === 1) return ''
  return unlessAborted(readFrames(page, session), AbortSignal.timeout(FRAMES_MS)).catch(() => '')
}

/** Gives scripts and refreshes their time; a page without any has settled. */
async function settle(of: {
  read(): Promise<Reading>
  journey: Journey
  pace: Pace
  signal: AbortSignal
}): Promise<void> {
  const { read, journey, pace, signal } = of
  const enough = AbortSignal.any([signal, AbortSignal.timeout(pace.settleMs)])
  const { live, refreshSeconds } = await unlessAborted(read(), enough)
  if (!live) return
  if (refreshSeconds !== null && refreshSeconds <= MAX_REFRESH_S) {
    const onward = AbortSignal.any([signal, AbortSignal.timeout(refreshSeconds * 1000 + pace.settleMs)])
    return journey.untilQuiet(refreshSeconds * 1000 + pace.quietMs, onward)
  }
  await journey.untilQuiet(pace.quietMs, enough)
}

/** Only an address the proxy has let this very visit through to is ever told. */
function publicUrl(text: string, pass: Pass, isLate: boolean): string {
  const url = URL.parse(text)
  const port = url?.port || (url?.protocol === 'https:' ? 443 : 80)
  const destination = url && /^https?:$/.test(url.protocol) ? parseAuthority(`${url.hostname}:${port}`) : null
  if (!url || !destination || !pass.hasReached(destination)) {
    throw new SiteError(pass.refused > 0 ? 'site_not_public' : isLate ? 'site_timeout' : 'site_unreachable')
  }
  url.username = ''
  url.password = ''
  return url.href
}
