import type { Attack, Target } from '../hostile/attack.ts'

/** What happens to the request, connection or entry above the bound. */
export type Above = { readonly expected: string; readonly saw: string; readonly met: boolean }

export type Outcome = {
  readonly filled: string
  readonly above: Above
  /** Lets go of what was held for the measurement. */
  release?(): void | Promise<void>
}

export type Bound = Pick<Attack, 'internet' | 'env'> & {
  readonly name: string
  /** As in docs/self-hosting.md. */
  readonly statedMb: number
  /** Fills the bound, and tries to go above it. */
  fill(target: Target): Promise<Outcome>
}

export const refusedWith503 = (answer: {
  readonly status: number
  readonly retryAfter: string | undefined
}): Above => ({
  expected: '503 with Retry-After above the bound',
  saw: `${answer.status}${answer.retryAfter === undefined ? '' : `, Retry-After: ${answer.retryAfter}`}`,
  met: answer.status === 503 && answer.retryAfter !== undefined,
})
