import { route, type Route } from '../kernel/endpoint.ts'
import { formatMoney, type Usd } from '../kernel/money.ts'
import { balanceOf, type Credit, type CreditStore } from './credit.ts'
import { buyCredit, showCredit } from './credit-contract.ts'
import { hashCreditToken, isCreditToken, unknownToken } from './credit-token.ts'
import { unavailable } from './purchase.ts'

/** Throws ApiError 503 if credit cannot be used at the moment. */
export type OpenCredits = () => Pick<CreditStore, 'find'> | Promise<Pick<CreditStore, 'find'>>

/** The purchase is made by the gate, which also adds the token: here is only the text of its answer. */
export const creditRoutes = (open: OpenCredits): Route[] => [
  route(buyCredit, ({ amount }) => ({
    token: '',
    bought: formatMoney((BigInt(amount) * 1_000_000n) as Usd),
    currency: 'USD' as const,
    expiresAt: null,
  })),
  route(showCredit, async (_input, { bearer }) => {
    const credits = await open()
    const credit = isCreditToken(bearer) ? await orNotReadable(credits.find(hashCreditToken(bearer))) : undefined
    if (!credit) throw unknownToken()
    return formatCredit(credit)
  }),
]

async function orNotReadable<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw unavailable('The credit cannot be read at the moment; ask again.', error)
  }
}

function formatCredit(credit: Credit) {
  const format = (micros: bigint) => formatMoney(micros as Usd)
  const { bought, spent, reserved, isLost } = credit
  return {
    balance: format(isLost ? 0n : balanceOf(credit)),
    bought: format(bought),
    spent: format(spent),
    reserved: format(reserved),
    state: isLost ? ('lost' as const) : ('usable' as const),
    currency: 'USD' as const,
    expiresAt: null,
  }
}
