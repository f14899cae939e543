import type { Route } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import type { Checkout } from './paid.ts'

/** Validates the input before the price is mentioned. Throws 503 for a paid endpoint if payments are off. */
export function validateInput(
  route: Route,
  raw: Readonly<Record<string, unknown>>,
  checkout: Checkout | undefined,
): Record<string, unknown> {
  const input = parseInput(route.endpoint, raw, route.endpoint.method === 'POST' ? 'json' : 'text')
  if (route.endpoint.price && !checkout) throw new ApiError('service_unavailable', 'Payments are not set up here.')
  return input
}
