import type { Tool } from '@modelcontextprotocol/server'
import type { Endpoint, Price } from '../../kernel/endpoint.ts'
import { failureCode } from '../../kernel/errors.ts'
import { inputSchema, outputSchema } from './schema.ts'

/**
 * Whether an agent has a use for an endpoint. Addresses kept for old clients have a better successor, and those that
 * are free of the limit are there for monitors.
 */
export const isTool = ({ deprecated, rate }: Endpoint): boolean => deprecated === undefined && rate === 'counted'

/** An endpoint as an agent sees it in the list of tools. Agents pay for every byte of it. */
export const toolOf = (endpoint: Endpoint): Tool => ({
  name: endpoint.name,
  title: endpoint.summary,
  description: descriptionOf(endpoint),
  inputSchema: inputSchema(endpoint.input),
  outputSchema: outputSchema(endpoint.output),
  annotations: {
    readOnlyHint: endpoint.method === 'GET',
    // Nothing the service does can be undone by somebody else's loss: it reads, or prepares what the caller then signs.
    ...(endpoint.method === 'POST' && { destructiveHint: false }),
    idempotentHint: endpoint.method === 'GET',
    // An endpoint says how the outside lets it down exactly where it asks the outside.
    openWorldHint: endpoint.failsAs !== undefined,
  },
})

function descriptionOf({ summary, description, errors, failsAs, price }: Endpoint): string {
  const codes = [...new Set([...errors, ...(failsAs === undefined ? [] : [failsAs])].map(failureCode))]
  return [
    `${summary}.`,
    description,
    ...(price === undefined ? [] : [`Paid: ${priceOf(price)}.`]),
    ...(codes.length === 0 ? [] : [`Errors: ${codes.join(', ')}.`]),
  ].join(' ')
}

const priceOf = (price: Price): string =>
  typeof price.usd === 'string'
    ? `$${price.usd}${'each' in price ? ` for each of ${price.each}` : ''}`
    : Object.entries(price.usd)
        .map(([value, usd]) => `${value} $${usd}`)
        .join(', ')
