import { tmpdir } from 'node:os'
import type { Browser as Driven } from 'playwright-core'
import { flagsFor, UNWANTED_DEFAULTS } from './flags.ts'
import { type ProcessGroup, processGroupOf } from './process-group.ts'

/** One running browser. */
export type Program = {
  readonly driven: Driven
  /** Memory that all its processes have for themselves; 0 where the machine does not tell. */
  privateMegabytes(): number
  /** Ends it, politely at first. When this resolves, none of its processes is left. */
  end(): Promise<void>
  /** Ends it at once. */
  kill(): void
}

type Options = {
  readonly path: string
  readonly proxyUrl: string
  /** The browser's own walls around each page; they need a user that is not root. */
  readonly sandbox: boolean
  readonly givesWay: boolean
  readonly launchTimeoutMs?: number
}

const POLITE_MS = 2000

export async function startProgram({
  path,
  proxyUrl,
  sandbox,
  givesWay,
  launchTimeoutMs = 20_000,
}: Options): Promise<Program> {
  // Large, and needed by nobody who does not look at pages.
  const { chromium } = await import('playwright-core')
  const driven = await chromium.launch({
    executablePath: path,
    headless: true,
    chromiumSandbox: sandbox,
    args: [...flagsFor(proxyUrl)],
    ignoreDefaultArgs: UNWANTED_DEFAULTS,
    // What asks without a capture's pass (the browser for itself, say) is turned away by the proxy.
    proxy: { server: proxyUrl, bypass: '<-loopback>' },
    // Ours holds keys; a browser needs none of it.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: tmpdir(), TMPDIR: tmpdir(), LANG: 'C.UTF-8', TZ: 'UTC' },
    // How the service ends is the service's business.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: launchTimeoutMs,
  })
  const group = await findGroup(driven)
  // Do not make quick commands wait for pages to be painted.
  if (givesWay) group?.giveWay()
  const kill = () => group?.kill()
  return {
    driven,
    kill,
    privateMegabytes: () => group?.privateMegabytes() ?? 0,
    async end() {
      const timer = setTimeout(kill, POLITE_MS)
      await driven.close().catch(() => {})
      clearTimeout(timer)
      kill()
      await group?.untilGone()
    },
  }
}

async function findGroup(driven: Driven): Promise<ProcessGroup | undefined> {
  try {
    const session = await driven.newBrowserCDPSession()
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    await session.detach()
    const browser = processInfo.find(({ type }) => type === 'browser')
    return browser && processGroupOf(browser.id)
  } catch {
    return undefined
  }
}
