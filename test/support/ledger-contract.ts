import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { ANSWER_TTL_MS } from '../../src/payments/sources/retention.ts'
import {
  ANSWER,
  createLedgerHarness,
  type LedgerHarness,
  MINUTE_MS,
  type OpenLedgers,
  OTHER_REQUEST,
  PAID,
} from './ledger-harness.ts'
import { exclusionTests, reservationTests, settlementRecordTests } from './ledger-contract-open-payments.ts'
import { steps, walk } from './ledger-walk.ts'

type Options = {
  readonly open: OpenLedgers
  /** Number of random walks; fewer if each step is slow. */
  readonly walks?: number
}

/** What every ledger must guarantee, whatever stores it. */
export function ledgerContract(name: string, { open, walks = 100 }: Options): void {
  suite(`the ledger ${name}`, () => {
    const harness = createLedgerHarness(name, open)
    before(() => harness.start())
    after(() => harness.end())
    storageTests(harness)
    claimTests(harness)
    ownerTests(harness)
    clockJumpTests(harness)
    listAndPruneTests(harness)
    settlementRecordTests(harness)
    reservationTests(harness, name)
    exclusionTests(harness, name)
    modelTest(harness, name, walks)
  })
}

function storageTests({ clock, ledgers, newClaim, entryFor }: LedgerHarness): void {
  test('returns exactly what was written, from both instances, with amounts above 2^53', async () => {
    const details = { scheme: 'mpp', payer: '0xÜ', endpoint: 'valuation', micros: 2n ** 53n + 1n }
    const claim = newClaim({ details })
    assert.deepEqual(await ledgers.a.claim(claim), { won: true, answer: undefined })
    assert.deepEqual(await ledgers.b.find(claim.key), entryFor(claim))
    assert.equal(await ledgers.a.compute(claim.key, claim.owner, ANSWER), true)
    assert.deepEqual(await ledgers.b.find(claim.key), entryFor(claim, { state: 'computed', answer: ANSWER }))
    assert.equal(await ledgers.a.settle(claim.key, claim.owner, PAID), true)
    const settledAt = clock.now()
    const expected = entryFor(claim, {
      state: 'settled',
      answer: ANSWER,
      receipt: PAID,
      tokenHash: PAID.tokenHash,
      settledAt,
    })
    assert.deepEqual(await ledgers.b.find(claim.key), expected)
    assert.deepEqual(await ledgers.b.list(1), [expected])
    assert.equal(await ledgers.b.find('never seen'), undefined)
  })

  test('has one winner among a hundred concurrent claims of a payment', async () => {
    const claim = newClaim()
    const claims = Array.from({ length: 100 }, (_, index) =>
      ledgers.all[index % 2]!.claim({ ...claim, owner: `owner ${index}` }),
    )
    assert.equal((await Promise.all(claims)).filter(({ won }) => won).length, 1)
  })
}

function claimTests({ clock, ledgers, newClaim, computed, entryFor, assertCannotWrite }: LedgerHarness): void {
  test('rejects a claim of a leased payment, also for the same request', async () => {
    const claim = newClaim()
    await ledgers.a.claim(claim)
    const entry = entryFor(claim)
    clock.advance(MINUTE_MS)
    assert.deepEqual(await ledgers.b.claim({ ...claim, owner: 'second' }), { won: false, entry })
    assert.deepEqual(await ledgers.b.claim({ ...claim, ...OTHER_REQUEST }), { won: false, entry })
    await assertCannotWrite(claim.key, 'second')
  })

  test('accepts a claim by any request after the lease expired without an answer', async () => {
    const claim = newClaim()
    await ledgers.a.claim(claim)
    const { createdAt } = entryFor(claim)
    clock.advance(MINUTE_MS + 1)
    const details = { scheme: 'mpp', payer: '0xOther', endpoint: 'valuation', micros: 20_000n }
    const taken = { ...claim, ...OTHER_REQUEST, details, payment: 'another' }
    assert.deepEqual(await ledgers.b.claim(taken), { won: true, answer: undefined })
    assert.deepEqual(await ledgers.a.find(claim.key), entryFor(taken, { createdAt }))
    await assertCannotWrite(claim.key, claim.owner)
  })

  test('accepts a claim of a computed payment after its lease only by the same request, and returns the answer', async () => {
    const claim = await computed()
    const { createdAt } = entryFor(claim)
    assert.equal((await ledgers.b.claim({ ...claim, owner: 'second' })).won, false)
    clock.advance(MINUTE_MS + 1)
    const refused = await ledgers.b.claim({ ...claim, ...OTHER_REQUEST })
    assert.ok(!refused.won && refused.entry)
    assert.equal(refused.entry.answer, undefined, 'the answer is for another request')
    const details = { ...claim.details, micros: 1n }
    assert.deepEqual(await ledgers.b.claim({ ...claim, owner: 'second', details, payment: 'written anew' }), {
      won: true,
      answer: ANSWER,
    })
    const expected = entryFor(claim, { state: 'computed', answer: ANSWER, createdAt })
    assert.deepEqual(
      await ledgers.a.find(claim.key),
      expected,
      'the entry is of the payment that the answer was computed for',
    )
    await assertCannotWrite(claim.key, claim.owner)
    assert.equal(
      await ledgers.b.compute(claim.key, 'second', { status: 200, body: 'anew' }),
      false,
      'the answer is stored already',
    )
    assert.equal(await ledgers.b.settle(claim.key, 'second', PAID), true)
  })
}

function ownerTests({ clock, ledgers, newClaim, computed, settled, entryFor, assertCannotWrite }: LedgerHarness): void {
  test('settles only a computed payment', async () => {
    const claim = newClaim()
    await ledgers.a.claim(claim)
    assert.equal(await ledgers.a.settle(claim.key, claim.owner, PAID), false)
    assert.deepEqual(await ledgers.a.find(claim.key), entryFor(claim))
  })

  test('keeps a settled payment for ever: no claim or write changes it, not even by its owner', async () => {
    const claim = await settled()
    await assertCannotWrite(claim.key, claim.owner)
    const entry = (await ledgers.a.find(claim.key))!
    clock.advance(100 * ANSWER_TTL_MS)
    assert.deepEqual(await ledgers.b.claim({ ...claim, owner: 'second' }), { won: false, entry })
    const shown = { ...entry, answer: undefined, receipt: undefined }
    assert.deepEqual(
      await ledgers.b.claim({ ...claim, ...OTHER_REQUEST }),
      { won: false, entry: shown },
      'another request',
    )
  })

  test('frees a released payment, claimed or computed, for any request', async () => {
    const claimed = newClaim()
    await ledgers.a.claim(claimed)
    for (const claim of [claimed, await computed()]) {
      await ledgers.a.release(claim.key, claim.owner)
      assert.equal(await ledgers.b.find(claim.key), undefined)
      assert.deepEqual(await ledgers.b.claim({ ...claim, ...OTHER_REQUEST }), { won: true, answer: undefined })
    }
  })

  test('allows a claim by the same request at once after a yield, and ignores the old owner', async () => {
    const claim = await computed()
    await ledgers.a.yield(claim.key, claim.owner)
    await assertCannotWrite(claim.key, claim.owner)
    assert.equal((await ledgers.b.claim({ ...claim, ...OTHER_REQUEST })).won, false)
    assert.deepEqual(await ledgers.b.claim({ ...claim, owner: 'second' }), { won: true, answer: ANSWER })
  })

  test('accepts late writes of an owner whose payment was not claimed again', async () => {
    const claim = newClaim()
    await ledgers.a.claim(claim)
    clock.advance(10 * MINUTE_MS)
    assert.equal(await ledgers.a.compute(claim.key, claim.owner, ANSWER), true)
    assert.equal(await ledgers.a.settle(claim.key, claim.owner, PAID), true)
  })
}

function clockJumpTests({ clock, ledgers, computed }: LedgerHarness): void {
  test('lets only the last owner settle after the clock jumped forward and the payment was claimed twice', async () => {
    const claim = await computed()
    clock.advance(10 * MINUTE_MS)
    assert.equal((await ledgers.b.claim({ ...claim, owner: 'second' })).won, true, 'the lease ended early')
    assert.equal(await ledgers.a.settle(claim.key, claim.owner, { transaction: '0xfirst', headers: [] }), false)
    assert.equal(await ledgers.b.settle(claim.key, 'second', PAID), true)
    assert.deepEqual((await ledgers.a.find(claim.key))?.receipt, PAID)
  })

  test('extends a lease when the clock jumps back, and its owner can still settle', async () => {
    const claim = await computed()
    clock.advance(-10 * MINUTE_MS)
    assert.equal((await ledgers.b.claim({ ...claim, owner: 'second' })).won, false)
    clock.advance(10 * MINUTE_MS)
    assert.equal((await ledgers.b.claim({ ...claim, owner: 'second' })).won, false, 'the lease ends late, never twice')
    assert.equal(await ledgers.a.settle(claim.key, claim.owner, PAID), true)
  })
}

function listAndPruneTests({ clock, ledgers, newClaim, computed, settled }: LedgerHarness): void {
  test('lists computed payments that are neither settled nor leased, oldest first', async () => {
    clock.advance(ANSWER_TTL_MS)
    const old = new Set((await ledgers.a.unsettled(1000)).map(({ key }) => key))
    const first = await computed()
    clock.advance(5)
    const leased = await computed({ leaseMs: 10 * MINUTE_MS })
    const second = await computed()
    await settled()
    await ledgers.a.claim(newClaim())
    const found = async () => (await ledgers.b.unsettled(1000)).map(({ key }) => key).filter((key) => !old.has(key))
    assert.deepEqual(await found(), [])
    clock.advance(MINUTE_MS + 1)
    assert.deepEqual(await found(), [first.key, second.key])
    assert.equal((await ledgers.b.unsettled(1)).length, 1)
    await ledgers.a.yield(leased.key, leased.owner)
    assert.deepEqual(await found(), [first.key, leased.key, second.key])
  })

  test('lists the latest entries first, up to the limit', async () => {
    const claims = [await settled(), await computed(), newClaim()]
    await ledgers.a.claim(claims[2]!)
    assert.deepEqual(
      (await ledgers.b.list(3)).map(({ key }) => key),
      claims.map(({ key }) => key).toReversed(),
    )
    assert.deepEqual(await ledgers.b.list(0), [])
  })

  test('prunes answers a day after settlement and abandoned claims after the same time, never unsettled answers', async () => {
    await ledgers.a.prune(clock.now() + 2 * ANSWER_TTL_MS)
    const paid = await settled()
    const entry = (await ledgers.a.find(paid.key))!
    const owed = await computed()
    const abandoned = newClaim()
    await ledgers.a.claim(abandoned)
    assert.equal(await ledgers.b.prune(clock.now() + ANSWER_TTL_MS), 0)
    assert.deepEqual(await ledgers.a.find(paid.key), entry)
    assert.equal(await ledgers.b.prune(clock.now() + MINUTE_MS + ANSWER_TTL_MS + 1), 2)
    const bare = { ...entry, payment: '', answer: undefined, receipt: { ...PAID, headers: [] } }
    assert.deepEqual(await ledgers.a.find(paid.key), bare)
    assert.deepEqual(await ledgers.a.claim({ ...paid, owner: 'second' }), { won: false, entry: bare })
    assert.deepEqual((await ledgers.a.find(owed.key))?.answer, ANSWER)
    assert.equal(await ledgers.a.find(abandoned.key), undefined)
    assert.equal(await ledgers.a.compute(abandoned.key, abandoned.owner, ANSWER), false)
    assert.equal(await ledgers.a.prune(clock.now() + 10 * ANSWER_TTL_MS), 0, 'nothing is left to prune')
  })
}

function modelTest({ clock, ledgers }: LedgerHarness, name: string, walks: number): void {
  test('behaves like a simple model under random operations', async () => {
    let run = 0
    const property = fc.asyncProperty(steps, async (steps) => {
      await walk({ ledgers: ledgers.all, clock, steps, prefix: `${name} walk ${run++}:` })
    })
    await fc.assert(property, { numRuns: walks })
  })
}
