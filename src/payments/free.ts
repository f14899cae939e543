import type { Paywall } from '../kernel/paywall.ts'

/** Answers paid endpoints without a payment, for an operator who is the only client. */
export const freePaywall: Paywall = {
  async serve({ signal }, prepare) {
    const work = await prepare()
    const { status, body } = await work(signal)
    return { status, body, headers: [], isSettled: false }
  },
  isSigned: async () => false,
}
