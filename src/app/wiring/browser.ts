import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '../../intel/browser.ts'
import type { Screenshots } from '../../intel/screenshots.ts'
import { createChromium } from '../../intel/sources/chromium.ts'
import { browserEnv } from '../../intel/sources/chromium/browser-env.ts'
import { findChromium } from '../../intel/sources/chromium/find.ts'
import type { Machine } from '../../intel/sources/chromium/places.ts'
import { diskScreenshots } from '../../intel/sources/screenshots/disk.ts'
import { s3Screenshots } from '../../intel/sources/screenshots/s3.ts'
import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import { thisMachine } from './machine.ts'
import type { Outbound } from './outbound.ts'
import type { Config } from '../settings/config.ts'

type Needs = {
  readonly config: Pick<Config, 'chromium' | 'browserSandbox' | 'screenshots' | 'sandboxPages' | 'dataDir'>
  readonly outbound: Outbound
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Returns every address of a host. */
  readonly resolve: (host: string, signal: AbortSignal) => Promise<readonly string[]>
  /** The key that screenshot ids are derived from; called at the first use. */
  readonly secret: () => Uint8Array
  /** The user this process runs as; 0 is root. */
  readonly uid?: number | undefined
  readonly machine?: Machine
}

export type BrowserWiring = {
  readonly browser: Browser
  readonly screenshots: Screenshots
  /** Whether a program that can be used as the browser is on this machine. */
  isInstalled(): boolean
  /** Why no page may be visited as this user; null if one may. */
  whyForbidden(): string | null
  /** Starts the periodic removal of old screenshots, and logs which browser visits pages, or why none does. */
  start(): void
  close(): Promise<void>
}

const SWEEP_INTERVAL_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000
const MEGABYTE = 1024 * 1024

const NO_SANDBOX_FOR_ROOT =
  'the sandbox of the browser does not work for root; run the service as another user, or set ONOMA_BROWSER_SANDBOX=off'

const NO_BROWSER =
  'there is no browser on this machine; run `onoma browser install`, or set ONOMA_CHROMIUM to a Chromium'

/** The first visit starts the browser: most instances never need one. */
export function openBrowser(needs: Needs): BrowserWiring {
  const { config, outbound, clock, random, log, resolve, secret, uid = process.getuid?.() } = needs
  const { machine = thisMachine() } = needs
  const find = () => findChromium({ given: config.chromium ?? undefined, machine })
  const isForbidden = config.browserSandbox && uid === 0
  const { sandboxPages: pages } = config
  const { proxy, named } = outbound.addressPolicy([])
  let made: Promise<Browser> | undefined
  let current: Browser | undefined
  const make = async (): Promise<Browser> => {
    const program = find()
    // Not remembered: a browser may be installed while the service runs.
    if (program === null) throw new UpstreamError('not_configured', NO_BROWSER)
    if (isForbidden) throw new UpstreamError('not_configured', NO_SANDBOX_FOR_ROOT)
    current = await createChromium({
      program,
      // Simulated web: every host is served by the page server on loopback, and no other address is reachable.
      ...(pages === null
        ? { resolve, proxy: proxy && { settings: proxy, lookup: named?.lookup } }
        : {
            resolve: async () => [],
            reach: (host: string, port: number) =>
              port === 80 && isName(host) ? { address: '127.0.0.1', port: pages } : undefined,
          }),
      clock,
      random,
      log,
      options: { sandbox: config.browserSandbox, env: browserEnv(machine, tmpdir()) },
    })
    return current
  }
  const opened = (): Promise<Browser> => {
    made ??= make().catch((error: unknown) => {
      // Reset, so that the next visit retries.
      made = undefined
      if (error instanceof UpstreamError) throw error
      throw new UpstreamError('unavailable', 'the browser cannot be used', { cause: error })
    })
    return made
  }
  const browser: Browser = {
    hasRoom: () => current?.hasRoom() ?? true,
    ready: async (signal) => (await opened()).ready(signal),
    visit: async (host, signal) => (await opened()).visit(host, signal),
    close: async () => (await made?.catch(() => undefined))?.close(),
  }
  const { days, megabytes, s3 } = config.screenshots
  const upstream = s3 && outbound.open('screenshots')
  const screenshots = upstream
    ? s3Screenshots({ ...s3, upstream, secret, clock })
    : diskScreenshots({
        folder: join(config.dataDir, 'screenshots'),
        secret,
        maxAgeMs: days * DAY_MS,
        maxBytes: megabytes * MEGABYTE,
        clock,
        random,
      })
  const sweep = () =>
    void screenshots
      .sweep()
      .catch((error: unknown) =>
        log.warn({ error }, 'Old screenshots could not be removed; the next sweep tries again.'),
      )
  const logBrowser = () => {
    const browserPath = find()
    if (browserPath === null && config.chromium !== null)
      log.warn({ browserPath: config.chromium }, 'ONOMA_CHROMIUM is not a program, so /v1/intel answers 503.')
    else if (browserPath === null) log.info({}, `/v1/intel answers 503: ${NO_BROWSER}.`)
    else if (isForbidden) log.warn({}, `No page is visited: ${NO_SANDBOX_FOR_ROOT}.`)
    else log.info({ browserPath }, 'Pages of /v1/intel are visited with this browser.')
  }
  let sweeping: NodeJS.Timeout | undefined
  return {
    browser,
    screenshots,
    isInstalled: () => find() !== null,
    whyForbidden: () => (isForbidden ? NO_SANDBOX_FOR_ROOT : null),
    start() {
      logBrowser()
      sweep()
      sweeping = setInterval(sweep, SWEEP_INTERVAL_MS)
      sweeping.unref()
    },
    async close() {
      clearInterval(sweeping)
      await browser.close()
      await upstream?.close()
    },
  }
}

/** IP addresses and names of the local network are rejected in the sandbox as everywhere else. */
const isName = (host: string): boolean => isIP(host) === 0 && host.includes('.') && !host.endsWith('.localhost')
