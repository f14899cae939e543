import type { Browser as Driven } from 'playwright-core'
import { flagsFor, UNWANTED_DEFAULTS } from './flags.ts'
import { type ProcessGroup, processGroupOf } from './process-group.ts'

/** One running browser process with its children. */
export type Program = {
  readonly driven: Driven
  /** Memory of all its processes, without shared pages; 0 without `/proc`. */
  privateMegabytes(): number
  /** Closes it, and kills it after a timeout. Resolves when all its processes have exited. */
  end(): Promise<void>
  /** Kills it at once. */
  kill(): void
}

type Options = {
  readonly path: string
  readonly proxyUrl: string
  /** Chromium's sandbox; does not work for root. */
  readonly sandbox: boolean
  readonly lowPriority: boolean
  readonly env: Readonly<Record<string, string>>
  readonly launchTimeoutMs?: number
}

const CLOSE_TIMEOUT_MS = 2000

export async function startProgram({
  path,
  proxyUrl,
  sandbox,
  lowPriority,
  env,
  launchTimeoutMs = 20_000,
}: Options): Promise<Program> {
  // Loaded on first use: the module is large, and many services never capture a page.
  const { chromium } = await import('playwright-core')
  const driven = await chromium.launch({
    executablePath: path,
    headless: true,
    chromiumSandbox: sandbox,
    args: [...flagsFor(proxyUrl)],
    ignoreDefaultArgs: UNWANTED_DEFAULTS,
    // The proxy rejects requests without the credentials of a capture, for example the browser's own.
    proxy: { server: proxyUrl, bypass: '<-loopback>' },
    env,
    // The service handles its signals itself.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: launchTimeoutMs,
  })
  const group = await findGroup(driven)
  // Other requests must not wait while pages are rendered.
  if (lowPriority) group?.lowerPriority()
  const kill = () => group?.kill()
  return {
    driven,
    kill,
    privateMegabytes: () => group?.privateMegabytes() ?? 0,
    async end() {
      const timer = setTimeout(kill, CLOSE_TIMEOUT_MS)
      await driven.close().catch(() => {})
      clearTimeout(timer)
      kill()
      await group?.untilExited()
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
