import type { Route } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'

/** Validates the input before the price is mentioned. Throws 503 with `closed`, the reason why nothing is sold here. */
export function validateInput(
  route: Route,
  raw: Readonly<Record<string, unknown>>,
  closed: string | undefined,
): Record<string, unknown> {
  const input = parseInput(route.endpoint, raw, route.endpoint.method === 'POST' ? 'json' : 'text')
  if (closed !== undefined) throw new ApiError('service_unavailable', closed)
  return input
}
