import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claim, ClaimResult } from '../../src/payments/ledger.ts'
import { ANSWER_TTL_MS } from '../../src/payments/sources/retention.ts'
import { ANSWER, type LedgerHarness, MINUTE_MS, PAID } from './ledger-harness.ts'

const sent = (hash: string) => ({ hash, sender: '0xKey', nonce: 7 })

/** A claim reserves the payer's money, so that a nearly empty wallet cannot buy many answers at once. */
export function reservationTests({ clock, ledgers, newClaim }: LedgerHarness, name: string): void {
  test('has winners among concurrent claims only as far as the balance goes, and at most 8 open', async () => {
    const claimAll = (payer: string, count: number, balance: bigint) =>
      Promise.all(
        Array.from({ length: count }, (_, at) => {
          const details = { scheme: 'x402', payer, endpoint: 'intel', micros: 50_000n }
          return ledgers.all[at % 2]!.claim(newClaim({ owner: `owner ${at}`, details, balance }))
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
      const claim = newClaim({ details, balance: 50_000n, owner: 'try', ...more })
      const result = await ledgers.b.claim(claim)
      if (result.won && !('balance' in more)) await ledgers.b.release(claim.key, claim.owner)
      return result.won
    }
    const claimed = newClaim({ details, balance: 50_000n })
    assert.equal((await ledgers.a.claim(claimed)).won, true)
    assert.equal(await tryClaim(), false, 'claimed')
    assert.equal(await tryClaim({ details: { ...details, scheme: 'mpp' } }), true, 'money on another chain')
    assert.equal(await tryClaim({ details: { ...details, payer: '0xAnother' } }), true)
    assert.equal((await ledgers.a.claim({ ...claimed, owner: 'again' })).won, false, 'it is leased')
    clock.advance(MINUTE_MS + 1)
    assert.equal(await tryClaim(), true, 'the lease has expired')
    assert.equal(
      (await ledgers.a.claim({ ...claimed, owner: 'again' })).won,
      true,
      'its own money is not counted twice',
    )
    await ledgers.a.compute(claimed.key, 'again', ANSWER)
    clock.advance(MINUTE_MS + 1)
    assert.equal(await tryClaim(), false, 'it has an answer and may be taken at any moment')
    assert.equal((await ledgers.a.claim({ ...claimed, owner: 'third', balance: undefined })).won, true)
    await ledgers.a.settle(claimed.key, 'third', PAID)
    assert.equal(await tryClaim(), false, 'a node may not know of the settlement yet')
    clock.advance(10_000)
    assert.equal(await tryClaim(), true)
  })
}

/** Payments of one nonce or one name exclude each other, and one that was paid before its claim is never forgotten. */
export function exclusionTests({ clock, ledgers, newClaim, computed, settled }: LedgerHarness, name: string): void {
  const wins = (claims: readonly ClaimResult[]) => claims.filter(({ won }) => won).length
  const claimTwenty = (more: Partial<Claim>) =>
    Promise.all(
      Array.from({ length: 20 }, (_, at) => ledgers.all[at % 2]!.claim(newClaim({ owner: `owner ${at}`, ...more }))),
    )
  const shortageOf = async (more: Partial<Claim>) => {
    const claim = newClaim(more)
    const result = await ledgers.b.claim(claim)
    if (result.won) await ledgers.b.release(claim.key, claim.owner)
    return 'shortOf' in result ? result.shortOf : undefined
  }

  test('lets one of many payments with the same nonce be worked on at a time, over all instances', async () => {
    const slot = `slot of ${name}`
    const claims = await claimTwenty({ slot })
    assert.equal(wins(claims), 1)
    for (const claim of claims) assert.equal('shortOf' in claim ? claim.shortOf : 'nonce', 'nonce')
    assert.equal(await shortageOf({ slot: 'another' }), undefined)
    clock.advance(MINUTE_MS + 1)
    assert.equal(await shortageOf({ slot }), undefined, 'nobody works on it any more')
    const open = await computed({ slot })
    assert.equal(await shortageOf({ slot }), 'nonce')
    assert.equal((await ledgers.b.claim({ ...open, owner: 'copy' })).won, false)
    await ledgers.a.yield(open.key, open.owner)
    assert.equal(await shortageOf({ slot }), undefined, 'the chain decides which of them is taken')
  })

  test('lets one of many payments under one name through, and keeps the name once it has an answer', async () => {
    const named = `0xPayer:${name}`
    assert.equal(await ledgers.a.findNamed(named), undefined)
    assert.equal(wins(await claimTwenty({ name: named })), 1)
    assert.equal(await shortageOf({ name: named }), 'name')
    clock.advance(MINUTE_MS + 1)
    assert.equal(await ledgers.a.findNamed(named), undefined, 'its work was given up')
    const open = await computed({ name: named })
    clock.advance(100 * ANSWER_TTL_MS)
    assert.equal(await shortageOf({ name: named }), 'name')
    assert.deepEqual(await ledgers.b.claim({ ...open, owner: 'again' }), { won: true, answer: ANSWER })
    await ledgers.b.settle(open.key, 'again', PAID)
    await ledgers.b.prune(clock.now() + 2 * ANSWER_TTL_MS)
    assert.equal(await shortageOf({ name: named }), 'name')
    assert.equal(await ledgers.a.findNamed(named), open.key)
  })

  test('keeps an entry that was paid before its claim, also when its work was given up', async () => {
    const owed = newClaim({ paidIn: '0xpaid' })
    await ledgers.a.claim(owed)
    await ledgers.a.yield(owed.key, owed.owner)
    await ledgers.b.prune(clock.now() + 100 * ANSWER_TTL_MS)
    const { state, paidIn } = (await ledgers.b.find(owed.key))!
    assert.deepEqual([state, paidIn], ['claimed', '0xpaid'])
    assert.deepEqual(await ledgers.b.claim({ ...owed, owner: 'again' }), { won: true, answer: undefined })
  })

  test("keeps the client's own token until a settlement without one", async () => {
    const own = await computed({ tokenHash: 'cd'.repeat(32) })
    assert.equal((await ledgers.b.find(own.key))?.tokenHash, 'cd'.repeat(32))
    await ledgers.a.settle(own.key, own.owner, { ...PAID, tokenHash: undefined })
    assert.equal((await ledgers.b.find(own.key))?.receipt?.tokenHash, 'cd'.repeat(32))
    assert.equal((await ledgers.b.find((await settled()).key))?.receipt?.tokenHash, PAID.tokenHash)
  })

  test('knows which of our transactions have no known cost yet, also of payments that were released', async () => {
    const unpriced = async () => (await ledgers.b.unpriced(1000)).filter(({ hash }) => hash.startsWith(`0x${name}`))
    const transaction = (at: number) => ({ hash: `0x${name}${at}`, sender: '0xKey', nonce: at })
    const claim = await computed()
    const sentAt = clock.now()
    await ledgers.a.sending(claim.key, claim.owner, transaction(1))
    await ledgers.a.release(claim.key, claim.owner)
    await ledgers.a.resending(claim.key, transaction(2))
    await ledgers.b.resending(claim.key, transaction(2))
    assert.deepEqual(
      await unpriced(),
      [1, 2].map((at) => ({ ...transaction(at), sentAt })),
    )
    await ledgers.b.spent(transaction(1).hash, 2n ** 70n)
    assert.deepEqual(await unpriced(), [{ ...transaction(2), sentAt }])
    assert.deepEqual(await ledgers.b.unpriced(0), [])
  })

  test('gives a recheck to another instance if the one that had it crashed', async () => {
    clock.advance(2 * ANSWER_TTL_MS)
    const claim = await settled()
    const due = async () => (await ledgers.b.dueRechecks(100)).map(({ key }) => key)
    clock.advance(5 * MINUTE_MS + 1)
    await ledgers.a.dueRechecks(100)
    assert.deepEqual(await due(), [])
    clock.advance(2 * MINUTE_MS + 1)
    assert.deepEqual(await due(), [claim.key])
    await ledgers.b.recheck(claim.key, { transaction: PAID.transaction })
    assert.deepEqual(await due(), [claim.key], 'the second one is due as well')
  })
}

/** What is recorded around a settlement: its transactions, its delivery, and the lookups for a reorganized chain. */
export function settlementRecordTests({ clock, ledgers, newClaim, computed, settled }: LedgerHarness): void {
  test('has an id of its own, the same for both instances', async () => {
    assert.match(ledgers.a.id, /^[0-9a-f]{32}$/)
    assert.equal(ledgers.b.id, ledgers.a.id)
  })

  test('records a transaction before it is sent, for the owner of an answer only', async () => {
    const claim = newClaim()
    await ledgers.a.claim(claim)
    assert.equal(await ledgers.a.sending(claim.key, claim.owner, sent('0x1')), false, 'there is no answer yet')
    await ledgers.a.compute(claim.key, claim.owner, ANSWER)
    assert.equal(await ledgers.a.sending(claim.key, 'second', sent('0x1')), false)
    assert.equal(await ledgers.a.sending(claim.key, claim.owner, sent('0x1')), true)
    assert.equal(await ledgers.a.sending(claim.key, claim.owner, sent('0x2')), true)
    assert.deepEqual((await ledgers.b.find(claim.key))?.sent, ['0x1', '0x2'])
    await ledgers.a.settle(claim.key, claim.owner, PAID)
    assert.equal(await ledgers.a.sending(claim.key, claim.owner, sent('0x3')), false, 'it is settled')
    assert.deepEqual((await ledgers.b.find(claim.key))?.sent, ['0x1', '0x2'])
  })

  test('records the first delivery of a settled answer', async () => {
    const open = await computed()
    await ledgers.a.delivered(open.key)
    assert.equal((await ledgers.b.find(open.key))?.deliveredAt, undefined)
    const claim = await settled()
    const deliveredAt = clock.now()
    await ledgers.a.delivered(claim.key)
    clock.advance(5)
    await ledgers.b.delivered(claim.key)
    assert.equal((await ledgers.b.find(claim.key))?.deliveredAt, deliveredAt)
    await ledgers.a.delivered('never seen')
  })

  test('returns a settled entry for a recheck a minute and five minutes later, once each', async () => {
    clock.advance(2 * ANSWER_TTL_MS)
    const claim = await settled()
    const due = async () =>
      (await Promise.all([ledgers.a.dueRechecks(100), ledgers.b.dueRechecks(100)])).flat().map(({ key }) => key)
    assert.deepEqual(await due(), [])
    clock.advance(MINUTE_MS + 1)
    assert.deepEqual(await due(), [claim.key])
    assert.deepEqual(await due(), [])
    await ledgers.b.recheck(claim.key, 'unknown')
    assert.deepEqual(await due(), [claim.key], 'the outcome is still unknown')
    await ledgers.b.recheck(claim.key, 'lost')
    assert.equal((await ledgers.a.find(claim.key))?.isLost, true)
    clock.advance(5 * MINUTE_MS)
    assert.deepEqual(await due(), [claim.key])
    await ledgers.a.recheck(claim.key, { transaction: '0xmoved' })
    const { isLost, receipt } = (await ledgers.b.find(claim.key))!
    assert.deepEqual([isLost, receipt], [false, { ...PAID, transaction: '0xmoved' }])
    clock.advance(5 * MINUTE_MS)
    assert.deepEqual(await due(), [])
    const late = await settled()
    clock.advance(61 * MINUTE_MS)
    assert.ok(!(await due()).includes(late.key), 'older than an hour')
  })
}
