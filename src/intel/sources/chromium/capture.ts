import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import type { Clock } from '../../../kernel/clock.ts'
import { unlessAborted } from '../../../kernel/timeout.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { ProxyError } from '../../../kernel/upstream/proxy.ts'
import type { Capture } from '../../browser.ts'
import { SiteError, type SiteProblem } from '../../site-error.ts'
import { parseAuthority } from '../egress/destination.ts'
import type { Pass } from '../egress/pass.ts'
import type { Unreached } from '../egress/connect.ts'
import type { Admission } from '../egress/proxy.ts'
import { keepFirstBody } from './first-body.ts'
import { followJourney, type Journey } from './journey.ts'
import { readFrames, type Reading, readPage, stopScripts, takeScreenshot } from './reading.ts'

export type Pace = {
  /** A page without network activity for this long has settled. */
  readonly quietMs: number
  /** Maximum time a loaded page may take to settle. */
  readonly settleMs: number
  /** Part of the deadline reserved for the screenshot. */
  readonly pictureMs: number
}

export type Visit = {
  readonly context: BrowserContext
  readonly pass: Pass
  readonly host: string
  /** Schemes to try, in order. */
  readonly schemes: readonly string[]
  readonly clock: Clock
  /** The deadline, on the monotonic clock. */
  readonly endsAt: number
  readonly pace: Pace
  readonly signal: AbortSignal
}

const MAX_FIRST_BODY_LENGTH = 512 * 1024
/** A meta refresh with a longer delay is not followed. */
const MAX_REFRESH_SECONDS = 5
const READ_TIMEOUT_MS = 1500
const FRAMES_TIMEOUT_MS = 1000

/** Visits a host and captures its page. Throws SiteError if there is no page to show. */
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
    if (await navigate(page, `${scheme}://${host}/`, loading)) break
    if (scheme === schemes.at(-1)) throw failureFor(host, pass, 'site_unreachable')
    journey.restart()
    first.restart()
  }
  await journey.untilLoaded(loading).catch(() => {})
  const loadTimeMs = Math.round(clock.monotonic() - started)
  const read = () => readPage(session, frameTree.frame.id)
  await settle({ read, journey, pace, signal: loading }).catch(() => {})
  signal.throwIfAborted()

  let shown: [Reading, Uint8Array, string | null, string]
  const show = () => Promise.all([read(), takeScreenshot(session), first.read(), readFramesInTime(page, session)])
  try {
    shown = await unlessAborted(show(), AbortSignal.any([signal, AbortSignal.timeout(READ_TIMEOUT_MS)]))
  } catch {
    await unlessAborted(stopScripts(session), AbortSignal.timeout(READ_TIMEOUT_MS)).catch(() => {})
    shown = await unlessAborted(show(), signal)
  }
  const [reading, screenshot, firstBody, inFrames] = shown
  return {
    finalUrl: publicUrl(reading.url, { host, pass, isLate: loading.aborted }),
    hops: [...journey.hops],
    status: journey.status,
    // The first body may be too long, or replaced before it could be read: fall back to the current document.
    firstBody: (firstBody ?? reading.html).slice(0, MAX_FIRST_BODY_LENGTH),
    html: reading.html,
    title: reading.title,
    text: `${reading.text} ${inFrames}`.trim(),
    hosts: [...new Set([...journey.hosts, ...pass.hosts])],
    screenshot,
    loadTimeMs,
  }
}

/** What a failed connection says about the site; undefined if the cause is on this machine. */
const PROBLEMS: Readonly<Record<Unreached, SiteProblem | undefined>> = {
  refused: 'site_not_public',
  timeout: 'site_timeout',
  closed: 'site_unreachable',
  unknown: 'site_not_resolved',
  unresolved: undefined,
  no_route: undefined,
  spent: undefined,
}

/** If the two ports fail differently, the first of these is reported. */
const BY_PRIORITY = ['site_not_public', 'site_timeout', 'site_unreachable', 'site_not_resolved'] as const

/**
 * The schemes the host can be visited by, https before http. Probes the ports first because many names have no site, and
 * a browser takes much longer to find out. Throws SiteError if neither port accepts connections, and UpstreamError if the
 * cause is on this machine.
 */
export async function findSchemes(host: string, pass: Admission): Promise<readonly string[]> {
  const secure = await pass.probe({ host, port: 443 })
  if (secure === null) return ['https', 'http']
  const plain = await pass.probe({ host, port: 80 })
  if (plain === null) return ['http']
  const proxyError = [secure, plain].find((one) => one instanceof ProxyError)
  if (proxyError) throw faultOfProxy(proxyError)
  const found = new Set([secure, plain].map((one) => (typeof one === 'string' ? PROBLEMS[one] : undefined)))
  const problem = BY_PRIORITY.find((one) => found.has(one))
  if (problem) throw new SiteError(problem)
  throw new UpstreamError('unavailable', `the host cannot be reached from here: ${secure}, ${plain}`)
}

const faultOfProxy = (error: ProxyError): UpstreamError =>
  new UpstreamError('unavailable', error.message, { cause: error })

/** Why there is no page to show, unless the operator's proxy is to blame or the address was refused. */
function failureFor(host: string, pass: Pass, problem: SiteProblem): SiteError | UpstreamError {
  const proxyError = pass.proxyErrorFor(host)
  if (proxyError) return faultOfProxy(proxyError)
  return new SiteError(pass.refused > 0 ? 'site_not_public' : problem)
}

/** Whether a document was received; on timeout, true: whatever arrived by then is captured. */
async function navigate(page: Page, url: string, signal: AbortSignal): Promise<boolean> {
  try {
    await unlessAborted(page.goto(url, { waitUntil: 'commit', timeout: 0 }), signal)
    return true
  } catch (error) {
    // A crash of the browser says nothing about the site.
    if (/has been closed|crashed/.test(String(error))) throw error
    // A page that redirected by script at once was received too.
    return signal.aborted || /interrupted by another navigation/.test(String(error))
  }
}

/** The text of all frames; empty if it cannot be read in time. */
async function readFramesInTime(page: Page, session: CDPSession): Promise<string> {
  if (page.frames().length === 1) return ''
  return unlessAborted(readFrames(page, session), AbortSignal.timeout(FRAMES_TIMEOUT_MS)).catch(() => '')
}

/** Waits for scripts and refreshes; a page without any has settled. */
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
  if (refreshSeconds !== null && refreshSeconds <= MAX_REFRESH_SECONDS) {
    const onward = AbortSignal.any([signal, AbortSignal.timeout(refreshSeconds * 1000 + pace.settleMs)])
    return journey.untilQuiet(refreshSeconds * 1000 + pace.quietMs, onward)
  }
  await journey.untilQuiet(pace.quietMs, enough)
}

/** Only URLs that the proxy has connected this visit to are reported. */
function publicUrl(
  text: string,
  { host, pass, isLate }: Pick<Visit, 'host' | 'pass'> & { readonly isLate: boolean },
): string {
  const url = URL.parse(text)
  const port = url?.port || (url?.protocol === 'https:' ? 443 : 80)
  const destination = url && /^https?:$/.test(url.protocol) ? parseAuthority(`${url.hostname}:${port}`) : null
  if (!url || !destination || !pass.hasReached(destination)) {
    throw failureFor(host, pass, isLate ? 'site_timeout' : 'site_unreachable')
  }
  url.username = ''
  url.password = ''
  return url.href
}
