import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { manualClock, type Clock } from '../../src/kernel/clock.ts'
import type { Claim, ClaimResult, LedgerEntry, Receipt, StoredAnswer } from '../../src/payments/ledger.ts'
import { ANSWER_TTL_MS, type PrunableLedger } from '../../src/payments/sources/retention.ts'
import { steps, walk } from './ledger-walk.ts'

/** The same books through two doors, as two instances have them; where there can be only one door, it twice. */
export type Books = {
  readonly ledgers: readonly [PrunableLedger, PrunableLedger]
  /** Closes the doors and throws the books away. */
  end(): void | Promise<void>
}

type Options = {
  readonly open: (clock: Clock) => Books | Promise<Books>
  /** How many random walks; less where each step is slow. */
  readonly walks?: number
}

const MINUTE = 60_000

const PAID: Receipt = {
  transaction: `0x${'7a'.repeat(32)}`,
  headers: ['Payment-Receipt', 'eyJ9', 'X-Other', 'ü "quoted"'],
  tokenHash: 'ab'.repeat(32),
}
const ANSWER: StoredAnswer = { status: 200, body: JSON.stringify({ name: 'bücher.example', text: '\0 \u2028 "\\' }) }

/** What every ledger must do, whatever it is made of. */
export function ledgerContract(name: string, { open, walks = 100 }: Options): void {
  suite(`the ledger ${name}`, () => {
    const clock = manualClock()
    let books: Books
    let one: PrunableLedger
    let other: PrunableLedger
    let keys = 0
    before(async () => {
      books = await open(clock)
      ;[one, other] = books.ledgers
    })
    after(() => books.end())

    /** A claim of a new payment. */
    const fresh = (more: Partial<Claim> = {}): Claim => ({
      key: `x402:eip155:8453:${name}:${keys++}`,
      fingerprint: 'GET /v1/intel?domain=a.example',
      owner: 'first',
      leaseMs: MINUTE,
      details: { scheme: 'x402', payer: '0xPayer', endpoint: 'intel', micros: 50_000n },
      payment: '{"signed":"by the payer"}',
      ...more,
    })
    const ELSE = { fingerprint: 'GET /v1/intel?domain=b.example', owner: 'else' }
    async function computed(more: Partial<Claim> = {}): Promise<Claim> {
      const claim = fresh(more)
      assert.deepEqual(await one.claim(claim), { won: true, answer: undefined })
      assert.equal(await one.compute(claim.key, claim.owner, ANSWER), true)
      return claim
    }
    async function settled(more: Partial<Claim> = {}): Promise<Claim> {
      const claim = await computed(more)
      assert.equal(await one.settle(claim.key, claim.owner, PAID), true)
      return claim
    }
    const entryOf = (
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
      sent: [],
      settledAt: undefined,
      deliveredAt: undefined,
      isLost: false,
      ...more,
    })
    /** Every write an owner can try. */
    const writes = (ledger: PrunableLedger, key: string, owner: string) => ({
      compute: () => ledger.compute(key, owner, { status: 200, body: 'late' }),
      settle: () => ledger.settle(key, owner, { transaction: '0xlate', headers: [] }),
      release: () => ledger.release(key, owner),
      yield: () => ledger.yield(key, owner),
    })
    async function assertPowerless(key: string, owner: string): Promise<void> {
      const found = await one.find(key)
      for (const ledger of [one, other]) {
        for (const write of Object.values(writes(ledger, key, owner))) assert.notEqual(await write(), true)
        assert.deepEqual(await ledger.find(key), found)
      }
    }

    test('gives back what was written, to the last unit of money, through both doors', async () => {
      const details = { scheme: 'mpp', payer: '0xÜ', endpoint: 'valuation', micros: 2n ** 53n + 1n }
      const claim = fresh({ details })
      assert.deepEqual(await one.claim(claim), { won: true, answer: undefined })
      assert.deepEqual(await other.find(claim.key), entryOf(claim))
      assert.equal(await one.compute(claim.key, claim.owner, ANSWER), true)
      assert.deepEqual(await other.find(claim.key), entryOf(claim, { state: 'computed', answer: ANSWER }))
      assert.equal(await one.settle(claim.key, claim.owner, PAID), true)
      const settledAt = clock.now()
      const expected = entryOf(claim, { state: 'settled', answer: ANSWER, receipt: PAID, settledAt })
      assert.deepEqual(await other.find(claim.key), expected)
      assert.deepEqual(await other.list(1), [expected])
      assert.equal(await other.find('never seen'), undefined)
    })

    test('has one winner among a hundred who claim a payment at once', async () => {
      const claim = fresh()
      const claims = Array.from({ length: 100 }, (_, index) =>
        books.ledgers[index % 2]!.claim({ ...claim, owner: `owner ${index}` }),
      )
      assert.equal((await Promise.all(claims)).filter(({ won }) => won).length, 1)
    })

    test('gives a leased payment to nobody else, not even for the same request', async () => {
      const claim = fresh()
      await one.claim(claim)
      const entry = entryOf(claim)
      clock.advance(MINUTE)
      assert.deepEqual(await other.claim({ ...claim, owner: 'second' }), { won: false, entry })
      assert.deepEqual(await other.claim({ ...claim, ...ELSE }), { won: false, entry })
      await assertPowerless(claim.key, 'second')
    })

    test('gives a payment whose lease ran out before there was an answer to any request, as if it were new', async () => {
      const claim = fresh()
      await one.claim(claim)
      const { createdAt } = entryOf(claim)
      clock.advance(MINUTE + 1)
      const details = { scheme: 'mpp', payer: '0xOther', endpoint: 'valuation', micros: 20_000n }
      const taken = { ...claim, ...ELSE, details, payment: 'another' }
      assert.deepEqual(await other.claim(taken), { won: true, answer: undefined })
      assert.deepEqual(await one.find(claim.key), entryOf(taken, { createdAt }))
      await assertPowerless(claim.key, claim.owner)
    })

    test('gives a payment with an answer only to the same request, with that answer, when its lease has run out', async () => {
      const claim = await computed()
      const { createdAt } = entryOf(claim)
      assert.equal((await other.claim({ ...claim, owner: 'second' })).won, false)
      clock.advance(MINUTE + 1)
      const refused = await other.claim({ ...claim, ...ELSE })
      assert.ok(!refused.won && refused.entry)
      assert.equal(refused.entry.answer, undefined, 'the answer is for another request')
      const details = { ...claim.details, micros: 1n }
      assert.deepEqual(await other.claim({ ...claim, owner: 'second', details, payment: 'written anew' }), {
        won: true,
        answer: ANSWER,
      })
      const expected = entryOf(claim, { state: 'computed', answer: ANSWER, createdAt })
      assert.deepEqual(await one.find(claim.key), expected, 'the books tell of the payment the answer was made for')
      await assertPowerless(claim.key, claim.owner)
      assert.equal(await other.compute(claim.key, 'second', { status: 200, body: 'anew' }), false, 'there is an answer')
      assert.equal(await other.settle(claim.key, 'second', PAID), true)
    })

    test('settles only what has an answer', async () => {
      const claim = fresh()
      await one.claim(claim)
      assert.equal(await one.settle(claim.key, claim.owner, PAID), false)
      assert.deepEqual(await one.find(claim.key), entryOf(claim))
    })

    test('keeps what is settled for ever: nobody takes, changes or removes it, not even its owner', async () => {
      const claim = await settled()
      await assertPowerless(claim.key, claim.owner)
      const entry = (await one.find(claim.key))!
      clock.advance(100 * ANSWER_TTL_MS)
      assert.deepEqual(await other.claim({ ...claim, owner: 'second' }), { won: false, entry })
      const shown = { ...entry, answer: undefined, receipt: undefined }
      assert.deepEqual(await other.claim({ ...claim, ...ELSE }), { won: false, entry: shown }, 'another request')
    })

    test('frees what is released, with or without an answer, for any request', async () => {
      const claimed = fresh()
      await one.claim(claimed)
      for (const claim of [claimed, await computed()]) {
        await one.release(claim.key, claim.owner)
        assert.equal(await other.find(claim.key), undefined)
        assert.deepEqual(await other.claim({ ...claim, ...ELSE }), { won: true, answer: undefined })
      }
    })

    test('lets the next one go on at once where the owner gave up, who then has no say', async () => {
      const claim = await computed()
      await one.yield(claim.key, claim.owner)
      await assertPowerless(claim.key, claim.owner)
      assert.equal((await other.claim({ ...claim, ...ELSE })).won, false)
      assert.deepEqual(await other.claim({ ...claim, owner: 'second' }), { won: true, answer: ANSWER })
    })

    test('lets an owner who is late finish what nobody took meanwhile', async () => {
      const claim = fresh()
      await one.claim(claim)
      clock.advance(10 * MINUTE)
      assert.equal(await one.compute(claim.key, claim.owner, ANSWER), true)
      assert.equal(await one.settle(claim.key, claim.owner, PAID), true)
    })

    test('has one who settles where the clock jumps ahead and two believe that the payment is theirs', async () => {
      const claim = await computed()
      clock.advance(10 * MINUTE)
      assert.equal((await other.claim({ ...claim, owner: 'second' })).won, true, 'the lease ended early')
      assert.equal(await one.settle(claim.key, claim.owner, { transaction: '0xfirst', headers: [] }), false)
      assert.equal(await other.settle(claim.key, 'second', PAID), true)
      assert.deepEqual((await one.find(claim.key))?.receipt, PAID)
    })

    test('holds a lease for longer where the clock jumps back, and its owner can still finish', async () => {
      const claim = await computed()
      clock.advance(-10 * MINUTE)
      assert.equal((await other.claim({ ...claim, owner: 'second' })).won, false)
      clock.advance(10 * MINUTE)
      assert.equal((await other.claim({ ...claim, owner: 'second' })).won, false, 'the lease ends late, never twice')
      assert.equal(await one.settle(claim.key, claim.owner, PAID), true)
    })

    test('lists what has an answer, is not settled and not leased, the oldest first', async () => {
      clock.advance(ANSWER_TTL_MS)
      const old = new Set((await one.unsettled(1000)).map(({ key }) => key))
      const first = await computed()
      clock.advance(5)
      const leased = await computed({ leaseMs: 10 * MINUTE })
      const second = await computed()
      await settled()
      await one.claim(fresh())
      const found = async () => (await other.unsettled(1000)).map(({ key }) => key).filter((key) => !old.has(key))
      assert.deepEqual(await found(), [])
      clock.advance(MINUTE + 1)
      assert.deepEqual(await found(), [first.key, second.key])
      assert.equal((await other.unsettled(1)).length, 1)
      await one.yield(leased.key, leased.owner)
      assert.deepEqual(await found(), [first.key, leased.key, second.key])
    })

    test('lists the latest first, and no more than asked for', async () => {
      const claims = [await settled(), await computed(), fresh()]
      await one.claim(claims[2]!)
      assert.deepEqual(
        (await other.list(3)).map(({ key }) => key),
        claims.map(({ key }) => key).toReversed(),
      )
      assert.deepEqual(await other.list(0), [])
    })

    test('forgets the answer a day after it was paid for, and a claim left lying that long; never what is owed', async () => {
      await one.prune(clock.now() + 2 * ANSWER_TTL_MS)
      const paid = await settled()
      const entry = (await one.find(paid.key))!
      const owed = await computed()
      const lying = fresh()
      await one.claim(lying)
      assert.equal(await other.prune(clock.now() + ANSWER_TTL_MS), 0)
      assert.deepEqual(await one.find(paid.key), entry)
      assert.equal(await other.prune(clock.now() + MINUTE + ANSWER_TTL_MS + 1), 2)
      const bare = { ...entry, payment: '', answer: undefined, receipt: { ...PAID, headers: [] } }
      assert.deepEqual(await one.find(paid.key), bare)
      assert.deepEqual(await one.claim({ ...paid, owner: 'second' }), { won: false, entry: bare })
      assert.deepEqual((await one.find(owed.key))?.answer, ANSWER)
      assert.equal(await one.find(lying.key), undefined)
      assert.equal(await one.compute(lying.key, lying.owner, ANSWER), false)
      assert.equal(await one.prune(clock.now() + 10 * ANSWER_TTL_MS), 0, 'there is nothing left to forget')
    })

    test('has an id of its own, the same through both doors', async () => {
      assert.match(one.id, /^[0-9a-f]{32}$/)
      assert.equal(other.id, one.id)
    })

    test('of payments claimed at once has winners only as far as the balance goes, and at most 8 open', async () => {
      const claimAll = (payer: string, count: number, balance: bigint) =>
        Promise.all(
          Array.from({ length: count }, (_, at) => {
            const details = { scheme: 'x402', payer, endpoint: 'intel', micros: 50_000n }
            return books.ledgers[at % 2]!.claim(fresh({ owner: `owner ${at}`, details, balance }))
          }),
        )
      const wins = (claims: readonly ClaimResult[]) => claims.filter(({ won }) => won).length
      const shortages = (claims: readonly ClaimResult[]) =>
        new Set(claims.flatMap((claim) => ('shortOf' in claim ? [claim.shortOf] : [])))
      const poor = await claimAll(`0xPoor ${name}`, 50, 149_999n)
      assert.deepEqual([wins(poor), [...shortages(poor)]], [2, ['balance']])
      const rich = await claimAll(`0xRich ${name}`, 50, 2n ** 256n - 1n)
      assert.deepEqual([wins(rich), [...shortages(rich)]], [8, ['open payments']])
    })

    test("reserves a payer's money while a payment is open and ten seconds after it is settled, for its scheme", async () => {
      const payer = `0xPayer of ${name}`
      const details = { scheme: 'x402', payer, endpoint: 'intel', micros: 50_000n }
      const tryClaim = async (more: Partial<Claim> = {}) => {
        const claim = fresh({ details, balance: 50_000n, owner: 'try', ...more })
        const result = await other.claim(claim)
        if (result.won && !('balance' in more)) await other.release(claim.key, claim.owner)
        return result.won
      }
      const claimed = fresh({ details, balance: 50_000n })
      assert.equal((await one.claim(claimed)).won, true)
      assert.equal(await tryClaim(), false, 'claimed')
      assert.equal(await tryClaim({ details: { ...details, scheme: 'mpp' } }), true, 'money on another chain')
      assert.equal(await tryClaim({ details: { ...details, payer: '0xAnother' } }), true)
      assert.equal((await one.claim({ ...claimed, owner: 'again' })).won, false, 'it is leased')
      clock.advance(MINUTE + 1)
      assert.equal(await tryClaim(), true, 'the lease has run out')
      assert.equal((await one.claim({ ...claimed, owner: 'again' })).won, true, 'its own money does not count twice')
      await one.compute(claimed.key, 'again', ANSWER)
      clock.advance(MINUTE + 1)
      assert.equal(await tryClaim(), false, 'it has an answer and may be taken any moment')
      assert.equal((await one.claim({ ...claimed, owner: 'third', balance: undefined })).won, true)
      await one.settle(claimed.key, 'third', PAID)
      assert.equal(await tryClaim(), false, 'a node may not know of the settlement yet')
      clock.advance(10_000)
      assert.equal(await tryClaim(), true)
    })

    test('records a transaction before it is sent, for the owner of an answer only', async () => {
      const claim = fresh()
      await one.claim(claim)
      assert.equal(await one.sending(claim.key, claim.owner, '0x1'), false, 'there is no answer yet')
      await one.compute(claim.key, claim.owner, ANSWER)
      assert.equal(await one.sending(claim.key, 'second', '0x1'), false)
      assert.equal(await one.sending(claim.key, claim.owner, '0x1'), true)
      assert.equal(await one.sending(claim.key, claim.owner, '0x2'), true)
      assert.deepEqual((await other.find(claim.key))?.sent, ['0x1', '0x2'])
      await one.settle(claim.key, claim.owner, PAID)
      assert.equal(await one.sending(claim.key, claim.owner, '0x3'), false, 'it is settled')
      assert.deepEqual((await other.find(claim.key))?.sent, ['0x1', '0x2'])
    })

    test('records the first delivery of a settled answer', async () => {
      const open = await computed()
      await one.delivered(open.key)
      assert.equal((await other.find(open.key))?.deliveredAt, undefined)
      const claim = await settled()
      const deliveredAt = clock.now()
      await one.delivered(claim.key)
      clock.advance(5)
      await other.delivered(claim.key)
      assert.equal((await other.find(claim.key))?.deliveredAt, deliveredAt)
      await one.delivered('never seen')
    })

    test('hands out a settled entry to be looked up a minute and five minutes later, once each', async () => {
      clock.advance(2 * ANSWER_TTL_MS)
      const claim = await settled()
      const due = async () =>
        (await Promise.all([one.dueRechecks(100), other.dueRechecks(100)])).flat().map(({ key }) => key)
      assert.deepEqual(await due(), [])
      clock.advance(MINUTE + 1)
      assert.deepEqual(await due(), [claim.key])
      assert.deepEqual(await due(), [])
      await other.recheck(claim.key, 'unknown')
      assert.deepEqual(await due(), [claim.key], 'nothing was found out')
      await other.recheck(claim.key, 'lost')
      assert.equal((await one.find(claim.key))?.isLost, true)
      clock.advance(5 * MINUTE)
      assert.deepEqual(await due(), [claim.key])
      await one.recheck(claim.key, { transaction: '0xmoved' })
      const { isLost, receipt } = (await other.find(claim.key))!
      assert.deepEqual([isLost, receipt], [false, { ...PAID, transaction: '0xmoved' }])
      clock.advance(5 * MINUTE)
      assert.deepEqual(await due(), [])
      const late = await settled()
      clock.advance(61 * MINUTE)
      assert.ok(!(await due()).includes(late.key), 'older than an hour')
    })

    test('behaves like a simple model under random operations', async () => {
      let run = 0
      const property = fc.asyncProperty(steps, async (steps) => {
        await walk({ ledgers: books.ledgers, clock, steps, prefix: `${name} walk ${run++}:` })
      })
      await fc.assert(property, { numRuns: walks })
    })
  })
}
