/** Takes the pictures of the documentation: the pages of the service in the sandbox. */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { parseSandboxEnv, sandboxConfig } from '../sandbox/settings.ts'
import { SIMULATORS } from '../sandbox/simulators.ts'
import { startWorld } from '../sandbox/world.ts'
import { startService } from '../src/app/service.ts'
import { thisMachine } from '../src/app/wiring/machine.ts'
import { findChromium } from '../src/intel/sources/chromium/find.ts'
import { type Clock, systemClock } from '../src/kernel/clock.ts'
import { untilLoaded } from '../test/support/sandbox-loaded.ts'

const USAGE = `usage: npm run shots -- [FOLDER]

Starts the sandbox, opens its pages in a Chromium and writes pictures of them to FOLDER (default docs/pictures). The names
and the date are always the same, so a picture changes when a page does. The browser is the one that the service would
use for /v1/intel: on PATH, or the one that ONOMA_CHROMIUM names.
`

const NO_BROWSER =
  'There is no browser on this machine. Run `npx onoma browser install`, or set ONOMA_CHROMIUM to a Chromium.\n'

/** Answers that are late on a busy machine would be in the picture. */
const TIMEOUT_SCALE = 10
const MAX_ATTEMPTS = 5
/** What every run sees as the time of its start. */
const START = Date.UTC(2026, 10, 16, 9, 30)
const wide = (height: number) => ({ width: 1280, height })

type Shot = {
  readonly file: string
  readonly path: string
  readonly viewport: ReturnType<typeof wide>
  readonly colorScheme: 'light' | 'dark'
  /** Runs before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>
}

const SHOTS: readonly Shot[] = [
  { file: 'home.png', path: '/', viewport: wide(800), colorScheme: 'light' },
  { file: 'name.png', path: '/n/falcon', viewport: wide(1000), colorScheme: 'light' },
  { file: 'name-phone.png', path: '/n/falcon', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { file: 'domain.png', path: '/d/falcon.com', viewport: wide(800), colorScheme: 'light' },
  { file: 'bulk.png', path: '/bulk', viewport: wide(960), colorScheme: 'light', prepare: checkList },
  { file: 'status.png', path: '/status', viewport: wide(640), colorScheme: 'light' },
  { file: 'docs.png', path: '/docs/checkDomains', viewport: wide(640), colorScheme: 'light' },
]

async function checkList(page: Page): Promise<void> {
  await page
    .getByLabel('Names or domains, one a line')
    .fill('falcon.com\nfree-shop.com\ntaken-shop.net\norchard.dev\nreserved-shop.org')
  await page.getByLabel('Order').selectOption('line')
  await page.getByRole('button', { name: 'Check the list' }).click()
  await page.getByText(/^\d+ free$/).waitFor()
}

async function main(words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const program = findChromium({ given: process.env['ONOMA_CHROMIUM'], machine: thisMachine() })
  if (program === null) {
    process.stderr.write(NO_BROWSER)
    return 1
  }
  const folder = positionals[0] ?? join(import.meta.dirname, '../docs/pictures')
  mkdirSync(folder, { recursive: true })
  await using stack = new AsyncDisposableStack()
  const url = await startSandbox(stack)
  // The pages are our own, and root, who builds containers, has no sandbox.
  const chromiumSandbox = process.getuid?.() !== 0
  const browser = await chromium.launch({ executablePath: program, chromiumSandbox })
  stack.defer(() => browser.close())
  for (const shot of SHOTS) {
    const file = join(folder, shot.file)
    await take(browser, url, shot, file)
    process.stdout.write(`${file}  ${Math.ceil(statSync(file).size / 1024)} KB\n`)
  }
  return 0
}

async function startSandbox(stack: AsyncDisposableStack): Promise<string> {
  const offset = START - systemClock.now()
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + offset }
  const world = await startWorld(SIMULATORS, { clock })
  stack.defer(() => world.stop())
  const requested = parseSandboxEnv({ PORT: '0', ENS_PORT: '0', ONOMA_METRICS: 'off', ONOMA_RATE_LIMIT: 'off' })
  const { config } = await sandboxConfig(requested, world)
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const service = await startService(config, { log, clock, timeoutScale: TIMEOUT_SCALE })
  stack.defer(() => service.stop({ lingerMs: 0 }))
  await untilLoaded(service.url)
  return service.url
}

async function take(browser: Browser, url: string, shot: Shot, file: string): Promise<void> {
  const { path, viewport, colorScheme, prepare } = shot
  const context = await browser.newContext({
    viewport,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  })
  try {
    const page = await context.newPage()
    await page.clock.setFixedTime(START)
    await openComplete(page, url + path)
    await prepare?.(page)
    await page.screenshot({ path: file, animations: 'disabled', caret: 'hide', scale: 'css' })
  } finally {
    await context.close()
  }
}

/** Opens the page again while an answer on it was late: the first lookups of a process are slow, and later ones cached. */
async function openComplete(page: Page, url: string): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const response = await page.goto(url, { waitUntil: 'load' })
    if (response?.ok() !== true) throw new Error(`${url} answers ${response?.status()}.`)
    if ((await page.getByText('No reply in time').count()) === 0) return
  }
  throw new Error(`${url} lacks answers even at the ${MAX_ATTEMPTS}th attempt: this machine is too busy.`)
}

process.exitCode = await main(process.argv.slice(2))
