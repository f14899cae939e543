import type { Tool } from '@modelcontextprotocol/server'
import type { Endpoint, Price } from '../../kernel/endpoint.ts'
import { failureCode } from '../../kernel/errors.ts'
import { inputSchema, outputSchema } from './schema.ts'

export const isTool = ({ tool }: Endpoint): boolean => tool === true

/** An endpoint as it appears in `tools/list`. Kept short: an agent pays for every token of it. */
export const toolOf = (endpoint: Endpoint, { isFree = false }: { readonly isFree?: boolean } = {}): Tool => ({
  name: endpoint.name,
  title: endpoint.summary,
  description: toolDescription(endpoint, isFree),
  inputSchema: inputSchema(endpoint.input),
  outputSchema: outputSchema(endpoint.toolOutput ?? endpoint.output),
  annotations: {
    readOnlyHint: endpoint.method === 'GET',
    // A POST only prepares what the caller then signs: nothing is overwritten or deleted.
    ...(endpoint.method === 'POST' && { destructiveHint: false }),
    idempotentHint: endpoint.method === 'GET',
    // `failsAs` is set exactly on the endpoints that ask upstream servers.
    openWorldHint: endpoint.failsAs !== undefined,
  },
})

function toolDescription({ summary, description, errors, failsAs, price }: Endpoint, isFree: boolean): string {
  const codes = [...new Set([...errors, ...(failsAs === undefined ? [] : [failsAs])].map(failureCode))]
  return [
    `${summary}.`,
    description,
    ...(price === undefined
      ? []
      : [isFree ? `Free here; over HTTP ${formatPrice(price)}.` : `Paid: ${formatPrice(price)}.`]),
    ...(codes.length === 0 ? [] : [`Errors: ${codes.join(', ')}.`]),
  ].join(' ')
}

/** `$0.05`, or what the price depends on. */
export const formatPrice = (price: Price): string =>
  !('by' in price)
    ? `$${price.usd}${price.each ? ` for each of ${price.each}` : ''}${price.times ? ` times ${price.times}` : ''}`
    : Object.entries(price.usd)
        .map(([value, usd]) => `${value} $${usd}`)
        .join(', ')
