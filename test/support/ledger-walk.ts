import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { manualClock } from '../../src/kernel/clock.ts'
import type { ClaimResult, LedgerEntry } from '../../src/payments/ledger.ts'
import { ANSWER_TTL_MS, type PrunableLedger } from '../../src/payments/sources/retention.ts'

type Step =
  | { readonly do: 'claim'; readonly by: By; readonly request: string; readonly leaseMs: number }
  | { readonly do: 'compute' | 'settle' | 'release' | 'yield'; readonly by: By }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'prune' }

/** Which owner, of which payment, through which of the two doors. */
type By = { readonly key: string; readonly owner: string; readonly door: number }

const by = fc.record({
  key: fc.constantFrom('a', 'b'),
  owner: fc.constantFrom('ann', 'bob', 'cid'),
  door: fc.nat(1),
})
const claim = fc.record({
  do: fc.constant('claim' as const),
  by,
  request: fc.constantFrom('first request', 'second request'),
  leaseMs: fc.constantFrom(0, 1, 1000, 60_000),
})
const write = fc.record({ do: fc.constantFrom('compute', 'compute', 'settle', 'settle', 'release', 'yield'), by })
const pass = fc.record({
  do: fc.constant('pass' as const),
  // The clock of a machine that is set right jumps, back too.
  ms: fc.constantFrom(1, 2, 1001, 60_001, 600_000, -600_000, ANSWER_TTL_MS, ANSWER_TTL_MS + 60_002),
})

/** What several owners do with two payments, in any order. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { arbitrary: claim, weight: 5 },
    { arbitrary: write, weight: 8 },
    { arbitrary: pass, weight: 3 },
    { arbitrary: fc.constant({ do: 'prune' as const }), weight: 1 },
  ),
  { maxLength: 40, size: 'max' },
)

type Walk = {
  readonly ledgers: readonly [PrunableLedger, PrunableLedger]
  readonly clock: ReturnType<typeof manualClock>
  readonly steps: readonly Step[]
  /** Makes the payments of this walk its own. */
  readonly prefix: string
}

/** Does the steps, and holds every answer against the model and against what may never be. */
export async function walk({ ledgers, clock, steps, prefix }: Walk): Promise<void> {
  const model = createModel(() => clock.now())
  const judge = createJudge(() => clock.now())
  let serial = 0
  for (const step of steps) {
    serial++
    if (step.do === 'pass') clock.advance(step.ms)
    else if (step.do === 'prune') {
      await ledgers[0].prune(clock.now())
      model.prune()
    } else {
      const { owner, door } = step.by
      const key = prefix + step.by.key
      const ledger = ledgers[door]!
      switch (step.do) {
        case 'claim': {
          const details = { scheme: 'x402', payer: owner, endpoint: step.request, micros: BigInt(serial) }
          const wish = { key, fingerprint: step.request, owner, leaseMs: step.leaseMs, details, payment: `p${serial}` }
          const claimed = await ledger.claim(wish)
          assert.deepEqual(claimed, model.claim(wish))
          judge.claimed(wish, claimed)
          break
        }
        case 'compute': {
          const answer = { status: 200, body: `${model.find(key)?.fingerprint} answered by ${owner} (${serial})` }
          const done = await ledger.compute(key, owner, answer)
          assert.equal(done, model.compute(key, owner, answer))
          if (done) judge.wrote(key, owner)
          break
        }
        case 'settle': {
          const receipt = {
            transaction: `0x${serial}`,
            headers: ['Payment-Receipt', String(serial)],
            tokenHash: undefined,
          }
          const done = await ledger.settle(key, owner, receipt)
          assert.equal(done, model.settle(key, owner, receipt))
          if (done) judge.settled(key, owner, receipt.transaction)
          break
        }
        case 'release':
        case 'yield':
          await ledger[step.do](key, owner)
          if (model[step.do](key, owner)) judge.let(key, owner)
      }
    }
    for (const name of ['a', 'b']) {
      const found = await ledgers[serial % 2]!.find(prefix + name)
      assert.deepEqual(found, model.find(prefix + name))
      judge.saw(prefix + name, found)
    }
  }
  const ours = (entries: readonly LedgerEntry[]) => entries.filter(({ key }) => key.startsWith(prefix))
  assert.deepEqual(ours(await ledgers[1].list(10)), model.entries().toReversed())
  const open = model.entries().filter(({ state, leaseUntil }) => state === 'computed' && leaseUntil < clock.now())
  assert.deepEqual(ours(await ledgers[1].unsettled(100_000)), open)
}

/** What may never be, told without the model: from what was answered alone. */
function createJudge(now: () => number) {
  const holders = new Map<string, { owner: string; leaseUntil: number }>()
  const receipts = new Map<string, string>()
  return {
    claimed({ key, owner, fingerprint, leaseMs }: Parameters<PrunableLedger['claim']>[0], claimed: ClaimResult) {
      const answer = claimed.won ? claimed.answer : claimed.entry?.answer
      if (answer !== undefined) assert.ok(answer.body.startsWith(fingerprint), 'an answer for another request')
      if (!claimed.won) return
      assert.ok(!receipts.has(key), 'a settled payment was taken again')
      const holder = holders.get(key)
      assert.ok(holder === undefined || holder.leaseUntil < now(), 'two owners at one moment')
      holders.set(key, { owner, leaseUntil: now() + leaseMs })
    },
    wrote: (key: string, owner: string) => assert.equal(holders.get(key)?.owner, owner, 'written by one who lost it'),
    settled(key: string, owner: string, transaction: string) {
      this.wrote(key, owner)
      assert.ok(!receipts.has(key), 'settled twice')
      receipts.set(key, transaction)
    },
    let(key: string, owner: string) {
      this.wrote(key, owner)
      holders.delete(key)
    },
    saw(key: string, found: LedgerEntry | undefined) {
      const transaction = receipts.get(key)
      if (transaction === undefined) assert.notEqual(found?.state, 'settled', 'settled by nobody')
      else assert.deepEqual([found?.state, found?.receipt?.transaction], ['settled', transaction])
    },
  }
}

/** The ledger as plainly as it can be said; one entry is one line of changes. */
function createModel(now: () => number) {
  type Line = LedgerEntry & { owner: string }
  let lines: Line[] = []
  const line = (key: string) => lines.find((each) => each.key === key)
  const change = (
    key: string,
    owner: string,
    from: readonly LedgerEntry['state'][],
    changes: Partial<Line>,
  ): boolean => {
    const found = line(key)
    if (found?.owner !== owner || !from.includes(found.state)) return false
    Object.assign(found, changes)
    return true
  }
  const entry = ({ owner: _owner, ...rest }: Line): LedgerEntry => rest
  return {
    claim({ owner, leaseMs, ...wish }: Parameters<PrunableLedger['claim']>[0]): ClaimResult {
      const found = line(wish.key)
      const leaseUntil = now() + leaseMs
      const same = found?.fingerprint === wish.fingerprint
      if (found === undefined) {
        const empty = {
          state: 'claimed' as const,
          createdAt: now(),
          settledAt: undefined,
          answer: undefined,
          receipt: undefined,
          tokenHash: undefined,
          paidIn: undefined,
          sent: [],
          deliveredAt: undefined,
          isLost: false,
        }
        lines.push({ ...wish, ...empty, owner, leaseUntil })
        return { won: true, answer: undefined }
      }
      if (found.leaseUntil < now() && found.state === 'claimed') Object.assign(found, wish, { owner, leaseUntil })
      else if (found.leaseUntil < now() && found.state === 'computed' && same)
        Object.assign(found, { owner, leaseUntil })
      else return { won: false, entry: { ...entry(found), ...(!same && { answer: undefined, receipt: undefined }) } }
      return { won: true, answer: found.answer }
    },
    compute: (key: string, owner: string, answer: LedgerEntry['answer']) =>
      change(key, owner, ['claimed'], { state: 'computed', answer }),
    settle: (key: string, owner: string, receipt: LedgerEntry['receipt']) =>
      change(key, owner, ['computed'], { state: 'settled', receipt, settledAt: now() }),
    yield: (key: string, owner: string) => change(key, owner, ['claimed', 'computed'], { owner: '', leaseUntil: 0 }),
    release(key: string, owner: string) {
      const released = change(key, owner, ['claimed', 'computed'], {})
      if (released) lines = lines.filter((each) => each.key !== key)
      return released
    },
    prune() {
      const before = now() - ANSWER_TTL_MS
      lines = lines.filter(({ state, leaseUntil }) => state !== 'claimed' || leaseUntil >= before)
      for (const each of lines.filter(({ state, settledAt }) => state === 'settled' && settledAt! < before)) {
        Object.assign(each, { payment: '', answer: undefined, receipt: { ...each.receipt, headers: [] } })
      }
    },
    find: (key: string) => lines.filter((each) => each.key === key).map(entry)[0],
    entries: () => lines.map(entry),
  }
}
