/**
 * The service, with a browser that visits the local page. Captures are requested over the IPC channel, because over HTTP
 * they would need a registry and a payment.
 */
import { loadConfig } from '../../src/app/settings/config.ts'
import { startService } from '../../src/app/service.ts'
import { thisMachine } from '../../src/app/wiring/machine.ts'
import { createChromium } from '../../src/intel/sources/chromium.ts'
import { findChromium } from '../../src/intel/sources/chromium/find.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { serveCaptures } from './captures.ts'

const [port, concurrent] = process.argv.slice(2).map(Number)
const quiet = () => {}
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const config = loadConfig({
  PORT: '0',
  ENS_PORT: '0',
  ONOMA_METRICS: 'off',
  ONOMA_RATE_LIMIT: '65535',
  ONOMA_TRUSTED_PROXIES: '127.0.0.0/8',
  ONOMA_DATA_DIR: process.cwd(),
  ...(process.env['ONOMA_CHROMIUM'] && { ONOMA_CHROMIUM: process.env['ONOMA_CHROMIUM'] }),
})
const service = await startService(config, { log })
const browser = await createChromium({
  program: findChromium({ given: config.chromium ?? undefined, machine: thisMachine() }),
  clock: systemClock,
  random: secureRandom,
  log,
  resolve: async () => [],
  reach: (host, at) => (host === 'small.example' && at === 80 ? { address: '127.0.0.1', port: port! } : undefined),
  options: { concurrent: concurrent!, timeoutMs: 60_000, sandbox: process.getuid?.() !== 0 },
})
await browser.ready(new AbortController().signal)
serveCaptures(async () => {
  const { text } = await browser.visit('small.example', new AbortController().signal)
  if (!text.endsWith('Hello.')) throw new Error('The page was captured before its script ran.')
})
process.once('SIGTERM', () => {
  void Promise.all([browser.close(), service.stop({ lingerMs: 0, graceMs: 0 })]).then(() => process.exit(0))
})
process.stdout.write(`${JSON.stringify({ url: service.url })}\n`)
