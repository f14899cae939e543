import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { type Hex, PaymentRefused, type Settlement } from '../../scheme.ts'
import { METHOD } from './challenge.ts'

export function createSettlement(transaction: Hex, clock: Clock): Settlement {
  const timestamp = new Date(clock.now()).toISOString()
  const receipt = { method: METHOD, reference: transaction, status: 'success', timestamp }
  return { transaction, headers: ['Payment-Receipt', Buffer.from(JSON.stringify(receipt)).toString('base64url')] }
}

/** An aborted wait leaves the outcome unknown, so its abort reason becomes an UpstreamError. */
export async function withUnknownOutcome<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PaymentRefused || error instanceof UpstreamError || !signal.aborted) throw error
    throw new UpstreamError('timeout', 'the outcome of a payment is not known yet', { cause: error })
  }
}
