import type { FacilitatorAuth } from '../../payments/sources/x402/facilitator-auth.ts'
import type { Values } from './providers.ts'

/** How requests to the facilitator are authenticated; null if they are not. */
export function facilitatorAuth(values: Values): FacilitatorAuth | null {
  const { ONOMA_X402_FACILITATOR_HEADER: header, ONOMA_X402_FACILITATOR_KEY_ID: keyId } = values
  const { ONOMA_X402_FACILITATOR_KEY_SECRET: keySecret } = values
  if (header) return Object.freeze({ header })
  return keyId !== null && keySecret !== null ? Object.freeze({ keyId, keySecret }) : null
}

/** One sentence per contradiction. */
export function facilitatorProblems(values: Values): string[] {
  const { ONOMA_X402_FACILITATOR_HEADER: header, ONOMA_X402_FACILITATOR_KEY_ID: keyId } = values
  const { ONOMA_X402_FACILITATOR_KEY_SECRET: keySecret, ONOMA_X402_FACILITATOR_URL: url } = values
  const [hasHeader, hasKey] = [header !== null, keyId !== null || keySecret !== null]
  const problems: string[] = []
  if ((keyId === null) !== (keySecret === null))
    problems.push('Set ONOMA_X402_FACILITATOR_KEY_ID and ONOMA_X402_FACILITATOR_KEY_SECRET together.')
  if (hasHeader && hasKey)
    problems.push('Set ONOMA_X402_FACILITATOR_HEADER or the facilitator key, not both: one authenticates the requests.')
  if ((hasHeader || hasKey) && url === null)
    problems.push('ONOMA_X402_FACILITATOR_URL is missing: there is no facilitator to authenticate to.')
  return problems
}
