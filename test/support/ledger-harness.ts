import assert from 'node:assert/strict'
import { manualClock, type Clock } from '../../src/kernel/clock.ts'
import type { Claim, LedgerEntry, Receipt, StoredAnswer } from '../../src/payments/ledger.ts'
import type { PrunableLedger } from '../../src/payments/sources/retention.ts'

/** One ledger opened by two instances; twice the same if it supports only one. */
export type OpenedLedgers = {
  readonly ledgers: readonly [PrunableLedger, PrunableLedger]
  /** Closes the ledgers and deletes their data. */
  end(): void | Promise<void>
}

export type OpenLedgers = (clock: Clock) => OpenedLedgers | Promise<OpenedLedgers>

export const MINUTE_MS = 60_000

export const PAID: Receipt = {
  transaction: `0x${'7a'.repeat(32)}`,
  headers: ['Payment-Receipt', 'eyJ9', 'X-Other', 'ü "quoted"'],
  tokenHash: 'ab'.repeat(32),
}
export const ANSWER: StoredAnswer = {
  status: 200,
  body: JSON.stringify({ name: 'bücher.example', text: '\0 \u2028 "\\' }),
}
export const OTHER_REQUEST = { fingerprint: 'GET /v1/intel?domain=b.example', owner: 'else' }

export type LedgerHarness = ReturnType<typeof createLedgerHarness>

/** The ledgers under test, and the steps that several tests share. `name` makes keys unique. */
export function createLedgerHarness(name: string, open: OpenLedgers) {
  const clock = manualClock()
  let opened: OpenedLedgers
  let keys = 0
  /** The two instances; available once `start` is done. */
  const ledgers = {
    get all() {
      return opened.ledgers
    },
    get a() {
      return opened.ledgers[0]
    },
    get b() {
      return opened.ledgers[1]
    },
  }
  const start = async (): Promise<void> => {
    opened = await open(clock)
  }

  const newClaim = (more: Partial<Claim> = {}): Claim => ({
    key: `x402:eip155:8453:${name}:${keys++}`,
    fingerprint: 'GET /v1/intel?domain=a.example',
    owner: 'first',
    leaseMs: MINUTE_MS,
    details: { scheme: 'x402', payer: '0xPayer', endpoint: 'intel', micros: 50_000n },
    payment: '{"signed":"by the payer"}',
    ...more,
  })
  async function computed(more: Partial<Claim> = {}): Promise<Claim> {
    const claim = newClaim(more)
    assert.deepEqual(await ledgers.a.claim(claim), { won: true, answer: undefined })
    assert.equal(await ledgers.a.compute(claim.key, claim.owner, ANSWER), true)
    return claim
  }
  async function settled(more: Partial<Claim> = {}): Promise<Claim> {
    const claim = await computed(more)
    assert.equal(await ledgers.a.settle(claim.key, claim.owner, PAID), true)
    return claim
  }
  /** The entry of a claim made now. */
  const entryFor = (
    { key, fingerprint, leaseMs, details, payment }: Claim,
    more: Partial<LedgerEntry> = {},
  ): LedgerEntry => ({
    key,
    fingerprint,
    state: 'claimed',
    leaseUntil: clock.now() + leaseMs,
    createdAt: clock.now(),
    details,
    payment,
    answer: undefined,
    receipt: undefined,
    tokenHash: undefined,
    paidIn: undefined,
    sent: [],
    settledAt: undefined,
    deliveredAt: undefined,
    isLost: false,
    ...more,
  })
  /** Every write an owner can try fails, on both instances, and changes nothing. */
  async function assertCannotWrite(key: string, owner: string): Promise<void> {
    const found = await ledgers.a.find(key)
    for (const ledger of ledgers.all) {
      assert.notEqual(await ledger.compute(key, owner, { status: 200, body: 'late' }), true)
      assert.notEqual(await ledger.settle(key, owner, { transaction: '0xlate', headers: [] }), true)
      assert.notEqual(await ledger.release(key, owner), true)
      assert.notEqual(await ledger.yield(key, owner), true)
      assert.deepEqual(await ledger.find(key), found)
    }
  }
  return { clock, ledgers, start, end: () => opened.end(), newClaim, computed, settled, entryFor, assertCannotWrite }
}
