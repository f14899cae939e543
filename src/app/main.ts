import { createLog, stdoutDestination } from '../kernel/log.ts'
import { sleep } from '../kernel/sleep.ts'
import { ListenError } from '../surfaces/http/listener.ts'
import type { Config } from './settings/config.ts'
import { endBySignal, onStopSignals } from './process.ts'
import { warmUp } from './warm-up/warm-up.ts'
import { type Service, startService } from './service.ts'
import { version } from './version.ts'

/** Runs the service until a stop signal. Resolves when all requests in flight are answered. */
export async function serve(config: Config): Promise<void> {
  const destination = stdoutDestination()
  const log = createLog(config.logLevel, destination)
  for (const warning of config.warnings) log.warn({}, warning)
  let service: Service
  try {
    service = await startService(config, { log })
  } catch (error) {
    if (!(error instanceof ListenError)) throw error
    process.stderr.write(`${error.message}\nPORT, ENS_PORT and HOST choose where the service listens.\n`)
    process.exitCode = 1
    return
  }
  const { url, ensUrl, metricsUrl } = service
  const more = { docs: `${url}/docs`, ens: ensUrl, metrics: metricsUrl, mcp: `${url}/mcp` }
  log.info({ version, url, ...more }, `Onoma ${version} is ready.`)
  const { simulated, mode } = service.payments
  if (mode === 'free')
    log.info({}, 'Paid endpoints are free (ONOMA_PAYMENTS), on this machine and in private networks only.')
  if (mode === 'off')
    log.info(
      {},
      'Paid endpoints answer 503: payments are not set up. ONOMA_PAYMENTS=free opens them to private networks.',
    )
  if (simulated) {
    const { address, privateKey } = simulated.wallet
    // In the message, because the log redacts fields with keys. This key is public and holds no real money.
    log.info(
      {},
      `Payments are simulated: the test wallet ${address} has play money, and its private key is public: ${privateKey}.`,
    )
  }
  if (process.stdout.isTTY) process.stderr.write(greeting(url))
  void warmUp(log, service.idle)
  const signal = await firstSignal()
  // Ctrl-C comes from a person, who need not wait for load balancers to notice.
  const lingerMs = signal === 'SIGTERM' ? config.limits.drainSeconds * 1000 : INTERRUPT_LINGER_MS
  const seconds = lingerMs / 1000
  log.info({ signal, seconds }, `Stopping: requests are answered for ${seconds} s more, and those in flight finished.`)
  const isStopped = await Promise.race([
    service.stop({ lingerMs, graceMs: GRACE_MS }).then(() => true),
    sleep(lingerMs + GRACE_MS + CLOSE_TIMEOUT_MS, undefined, { keepsProcessAlive: false }).then(() => false),
  ])
  if (!isStopped) log.warn({}, 'Something outside did not close in time; it is left behind.')
  log.info({}, 'Stopped.')
  destination.flushSync()
  setTimeout(() => endBySignal(signal), EXIT_TIMEOUT_MS).unref()
}

const INTERRUPT_LINGER_MS = 300
/** For requests in flight. */
const GRACE_MS = 10_000
/** For connections to the outside, workers and the browser. */
const CLOSE_TIMEOUT_MS = 3_000
/** From "Stopped." to the end of the process, if something keeps it alive. */
const EXIT_TIMEOUT_MS = 500

/** Resolves at the first stop signal. A second one ends the process at once. */
const firstSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => onStopSignals({ first: resolve, again: endBySignal }))

const greeting = (url: string): string => `
  Onoma ${version} is ready at ${url}: open it in a browser; the reference is at ${url}/docs

  curl "${url}/v1/check?name=example&tld=com,dev"
  curl "${url}/v1/names/example?view=compact"
  OpenAPI at ${url}/openapi.json        MCP at ${url}/mcp        Ctrl-C stops it

`
