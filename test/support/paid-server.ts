import { flushCompileCache } from 'node:module'
import { manualClock } from '../../src/kernel/clock.ts'
import { ApiError } from '../../src/kernel/errors.ts'
import type { CreditStore } from '../../src/payments/credit.ts'
import type { Ledger } from '../../src/payments/ledger.ts'
import type { Payment, Scheme } from '../../src/payments/scheme.ts'
import { sqliteLedger } from '../../src/payments/sources/sqlite-ledger.ts'
import type { FaultPoint } from './faulty-ledger.ts'
import { openShop } from './paid-shop.ts'

/** What the process is to do, as JSON in its first argument. */
export type ServerPlan = {
  readonly folder: string
  readonly urls: { readonly base: string; readonly tempo: string }
  /** The time, which stands still; and what the ledger takes for it, which tells by it that leases have run out. */
  readonly now: number
  readonly ledgerNow: number
  /** By the first word of the item that is bought. */
  readonly holds?: Readonly<Record<string, HoldPoint>>
  /** For payments that are recovered: there is no item then. */
  readonly holdsOthers?: HoldPoint
  /** Draws on credit, by the hash of its token; and purchases of credit, by their price. */
  readonly holdsDraws?: Readonly<Record<string, CreditPoint>>
  readonly holdsPurchases?: Readonly<Record<string, HoldPoint>>
  /** First words of items whose work fails. */
  readonly fails?: readonly string[]
  /** First words of items whose answer carries `error`. */
  readonly errors?: readonly string[]
  /** Of an item whose first word is `flaky`, this number of answers carry `error` before one does not. */
  readonly flaky?: number
  /** As in the options of a shop. */
  readonly waitMs?: number
  readonly confirmTimeoutMs?: number
}

/** Where a request stops, tells so, and waits for the end of the process. */
export type HoldPoint = FaultPoint | 'before verify' | 'in work' | 'after taking' | CreditPoint
export type CreditPoint = `${'before' | 'after'} ${'attach' | 'draw' | 'confirm' | 'giveBack'}`

export type ServerWord =
  | { readonly kind: 'open'; readonly url: string }
  | { readonly kind: 'held' }
  | { readonly kind: 'run'; readonly item: string }
  | { readonly kind: 'recovered'; readonly settled: number }

if (import.meta.main) await serve(JSON.parse(process.argv[2]!) as ServerPlan)

async function serve(plan: ServerPlan): Promise<void> {
  const { folder, urls, now, ledgerNow, holds = {}, holdsOthers, fails = [], errors = [], flaky = 0, ...rest } = plan
  const { holdsDraws = {}, holdsPurchases = {}, ...times } = rest
  const say = (word: ServerWord) => process.send!(word)
  /** Where a payment is held, by its key. */
  const points = new Map<string, HoldPoint | undefined>()
  const pass = async (key: string, point: HoldPoint): Promise<void> => {
    const holdsAt = points.has(key) ? points.get(key) : holdsOthers
    if (holdsAt !== point) return
    say({ kind: 'held' })
    await new Promise(() => {})
  }
  const wrap = (scheme: Scheme): Scheme => ({
    ...scheme,
    parse(headers, offer) {
      const payment = scheme.parse(headers, offer)
      const point = holds[firstWord(decodeURIComponent(offer.url.split('/').at(-1)!))]
      if (payment) points.set(payment.key, holdsPurchases[String(offer.price)] ?? point)
      return payment && watched(payment, pass)
    },
  })
  const ledger = sqliteLedger({ folder, clock: manualClock(ledgerNow) })
  const holdDraw = async (tokenHash: string | undefined, point: CreditPoint) => {
    if (tokenHash === undefined || holdsDraws[tokenHash] !== point) return
    say({ kind: 'held' })
    await new Promise(() => {})
  }
  const shop = await openShop({
    urls,
    ledger: watchedLedger(ledger, pass),
    credits: watchedCredits(ledger.credits, pass, holdDraw),
    clock: manualClock(now),
    wrap,
    ...times,
  })
  let serial = 0
  const tries = new Map<string, number>()
  shop.onWork(({ item, tier }) => {
    say({ kind: 'run', item })
    if (holds[firstWord(item)] === 'in work') {
      say({ kind: 'held' })
      return new Promise(() => {})
    }
    if (fails.includes(firstWord(item))) throw new ApiError('domain_not_found', 'There is none.')
    const tried = (tries.get(item) ?? 0) + 1
    tries.set(item, tried)
    if (firstWord(item) === 'flaky' && tried <= flaky) return { error: 'site_timeout' }
    if (errors.includes(firstWord(item))) return { error: 'site_timeout' }
    return { item, tier, serial: `${process.pid} ${serial++}` }
  })
  process.on('message', () => {
    shop.gate.recover(new AbortController().signal).then(
      (settled) => say({ kind: 'recovered', settled }),
      () => process.exit(1),
    )
  })
  // Exit when the parent process does.
  process.on('disconnect', () => process.exit())
  // The next one starts faster: nothing is left to be done at the end of a process that is killed.
  flushCompileCache()
  say({ kind: 'open', url: shop.url })
}

const firstWord = (item: string): string => item.split(' ')[0]!

type Pass = (key: string, point: HoldPoint) => Promise<void>

const watched = (payment: Payment, pass: Pass): Payment => ({
  ...payment,
  async verify(signal) {
    await pass(payment.key, 'before verify')
    return payment.verify(signal)
  },
  async settle(signal, onSending) {
    const settlement = await payment.settle(signal, onSending)
    await pass(payment.key, 'after taking')
    return settlement
  },
})

/** Every step of the ledger, with a stop before and after it. */
function watchedLedger(ledger: Ledger, pass: Pass): Ledger {
  const around =
    <Rest extends readonly unknown[], Result>(
      step: 'compute' | 'sending' | 'settle' | 'delivered' | 'release' | 'yield' | 'find',
      act: (key: string, ...rest: Rest) => Promise<Result>,
    ) =>
    async (key: string, ...rest: Rest): Promise<Result> => {
      await pass(key, `before ${step}`)
      const result = await act(key, ...rest)
      await pass(key, `after ${step}`)
      return result
    }
  return {
    ...ledger,
    async claim(claim) {
      await pass(claim.key, 'before claim')
      const claimed = await ledger.claim(claim)
      await pass(claim.key, 'after claim')
      return claimed
    },
    find: around('find', ledger.find),
    compute: around('compute', ledger.compute),
    sending: around('sending', ledger.sending),
    settle: around('settle', ledger.settle),
    delivered: around('delivered', ledger.delivered),
    release: around('release', ledger.release),
    yield: around('yield', ledger.yield),
  }
}

/** Every step of credits, with a stop before and after it. */
function watchedCredits(
  credits: CreditStore,
  pass: Pass,
  hold: (tokenHash: string | undefined, point: CreditPoint) => Promise<void>,
): CreditStore {
  const tokens = new Map<string, string>()
  return {
    ...credits,
    async attach(credit) {
      await pass(credit.paymentKey, 'before attach')
      const isAttached = await credits.attach(credit)
      await pass(credit.paymentKey, 'after attach')
      return isAttached
    },
    async draw(draw) {
      tokens.set(draw.owner, draw.tokenHash)
      await hold(draw.tokenHash, 'before draw')
      const result = await credits.draw(draw)
      await hold(draw.tokenHash, 'after draw')
      return result
    },
    async confirm(owner, answer) {
      await hold(tokens.get(owner), 'before confirm')
      const isConfirmed = await credits.confirm(owner, answer)
      await hold(tokens.get(owner), 'after confirm')
      return isConfirmed
    },
    async giveBack(owner) {
      await hold(tokens.get(owner), 'before giveBack')
      await credits.giveBack(owner)
      await hold(tokens.get(owner), 'after giveBack')
    },
  }
}
