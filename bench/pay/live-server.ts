/**
 * One endpoint twice, free and paid, with payments as in live mode: the ledger in a file, our own settlement key, and nodes
 * in another process, whose URLs are the argument.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/app/settings/config.ts'
import type { Outbound } from '../../src/app/wiring/outbound.ts'
import { openPayments } from '../../src/app/wiring/payments.ts'
import { systemClock as clock } from '../../src/kernel/clock.ts'
import { route } from '../../src/kernel/endpoint.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { secureRandom as random } from '../../src/kernel/random.ts'
import { createMemoryRateLimiter } from '../../src/kernel/rate-limit.ts'
import { createUpstream } from '../../src/kernel/upstream/client.ts'
import { paidEcho } from '../../src/payments/contract.ts'
import { createDoor } from '../../src/surfaces/http/door.ts'
import { listen } from '../../src/surfaces/http/listener.ts'
import type { NodeUrls } from './chains.ts'

const quiet = () => {}
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const folder = mkdtempSync(join(process.cwd(), 'live-'))
/** Real payments need nodes at https URLs. */
const NODES: NodeUrls = { base: 'https://base.example', tempo: 'https://tempo.example' }
const urls = JSON.parse(process.argv[2]!) as NodeUrls

const outbound: Outbound = {
  open() {
    const limits = { timeoutMs: 10_000, maxBytes: 4 * 1024 * 1024, connections: 64, maxQueue: 2_000 }
    const allow = (address: string) => address === '127.0.0.1'
    const upstream = createUpstream({ name: 'payments', userAgent: 'onoma-bench', clock, ...limits, allow })
    const targets = new Map(
      [NODES.base, NODES.tempo].map((url, at) => [new URL(url).host, new URL([urls.base, urls.tempo][at]!)]),
    )
    return {
      ...upstream,
      request: (request) => upstream.request({ ...request, url: targets.get((request.url as URL).host)! }),
    }
  },
  addressPolicy: () => ({}),
}
const config = loadConfig({
  ONOMA_DATA_DIR: folder,
  ONOMA_KEYS: 'a secret of the bench that is long enough to be one',
  ONOMA_PAY_TO: '0x52908400098527886E0F7030069857D2E4169EE7',
  ONOMA_X402_RPC_URLS: NODES.base,
  ONOMA_X402_SETTLEMENT_KEY: `0x${Buffer.from(random.bytes(32)).toString('hex')}`,
  ONOMA_MPP_RPC_URLS: NODES.tempo,
})
const metrics = createMetrics()
const payments = await openPayments({ config, outbound, clock, random, log, metrics })
const checkout = payments.checkout('https://shop.example')
const { price: _price, ...free } = { ...paidEcho, name: 'freeEcho', path: '/v1/sandbox/free-echo' as const }
const run = ({ say }: { say: string }) => ({ said: say, at: new Date(clock.now()).toISOString() })
const door = createDoor({
  routes: [route(free, run), route(paidEcho, run)],
  limiter: createMemoryRateLimiter({ quota: 65_535, clock }),
  // The load generator names its clients in X-Forwarded-For.
  isTrustedProxy: (address) => address.startsWith('127.'),
  clock,
  random,
  log,
  metrics,
  checkout,
})
const listener = await listen(door, { host: '127.0.0.1', port: 0, log, metrics })
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${listener.port}` })}\n`)
process.once('SIGTERM', () => {
  void listener.stop({ lingerMs: 0, graceMs: 0 }).then(async () => {
    await payments.close()
    rmSync(folder, { recursive: true, force: true })
    process.exit(0)
  })
})
