import assert from 'node:assert/strict'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { parseSandboxEnv, sandboxConfig } from '../../sandbox/settings.ts'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld } from '../../sandbox/world.ts'
import { type Service, startService } from '../../src/app/service.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

type VisitOptions = BrowserContextOptions & {
  /** Runs before the page's own scripts. */
  readonly initScript?: string
}

export type PageBrowser = {
  readonly service: Service
  /** Opens the page in a browser of its own. Fails if the page reports an error that no answer of the API explains. */
  visit(path: string, options: VisitOptions, use: (page: Page) => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** The service in the sandbox, and a browser that visits its pages. */
export async function startPageBrowser(program: string, env: Record<string, string> = {}): Promise<PageBrowser> {
  const world = await startWorld(SIMULATORS)
  const { config } = await sandboxConfig(parseSandboxEnv({ ONOMA_RATE_LIMIT: 'off', ...env }), world)
  const service = await startService(config, { log })
  // The first dossier loads the code of all parts and opens connections to all registries. Two busy cores need more than
  // the 3 seconds that a page waits, and its tiles would be unknown; the pages themselves are what is tested.
  await (await fetch(`${service.url}/n/acme`)).text()
  const browser: Browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  return {
    service,
    async visit(path, { initScript, ...options }, use) {
      const context = await browser.newContext(options)
      try {
        const page = await context.newPage()
        if (initScript !== undefined) await page.addInitScript(initScript)
        const problems: string[] = []
        page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
        page.on('pageerror', (error) => problems.push(error.message))
        await page.goto(`${service.url}${path}`)
        if (options.javaScriptEnabled !== false) await page.locator('html.js').waitFor({ state: 'attached' })
        await use(page)
        assert.deepEqual(
          problems.filter((text) => !/status of (?:4\d\d|50[234])|ERR_INTERNET_DISCONNECTED/.test(text)),
          [],
        )
      } finally {
        await context.close()
      }
    },
    async stop() {
      await browser.close()
      await service.stop({ lingerMs: 0 })
      await world.stop()
    },
  }
}
