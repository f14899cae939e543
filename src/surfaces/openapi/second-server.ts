import type { Json } from './schemas.ts'

/** `{ens_url}` of the contract. A variable, because behind a proxy it may have another URL. */
export const ensServer = (url: string): Json => ({
  url: '{ens_url}',
  description: 'The second base URL: ENS metadata and health only.',
  variables: { ens_url: { default: url, description: 'URL of the second listener.' } },
})

type Content = { 'application/json': { schema: Json; example: unknown } }
type OperationResponses = { responses: Record<string, { description: string; content: Content }> }

/**
 * Adds an operation of the second server. If both servers have the path, OpenAPI allows only one operation: it then lists
 * both servers, and the response has the schema of either.
 */
export function addSecondServer(
  paths: Record<string, Json>,
  operation: Json,
  path: string,
  [first, second]: readonly [Json, Json],
): void {
  const shared = paths[path]?.['get'] as (Json & OperationResponses) | undefined
  if (shared === undefined) {
    paths[path] = {
      servers: [second],
      get: { ...operation, operationId: `${String(operation['operationId'])}AtEnsUrl` },
    }
    return
  }
  const [one, other] = [shared, operation as Json & OperationResponses].map(({ responses }) => responses['200']!) as [
    OperationResponses['responses'][string],
    OperationResponses['responses'][string],
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
