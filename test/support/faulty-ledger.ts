import { UpstreamError } from '../../src/kernel/errors.ts'
import type { Ledger } from '../../src/payments/ledger.ts'

const STEPS = ['claim', 'compute', 'sending', 'settle', 'delivered', 'release', 'yield', 'find'] as const
type LedgerStep = (typeof STEPS)[number]

/** `before settle`: nothing is written yet. `after settle`: it is written, but the caller gets an error. */
export type FaultPoint = `${'before' | 'after'} ${LedgerStep}`

export type Fault = {
  readonly at: FaultPoint
  /** At which call of this step; the first unless told. */
  readonly nth?: number
  /**
   * `throw` as a ledger does that cannot be written; `kill` this process on the spot, as kill -9 does; or do something of
   * one's own, and wait for it: throw, never return, or let another do something in between.
   */
  readonly how: 'throw' | 'kill' | (() => unknown)
}

/** Every point at which a ledger can let its user down, in the order of a payment's life. */
export const FAULT_POINTS: readonly FaultPoint[] = STEPS.flatMap((step) => [`before ${step}`, `after ${step}`] as const)

/** The same ledger, but for the faults of the plan. `struck` tells which of them came to pass. */
export function faultyLedger<Kind extends Ledger>(
  ledger: Kind,
  plan: readonly Fault[],
): Kind & { readonly struck: readonly FaultPoint[] } {
  const struck: FaultPoint[] = []
  const calls = new Map<LedgerStep, number>()

  async function strike(at: FaultPoint, call: number): Promise<void> {
    for (const fault of plan.filter((each) => each.at === at && (each.nth ?? 1) === call)) {
      struck.push(at)
      if (fault.how === 'throw') throw new UpstreamError('unavailable', `the ledger fails ${at}, as the test wants it`)
      if (fault.how === 'kill') process.kill(process.pid, 'SIGKILL')
      else await fault.how()
    }
  }
  const around =
    <Args extends readonly unknown[], Result>(step: LedgerStep, act: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const call = (calls.get(step) ?? 0) + 1
      calls.set(step, call)
      await strike(`before ${step}`, call)
      const result = await act(...args)
      await strike(`after ${step}`, call)
      return result
    }

  return {
    ...ledger,
    struck,
    claim: around('claim', ledger.claim),
    compute: around('compute', ledger.compute),
    sending: around('sending', ledger.sending),
    settle: around('settle', ledger.settle),
    delivered: around('delivered', ledger.delivered),
    release: around('release', ledger.release),
    yield: around('yield', ledger.yield),
    find: around('find', ledger.find),
  }
}
