import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { balanceOf, CREDIT_ENDPOINT, type CreditStore, type Draw, type NewCredit } from '../../src/payments/credit.ts'
import { ANSWER_TTL_MS } from '../../src/payments/sources/retention.ts'
import { ANSWER, createLedgerHarness, type LedgerHarness, MINUTE_MS, type OpenLedgers, PAID } from './ledger-harness.ts'

type Options = { readonly open: OpenLedgers; readonly walks: number }

const DOLLAR = 1_000_000n
const PRICE = 50_000n

/** What every store of credits must guarantee, together with its ledger. */
export function creditContract(name: string, { open, walks }: Options): void {
  suite(`credits ${name}`, () => {
    const ledgers = createLedgerHarness(`${name} credits`, open)
    const harness = createHarness(name, ledgers)
    before(() => ledgers.start())
    after(() => ledgers.end())
    purchaseTests(harness)
    drawTests(harness)
    leaseTests(harness)
    keyTests(harness)
    pruneTests(harness)
    modelTest(harness, walks)
  })
}

type Harness = ReturnType<typeof createHarness>

function createHarness(name: string, ledgers: LedgerHarness) {
  let count = 0
  const details = (micros: bigint, endpoint = CREDIT_ENDPOINT) => ({ scheme: 'mpp', payer: '0xP', endpoint, micros })
  const secretFor = (paymentKey: string, owner: string): NewCredit => {
    const tokenHash = `hash ${name} ${count++}`
    return { paymentKey, owner, tokenHash, salt: `salt ${count}`, redeemHash: undefined }
  }
  /** A credit that is paid. */
  async function bought(micros = DOLLAR): Promise<NewCredit> {
    const claim = ledgers.newClaim({ details: details(micros) })
    await ledgers.ledgers.a.claim(claim)
    const credit = secretFor(claim.key, claim.owner)
    assert.equal(await ledgers.ledgers.a.credits.attach(credit), true)
    assert.equal(await ledgers.ledgers.a.compute(claim.key, claim.owner, ANSWER), true)
    assert.equal(await ledgers.ledgers.a.settle(claim.key, claim.owner, PAID), true)
    return credit
  }
  const newDraw = ({ tokenHash }: Pick<NewCredit, 'tokenHash'>, more: Partial<Draw> = {}): Draw => ({
    tokenHash,
    fingerprint: '',
    owner: `owner ${name} ${count++}`,
    leaseMs: MINUTE_MS,
    endpoint: 'intel',
    micros: PRICE,
    ...more,
  })
  return {
    ...ledgers,
    details,
    secretFor,
    bought,
    newDraw,
    get all(): readonly [CreditStore, CreditStore] {
      return [ledgers.ledgers.a.credits, ledgers.ledgers.b.credits]
    },
    get a() {
      return ledgers.ledgers.a.credits
    },
    get b() {
      return ledgers.ledgers.b.credits
    },
    async sums({ tokenHash }: Pick<NewCredit, 'tokenHash'>) {
      const { bought, spent, reserved } = (await ledgers.ledgers.b.credits.find(tokenHash))!
      return { bought, spent, reserved }
    },
  }
}

function purchaseTests(harness: Harness): void {
  const { ledgers, newClaim, details, secretFor, newDraw } = harness

  test('a credit can be drawn on only once its payment is settled, and holds what was paid', async () => {
    const claim = newClaim({ details: details(7n * DOLLAR) })
    await ledgers.a.claim(claim)
    const credit = secretFor(claim.key, claim.owner)
    const steps = [
      () => harness.a.attach(credit),
      () => ledgers.a.compute(claim.key, claim.owner, ANSWER),
      () => ledgers.a.settle(claim.key, claim.owner, PAID),
    ]
    for (const step of steps) {
      assert.equal(await harness.b.find(credit.tokenHash), undefined)
      assert.deepEqual(await harness.b.draw(newDraw(credit)), { drawn: false, credit: undefined })
      assert.equal(await step(), true)
    }
    assert.deepEqual(await harness.sums(credit), { bought: 7n * DOLLAR, spent: 0n, reserved: 0n })
    assert.deepEqual(await harness.b.draw(newDraw(credit)), { drawn: true, balance: 7n * DOLLAR - PRICE })
  })

  test('only the owner of the claim attaches a credit, once again for each claim', async () => {
    const claim = newClaim({ details: details(DOLLAR) })
    await ledgers.a.claim(claim)
    assert.equal(await harness.a.attach(secretFor(claim.key, 'somebody else')), false)
    assert.equal(await harness.a.attach(secretFor('no such payment', claim.owner)), false)
    const first = secretFor(claim.key, claim.owner)
    assert.equal(await harness.a.attach(first), true)
    harness.clock.advance(MINUTE_MS + 1)
    await ledgers.b.claim({ ...claim, owner: 'second' })
    const second = secretFor(claim.key, 'second')
    assert.equal(await harness.b.attach(second), true)
    assert.equal(await harness.a.attach(first), false, 'the first owner is too late')
    await ledgers.b.compute(claim.key, 'second', ANSWER)
    assert.equal(await harness.b.attach(secretFor(claim.key, 'second')), false, 'the answer is saved')
    await ledgers.b.settle(claim.key, 'second', PAID)
    assert.equal(await harness.a.find(first.tokenHash), undefined)
    assert.equal((await harness.a.find(second.tokenHash))?.bought, DOLLAR)
    const { tokenHash, salt, redeemHash } = second
    assert.deepEqual(await harness.a.secretOf(claim.key), { tokenHash, salt, redeemHash })
  })

  test('a payment that was released and then bought something else is no credit', async () => {
    const claim = newClaim({ details: details(DOLLAR) })
    await ledgers.a.claim(claim)
    const credit = secretFor(claim.key, claim.owner)
    await harness.a.attach(credit)
    await ledgers.a.release(claim.key, claim.owner)
    await ledgers.a.claim({ ...claim, details: details(DOLLAR, 'intel') })
    assert.equal(await harness.a.attach(secretFor(claim.key, claim.owner)), false)
    await ledgers.a.compute(claim.key, claim.owner, ANSWER)
    await ledgers.a.settle(claim.key, claim.owner, PAID)
    assert.equal(await harness.a.find(credit.tokenHash), undefined)
    assert.deepEqual(await harness.a.draw(newDraw(credit)), { drawn: false, credit: undefined })
  })

  test('a payment that is lost stops its credit, and continues it when it is found', async () => {
    const credit = await harness.bought()
    const owed = await harness.b.outstanding()
    await ledgers.a.recheck(credit.paymentKey, 'lost')
    const refused = await harness.b.draw(newDraw(credit))
    assert.ok(!refused.drawn && refused.credit?.isLost)
    assert.equal(owed - (await harness.b.outstanding()), DOLLAR)
    await ledgers.a.recheck(credit.paymentKey, { transaction: PAID.transaction })
    assert.equal((await harness.b.draw(newDraw(credit))).drawn, true)
  })
}

function drawTests(harness: Harness): void {
  const { newDraw } = harness

  test('what is reserved is spent when it is confirmed, and free again when it is given back', async () => {
    const credit = await harness.bought()
    const owed = await harness.a.outstanding()
    const [kept, returned] = [newDraw(credit), newDraw(credit)]
    assert.deepEqual(await harness.a.draw(kept), { drawn: true, balance: DOLLAR - PRICE })
    assert.deepEqual(await harness.b.draw(returned), { drawn: true, balance: DOLLAR - 2n * PRICE })
    assert.deepEqual(await harness.sums(credit), { bought: DOLLAR, spent: 0n, reserved: 2n * PRICE })
    assert.equal(await harness.b.confirm(kept.owner), true)
    await harness.a.giveBack(returned.owner)
    assert.deepEqual(await harness.sums(credit), { bought: DOLLAR, spent: PRICE, reserved: 0n })
    assert.equal(owed - (await harness.b.outstanding()), PRICE)
    for (const owner of [kept.owner, returned.owner, 'nobody']) {
      assert.equal(await harness.a.confirm(owner), false, 'once only')
      await harness.a.giveBack(owner)
    }
    assert.deepEqual(await harness.sums(credit), { bought: DOLLAR, spent: PRICE, reserved: 0n })
  })

  test('a hundred draws at once take no more than there is', async () => {
    const credit = await harness.bought()
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, at) => harness.all[at % 2]!.draw(newDraw(credit, { micros: 70_000n }))),
    )
    assert.equal(results.filter(({ drawn }) => drawn).length, 14)
    assert.deepEqual(await harness.sums(credit), { bought: DOLLAR, spent: 0n, reserved: 980_000n })
    const refused = results.find((result) => !result.drawn)
    assert.equal(balanceOf(refused!.credit!), 20_000n)
  })
}

function leaseTests(harness: Harness): void {
  const { newDraw, clock, ledgers } = harness

  test('a reservation that nobody confirmed is free again after its lease', async () => {
    const credit = await harness.bought()
    const whole = newDraw(credit, { micros: DOLLAR })
    assert.equal((await harness.a.draw(whole)).drawn, true)
    clock.advance(MINUTE_MS)
    assert.equal((await harness.b.draw(newDraw(credit))).drawn, false)
    clock.advance(1)
    assert.equal((await harness.b.draw(newDraw(credit))).drawn, true)
    assert.equal(await harness.a.confirm(whole.owner), false, 'it has ended')
    assert.deepEqual(await harness.sums(credit), { bought: DOLLAR, spent: 0n, reserved: PRICE })
    clock.advance(MINUTE_MS + 1)
    await ledgers.a.prune(clock.now())
    assert.deepEqual(await harness.sums(credit), { bought: DOLLAR, spent: 0n, reserved: 0n })
  })

  test('a late confirmation counts while the reservation is still there', async () => {
    const credit = await harness.bought()
    const draw = newDraw(credit)
    await harness.a.draw(draw)
    clock.advance(10 * MINUTE_MS)
    assert.equal(await harness.a.confirm(draw.owner), true)
    assert.equal((await harness.sums(credit)).spent, PRICE)
  })
}

function keyTests(harness: Harness): void {
  const { newDraw, clock } = harness

  test('a key is drawn once: it shows its request and, once saved, its answer', async () => {
    const credit = await harness.bought()
    const draw = newDraw(credit, { key: 'k', fingerprint: 'f' })
    assert.equal((await harness.a.draw(draw)).drawn, true)
    const leaseUntil = clock.now() + MINUTE_MS
    const second = await harness.b.draw(newDraw(credit, { key: 'k', fingerprint: 'f' }))
    assert.deepEqual(!second.drawn && second.credit?.prior, { fingerprint: 'f', leaseUntil, answer: undefined })
    assert.equal(await harness.a.confirm(draw.owner, ANSWER), true)
    const third = await harness.b.draw(newDraw(credit, { key: 'k', fingerprint: 'other' }))
    assert.deepEqual(!third.drawn && third.credit?.prior, { fingerprint: 'f', leaseUntil, answer: ANSWER })
    assert.deepEqual((await harness.b.find(credit.tokenHash, 'k'))?.prior?.answer, ANSWER)
    assert.equal((await harness.b.find(credit.tokenHash, 'else'))?.prior, undefined)
    assert.deepEqual(await harness.sums(credit), { bought: DOLLAR, spent: PRICE, reserved: 0n })
    assert.equal((await harness.a.draw(newDraw(await harness.bought(), { key: 'k' }))).drawn, true, 'another credit')
  })

  test('of a hundred draws at once with one key one wins', async () => {
    const credit = await harness.bought()
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        harness.all[at % 2]!.draw(newDraw(credit, { key: 'k', fingerprint: 'f' })),
      ),
    )
    assert.equal(results.filter(({ drawn }) => drawn).length, 1)
    assert.equal((await harness.sums(credit)).reserved, PRICE)
  })

  test('a key is free again after it was given back, or when its lease has ended', async () => {
    const credit = await harness.bought()
    const draw = newDraw(credit, { key: 'k' })
    await harness.a.draw(draw)
    await harness.a.giveBack(draw.owner)
    const second = newDraw(credit, { key: 'k' })
    assert.equal((await harness.b.draw(second)).drawn, true)
    clock.advance(MINUTE_MS + 1)
    assert.equal((await harness.a.draw(newDraw(credit, { key: 'k' }))).drawn, true)
    assert.equal(await harness.b.confirm(second.owner, ANSWER), false)
    assert.deepEqual(await harness.sums(credit), { bought: DOLLAR, spent: 0n, reserved: PRICE })
  })
}

function pruneTests(harness: Harness): void {
  const { newDraw, clock, ledgers } = harness

  test('after a day answers, keys and salts are gone, and the sums stay', async () => {
    const credit = await harness.bought()
    const draw = newDraw(credit, { key: 'k', fingerprint: 'f' })
    await harness.a.draw(draw)
    await harness.a.confirm(draw.owner, ANSWER)
    await ledgers.a.prune(clock.now() + ANSWER_TTL_MS)
    assert.ok((await harness.b.find(credit.tokenHash, 'k'))?.prior)
    assert.ok(await harness.b.secretOf(credit.paymentKey))
    await ledgers.a.prune(clock.now() + ANSWER_TTL_MS + 1)
    assert.equal((await harness.b.find(credit.tokenHash, 'k'))?.prior, undefined)
    assert.equal(await harness.b.secretOf(credit.paymentKey), undefined)
    assert.deepEqual(await harness.sums(credit), { bought: DOLLAR, spent: PRICE, reserved: 0n })
    assert.equal((await harness.b.draw(newDraw(credit, { key: 'k' }))).drawn, true)
  })
}

type Step =
  | { readonly do: 'draw'; readonly micros: bigint; readonly key: string | undefined }
  | { readonly do: 'confirm' | 'give back'; readonly which: number }
  | { readonly do: 'wait' }
  | { readonly do: 'prune' }

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('draw' as const),
        micros: fc.bigInt(1n, 400_000n),
        key: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom('confirm' as const, 'give back' as const), which: fc.nat(11) }),
    },
    { weight: 1, arbitrary: fc.constantFrom({ do: 'wait' as const }, { do: 'prune' as const }) },
  ),
  { maxLength: 40 },
)

/** Any interleaving, on both instances: nothing is negative, and bought = balance + spent + reserved. */
function modelTest(harness: Harness, walks: number): void {
  test('adds up after any sequence of draws, confirmations, returns and pauses, as a simple model has it', async () => {
    const property = fc.asyncProperty(steps, async (walk: readonly Step[]) => {
      const credit = await harness.bought()
      const owners: { owner: string; micros: bigint; until: number; key: string | undefined }[] = []
      const model = { spent: 0n, open: new Map<string, (typeof owners)[number]>(), keys: new Set<string>() }
      const reserved = () => [...model.open.values()].reduce((sum, { micros }) => sum + micros, 0n)
      for (const [at, step] of walk.entries()) {
        const store = harness.all[at % 2]!
        if (step.do === 'draw') {
          const draw = harness.newDraw(credit, { micros: step.micros, key: step.key })
          const isBusy = () =>
            step.key !== undefined &&
            (model.keys.has(step.key) || [...model.open.values()].some(({ key }) => key === step.key))
          const canDraw = () => !isBusy() && DOLLAR - model.spent - reserved() >= step.micros
          // Only a draw that would fail ends what has expired.
          if (!canDraw()) {
            const isHeld =
              step.key !== undefined &&
              (model.keys.has(step.key) ||
                [...model.open.values()].some(({ key, until }) => key === step.key && until >= harness.clock.now()))
            if (!isHeld)
              for (const [owner, { until }] of model.open) if (until < harness.clock.now()) model.open.delete(owner)
          }
          const isExpected = canDraw()
          const result = await store.draw(draw)
          assert.equal(result.drawn, isExpected)
          if (result.drawn) {
            const own = {
              owner: draw.owner,
              micros: step.micros,
              until: harness.clock.now() + MINUTE_MS,
              key: step.key,
            }
            owners.push(own)
            model.open.set(own.owner, own)
          }
        } else if (step.do === 'wait') harness.clock.advance(MINUTE_MS / 2 + 1)
        else if (step.do === 'prune') {
          await harness.ledgers.a.prune(harness.clock.now())
          for (const [owner, { until }] of model.open) if (until < harness.clock.now()) model.open.delete(owner)
        } else {
          const own = owners[step.which % Math.max(1, owners.length)]
          if (!own) continue
          const isOpen = model.open.delete(own.owner)
          if (step.do === 'give back') await store.giveBack(own.owner)
          else {
            assert.equal(await store.confirm(own.owner, own.key === undefined ? undefined : ANSWER), isOpen)
            if (isOpen) model.spent += own.micros
            if (isOpen && own.key !== undefined) model.keys.add(own.key)
          }
        }
        const sums = await harness.sums(credit)
        assert.deepEqual(sums, { bought: DOLLAR, spent: model.spent, reserved: reserved() })
        assert.ok(balanceOf(sums) >= 0n)
      }
    })
    await fc.assert(property, { numRuns: walks })
  })
}
