import type { Endpoint, Route } from '../../kernel/endpoint.ts'
import { alphabetically, createComponents } from './components.ts'
import { type FileAddress, fileOperation } from './address.ts'
import { ERROR_SCHEMAS } from './error-responses.ts'
import { operationOf, schemasOf } from './operation.ts'
import { SERVICE_INFO, type WayToPay } from './payment-info.ts'
import { type Json, toSchemas } from './schemas.ts'
import { addSecondServer, ensServer } from './second-server.ts'

export type DocumentInfo = {
  readonly version: string
  readonly publicUrl: string
  readonly waysToPay?: readonly WayToPay[]
  /** Requests per minute and client address; null for no limit. */
  readonly rateLimit?: number | null
  /** Paths that are not endpoints. */
  readonly files?: readonly FileAddress[]
  /** The second base URL and its routes; null if off. */
  readonly ens?: { readonly url: string; readonly routes: readonly Route[] } | null
}

const description = (rateLimit: number | null) =>
  `One HTTP API for every name on the internet: is it free, who holds it, what is it worth, and how do I take it.

Answers are JSON. An error is \`{error, message}\`, a word for machines and a sentence for people; a client that
accepts \`application/problem+json\` gets the members of RFC 9457 beside them. HEAD and OPTIONS work at every address.

A value of an enumeration is read in any case. A parameter that holds a comma-separated list may be given several times,
which means all of its values; any other parameter given twice is refused.

${
  rateLimit === null
    ? 'This service has no rate limit.'
    : `One client address may make ${rateLimit} requests in any minute, over all endpoints that carry \`RateLimit\`.`
}`

/** The OpenAPI 3.1 document of the routes. Deterministic: the same routes give the same bytes. */
export function openapiDocument(given: readonly Route[], info: DocumentInfo): Json {
  const { version, publicUrl, waysToPay = [], rateLimit = 60, files = [], ens = null } = info
  const routes = rateLimit === null ? given.map(uncounted) : given
  const second = (ens?.routes ?? []).map(rateLimit === null ? uncounted : (route: Route) => route)
  const endpoints = routes.map(({ endpoint }) => endpoint)
  const all = [...endpoints, ...second.map(({ endpoint }) => endpoint)]
  const schemas = toSchemas(Object.assign({}, ...all.map(schemasOf)))
  const server = { url: publicUrl.replace(/\/+$/, '') }
  const components = createComponents(server.url)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const { method, path } = route.endpoint
    const operations = (paths[path] ??= {})
    if (method.toLowerCase() in operations) throw new Error(`Two endpoints answer ${method} ${path}`)
    operations[method.toLowerCase()] = operationOf(route, schemas, components, waysToPay)
  }
  for (const file of files) paths[file.path] = { get: fileOperation(file, components) }
  for (const route of second) {
    addSecondServer(paths, operationOf(route, schemas, components, waysToPay), route.endpoint.path, [
      server,
      ensServer(ens!.url),
    ])
  }
  const { schemas: used, ...others } = components.used()
  for (const name of [...Object.keys(ERROR_SCHEMAS), ...Object.keys(used)]) {
    if (name in schemas.named) throw new Error(`The schema id ${name} is taken: it is the shape of an error`)
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Onoma', description: description(rateLimit), version, license: { name: 'MIT', identifier: 'MIT' } },
    externalDocs: { description: 'Every endpoint, error code and guide as a page.', url: `${server.url}/docs` },
    'x-service-info': SERVICE_INFO,
    servers: [server],
    // No API keys: paid endpoints are paid per request.
    security: [],
    tags: tagsOf(endpoints),
    paths,
    components: {
      schemas: alphabetically(Object.entries({ ...schemas.named, ...ERROR_SCHEMAS, ...used })),
      ...Object.fromEntries(Object.entries(others).filter(([, parts]) => Object.keys(parts).length > 0)),
    },
  }
}

/** One tag for each capability, in the order of its first endpoint. */
function tagsOf(endpoints: readonly Endpoint[]): Json[] {
  const tags = new Map(endpoints.map(({ capability }) => [capability.name, capability.description]))
  return Array.from(tags, ([name, description]) => ({ name, description }))
}

/** Without a rate limit, responses have no rate-limit headers and errors. */
const uncounted = (route: Route): Route => ({ ...route, endpoint: { ...route.endpoint, rate: 'free' } })
