import type { Json } from './schemas.ts'

/** `{ens_url}` of the contract. Behind a proxy it may be anywhere, so it is a variable with the address we know of. */
export const ensServer = (url: string): Json => ({
  url: '{ens_url}',
  description: 'The second base address: ENS metadata and health, and nothing else.',
  variables: { ens_url: { default: url, description: 'Where the second base address is reached.' } },
})

type Content = { 'application/json': { schema: Json; example: unknown } }
type Answered = { responses: Record<string, { description: string; content: Content }> }

/**
 * Adds an operation that only the second server has. Where both servers have the path, OpenAPI knows one operation for
 * both: it then has both servers, and the answer is in the shape of either.
 */
export function addSecondServer(
  paths: Record<string, Json>,
  operation: Json,
  path: string,
  [first, second]: readonly [Json, Json],
): void {
  const shared = paths[path]?.['get'] as (Json & Answered) | undefined
  if (shared === undefined) {
    paths[path] = {
      servers: [second],
      get: { ...operation, operationId: `${String(operation['operationId'])}AtEnsUrl` },
    }
    return
  }
  const [one, other] = [shared, operation as Json & Answered].map(({ responses }) => responses['200']!) as [
    Answered['responses'][string],
    Answered['responses'][string],
  ]
  const { schema, example } = one.content['application/json']
  const ens = other.content['application/json']
  const either = {
    ...one,
    description: `${one.description} At {ens_url}: ${other.description}`,
    content: {
      'application/json': {
        schema: { anyOf: [schema, ens.schema] },
        examples: { base_url: { value: example }, ens_url: { value: ens.example } },
      },
    },
  }
  paths[path] = {
    ...paths[path],
    get: {
      ...shared,
      description: `${String(shared['description'])} At {ens_url}: ${String(operation['description'])}`,
      servers: [first, second],
      responses: { ...shared.responses, 200: either },
    },
  }
}
