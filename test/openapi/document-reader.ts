import { pathParameters, type Endpoint } from '../../src/kernel/endpoint.ts'
import type { Json } from '../../src/surfaces/openapi/schemas.ts'

/** A response after its reference is resolved. */
export type Response = {
  description: string
  headers: Json
  content?: Record<string, MediaType>
  'x-streams'?: Json
}
export type MediaType = { schema: Json; example?: unknown; examples?: Record<string, { value: Json }> }
export type Operation = Json & {
  operationId: string
  parameters?: Json[]
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, Json>
}

/** Resolves a reference inside the document. */
export function follow(document: Json, value: Json): Json {
  if (typeof value['$ref'] !== 'string') return value
  const [hash, ...steps] = value['$ref'].split('/')
  if (hash !== '#') throw new Error(`${value['$ref']} points outside the document`)
  const found = steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document)
  if (found === undefined) throw new Error(`${value['$ref']} does not exist`)
  return found as Json
}

export const operations = (document: Json): Operation[] =>
  Object.values(document['paths'] as Record<string, Record<string, Operation>>).flatMap(({ servers: _, ...path }) =>
    Object.values(path),
  )

export const operationOf = (document: Json, { path, method }: Pick<Endpoint, 'path' | 'method'>): Operation =>
  (document['paths'] as Record<string, Record<string, Operation>>)[path]![method.toLowerCase()]!

export const responsesOf = (document: Json, operation: Operation): [number, Response][] =>
  Object.entries(operation.responses).map(([status, value]) => [Number(status), follow(document, value) as Response])

/** Every parameter and field without a description, as `listTlds: total`. */
export function undescribed(document: Json): string[] {
  return operations(document).flatMap((operation) => {
    const parameters = (operation.parameters ?? []).filter((parameter) => !parameter['description'])
    const bodies = [operation.requestBody, follow(document, operation.responses['200']!) as Response]
    const fields = bodies.flatMap((body) =>
      Object.values(body?.content ?? {}).flatMap(({ schema }) => undescribedFields(document, schema, '', new Set())),
    )
    return [...parameters.map(({ name }) => String(name)), ...fields].map(
      (field) => `${operation.operationId}: ${field}`,
    )
  })
}

function undescribedFields(document: Json, schema: Json, at: string, seen: Set<Json>): string[] {
  const target = follow(document, schema)
  if (seen.has(target)) return []
  seen.add(target)
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = target
  const fields = Object.entries(properties as Record<string, Json>).flatMap(([name, field]) => {
    const path = at === '' ? name : `${at}.${name}`
    const described = Boolean(field['description'] ?? follow(document, field)['description'])
    return [...(described ? [] : [path]), ...undescribedFields(document, field, path, seen)]
  })
  const inner = [anyOf, oneOf, allOf].flat() as Json[]
  if (isSchema(items)) fields.push(...undescribedFields(document, items, `${at}[]`, seen))
  if (isSchema(additionalProperties)) fields.push(...undescribedFields(document, additionalProperties, `${at}{}`, seen))
  return [...fields, ...inner.flatMap((one) => undescribedFields(document, one, at, seen))]
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Every `$ref` of the document with its location. */
export function references(value: unknown, at = '#'): { at: string; to: string }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' ? [{ at, to: String(inner) }] : references(inner, `${at}/${key}`),
  )
}

/** The HTTP request of an endpoint's example. */
export function exampleRequest({ method, path, example }: Endpoint): { method: string; path: string; body?: string } {
  const input = example.input as Readonly<Record<string, unknown>>
  const inPath = pathParameters(path)
  const rest = Object.entries(input).filter(([name]) => !inPath.includes(name))
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  if (method === 'POST') return { method, path: target, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams(Object.fromEntries(rest) as Record<string, string>).toString()
  return { method, path: query === '' ? target : `${target}?${query}` }
}
