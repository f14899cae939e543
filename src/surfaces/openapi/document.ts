import type { Route } from '../../kernel/endpoint.ts'
import { describeCapability } from './capabilities.ts'
import { alphabetically, createComponents } from './components.ts'
import { operationOf, schemasOf } from './operation.ts'
import { SERVICE_INFO, type WayToPay } from './payment-info.ts'
import { ERROR_SCHEMAS } from './responses.ts'
import { type Json, toSchemas } from './schemas.ts'

export type DocumentInfo = {
  readonly version: string
  readonly publicUrl: string
  readonly waysToPay?: readonly WayToPay[]
}

const DESCRIPTION = `One HTTP API for every name on the internet: is it free, who holds it, what is it worth, and how do I take it.

Answers are JSON. An error is \`{error, message}\`, a word for machines and a sentence for people; a client that
accepts \`application/problem+json\` gets the members of RFC 9457 beside them. HEAD and OPTIONS work at every address.`

/** The OpenAPI 3.1 document of the routes; the same routes make the same document, byte for byte. */
export function openapiDocument(routes: readonly Route[], { version, publicUrl, waysToPay = [] }: DocumentInfo): Json {
  const endpoints = routes.map(({ endpoint }) => endpoint)
  const schemas = toSchemas(Object.assign({}, ...endpoints.map(schemasOf)))
  for (const name of Object.keys(ERROR_SCHEMAS)) {
    if (name in schemas.named) throw new Error(`The schema id ${name} is taken: it is the shape of every error`)
  }
  const components = createComponents()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const { method, path } = route.endpoint
    const operations = (paths[path] ??= {})
    if (method.toLowerCase() in operations) throw new Error(`Two endpoints answer ${method} ${path}`)
    operations[method.toLowerCase()] = operationOf(route, schemas, components, waysToPay)
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Onoma', description: DESCRIPTION, version, license: { name: 'MIT', identifier: 'MIT' } },
    'x-service-info': SERVICE_INFO,
    servers: [{ url: publicUrl.replace(/\/+$/, '') }],
    // Nobody needs a key; what is paid for is paid for by the request.
    security: [],
    tags: [...new Set(endpoints.map(({ capability }) => capability))].map((name) => ({
      name,
      description: describeCapability(name),
    })),
    paths,
    components: {
      schemas: alphabetically(Object.entries({ ...schemas.named, ...ERROR_SCHEMAS })),
      ...components.used(),
    },
  }
}
