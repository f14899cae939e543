/**
 * One endpoint twice: free, and paid with credit. Everything but the composition is what the service runs. The argument
 * says where the ledger is: `file` as in live mode, or `memory` as with simulated payments.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock as clock } from '../../src/kernel/clock.ts'
import { route } from '../../src/kernel/endpoint.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { secureRandom as random } from '../../src/kernel/random.ts'
import { createMemoryRateLimiter } from '../../src/kernel/rate-limit.ts'
import { sleep } from '../../src/kernel/sleep.ts'
import { paidEcho } from '../../src/payments/contract.ts'
import { CREDIT_ENDPOINT } from '../../src/payments/credit.ts'
import { deriveCreditToken, hashCreditToken } from '../../src/payments/credit-token.ts'
import { createGate } from '../../src/payments/gate.ts'
import { priceOf } from '../../src/payments/prices.ts'
import type { Scheme } from '../../src/payments/scheme.ts'
import { memoryLedger } from '../../src/payments/sources/memory-ledger.ts'
import { sqliteLedger } from '../../src/payments/sources/sqlite-ledger.ts'
import { createDoor } from '../../src/surfaces/http/door.ts'
import { listen } from '../../src/surfaces/http/listener.ts'

const quiet = () => {}
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const folder = mkdtempSync(join(process.cwd(), 'ledger-'))
const ledger = process.argv[2] === 'file' ? sqliteLedger({ folder, clock }) : memoryLedger({ clock })

/** Enough for any run. */
const MICROS = 10n ** 15n
const [key, owner, secret, salt] = ['bench', 'bench', 'a secret of the bench only', 'salt']
const token = deriveCreditToken(secret, salt, key)
const details = { scheme: 'mpp', payer: '0x', endpoint: CREDIT_ENDPOINT, micros: MICROS }
await ledger.claim({ key, fingerprint: '', owner, leaseMs: 60_000, details, payment: '' })
const tokenHash = hashCreditToken(token)
await ledger.credits.attach({ paymentKey: key, owner, tokenHash, salt, redeemHash: undefined })
await ledger.compute(key, owner, { status: 200, body: '{}' })
await ledger.settle(key, owner, { transaction: '0x', headers: [] })

/** No request of the bench carries a payment. */
const unused: Scheme = {
  id: 'mpp',
  challenge: () => ({ headers: [], members: '"none":true' }),
  parse: () => undefined,
  restore() {
    throw new Error('There is nothing to restore.')
  },
}
const metrics = createMetrics()
const gate = createGate({
  schemes: [unused],
  ledger,
  credit: { credits: ledger.credits, secrets: [secret] },
  clock,
  random,
  log,
  wait: sleep,
})
const { price: _price, ...free } = { ...paidEcho, name: 'freeEcho', path: '/v1/sandbox/free-echo' as const }
const run = ({ say }: { say: string }) => ({ said: say, at: new Date(clock.now()).toISOString() })
const door = createDoor({
  routes: [route(free, run), route(paidEcho, run)],
  limiter: createMemoryRateLimiter({ quota: 65_535, clock }),
  isTrustedProxy: () => false,
  clock,
  random,
  log,
  metrics,
  checkout: { paywall: gate, priceOf, publicUrl: 'http://127.0.0.1', headers: [] },
})
const listener = await listen(door, { host: '127.0.0.1', port: 0, log, metrics })
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${listener.port}`, token })}\n`)
process.once('SIGTERM', () => {
  void listener.stop({ lingerMs: 0, graceMs: 0 }).then(() => {
    ledger.close()
    rmSync(folder, { recursive: true, force: true })
    process.exit(0)
  })
})
