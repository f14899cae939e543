import { manualClock } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import { parseUsd } from '../kernel/money.ts'
import type { PaidRequest } from '../kernel/paywall.ts'
import { seededRandom } from '../kernel/random.ts'
import { createGate } from './gate.ts'
import { type Payment, PaymentRefused, type Scheme, type Settlement } from './scheme.ts'
import { memoryLedger } from './sources/memory-ledger.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
export const lost = () => new UpstreamError('timeout', 'the node did not answer')

/** A fake chain: it records payments and can be made to fail at every step. */
function createFakeChain(clock: ReturnType<typeof manualClock>) {
  const taken = new Set<string>()
  const chain = {
    taken,
    /** How often money moved. */
    charges: 0,
    verifyFails: undefined as Error | undefined,
    /** Thrown by `settle` before or after the money has moved. */
    failsBefore: undefined as Error | undefined,
    failsAfter: undefined as Error | undefined,
    recoverFails: undefined as Error | undefined,
    /** What every payer has. */
    balance: 10n ** 9n,
  }
  const settlementOf = (key: string): Settlement => ({
    transaction: `0x${Buffer.from(key).toString('hex')}`,
    headers: ['Payment-Receipt', key],
  })
  const paymentOf = (stored: string): Payment => {
    const [key = '', seconds = '300', signature = 'signed'] = stored.split('/')
    return {
      key,
      payer: 'somebody',
      proof: signature,
      stored,
      expiresAt: Number(seconds) + clock.now() / 1000,
      isSigned: async () => signature === 'signed',
      async verify() {
        if (chain.verifyFails) throw chain.verifyFails
        if (taken.has(key)) throw new PaymentRefused('verification-failed', 'The payment was used.')
        return { balance: chain.balance }
      },
      async settle() {
        if (chain.failsBefore) throw chain.failsBefore
        if (taken.has(key)) throw new PaymentRefused('verification-failed', 'The payment was used.')
        taken.add(key)
        chain.charges++
        if (chain.failsAfter) throw chain.failsAfter
        return settlementOf(key)
      },
      async recover() {
        if (chain.recoverFails) throw chain.recoverFails
        return taken.has(key) ? settlementOf(key) : null
      },
    }
  }
  const scheme = (id: Scheme['id'], header: string): Scheme => ({
    id,
    challenge: (_offer, why) => ({
      headers: [`X-${id}`, 'invited'],
      members: `"${id}":${JSON.stringify(why ?? 'pay')}`,
    }),
    parse(headers) {
      const text = headers[header]
      if (text === undefined) return undefined
      if (text === 'broken') throw new PaymentRefused('malformed-credential', 'That is no payment.')
      return paymentOf(String(text))
    },
    restore: paymentOf,
  })
  return { chain, schemes: [scheme('x402', 'payment-signature'), scheme('mpp', 'authorization')] }
}

export function setUp() {
  const clock = manualClock()
  const { chain, schemes } = createFakeChain(clock)
  const ledger = memoryLedger({ clock })
  const needs = { schemes, ledger, clock, random: seededRandom(1), log: silent }
  const gate = createGate({ ...needs, wait: async (ms) => clock.advance(ms) })
  let runs = 0
  const ask = (payment?: string, { say = 'hello', headers = {}, signal = new AbortController().signal } = {}) => {
    const request: PaidRequest = {
      endpoint: 'echo',
      description: 'Repeat a word',
      price: parseUsd('0.05'),
      url: `https://api.example/echo?say=${say}`,
      fingerprint: say,
      headers: { ...(payment !== undefined && { 'payment-signature': payment }), ...headers },
      signal,
    }
    return gate.serve(
      request,
      createWork(async () => {
        runs++
        return { said: say }
      }),
    )
  }
  return { clock, chain, ledger, gate, ask, needs, runs: () => runs }
}

/** A `prepare` without preparation; the answer is charged unless it has an `error`. */
export const createWork = (work: () => Promise<object>) => async () => async () => {
  const body = await work()
  return { status: 200, body: JSON.stringify(body), isCharged: !('error' in body) }
}

export const headerOf = (headers: readonly string[], name: string) => headers[headers.indexOf(name) + 1]
export const isUnavailable = (sentence: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === 'service_unavailable' && sentence.test(error.message)

export const base: Omit<PaidRequest, 'headers' | 'signal'> = {
  endpoint: 'echo',
  description: 'Repeat a word',
  price: parseUsd('0.05'),
  url: 'https://api.example/echo?say=hello',
  fingerprint: 'hello',
}
