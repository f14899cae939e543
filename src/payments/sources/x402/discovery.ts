import type { Endpoint } from '../../../kernel/endpoint.ts'

type Fields = Readonly<Record<string, unknown>>

/** A longer example would make every 402 long. */
const MAX_EXAMPLE_LENGTH = 600
const OBJECT = { type: 'object' } as const

/** The extension `bazaar`: how to call an endpoint. Clients send it back, and a facilitator may list the endpoint. */
export function describeEndpoint({ method, path, example }: Pick<Endpoint, 'method' | 'path' | 'example'>): object {
  const given = Object.entries(example.input as Fields)
  const isInPath = ([name]: [string, unknown]) => path.includes(`{${name}}`)
  const pathParams = Object.fromEntries(given.filter(isInPath))
  const others = Object.fromEntries(given.filter((field) => !isInPath(field)))
  const isPost = method === 'POST'
  const input: Record<string, unknown> = {
    type: 'http',
    method,
    ...(isPost ? { bodyType: 'json', body: others } : Object.keys(others).length > 0 && { queryParams: others }),
    ...(Object.keys(pathParams).length > 0 && { pathParams }),
  }
  const isShort = JSON.stringify(example.output).length <= MAX_EXAMPLE_LENGTH
  const template = path.replaceAll(/\{(\w+)\}/g, ':$1')
  return {
    info: { input, output: { type: 'json', ...(isShort && { example: example.output }) } },
    schema: createSchema(Object.keys(input), method),
    ...(template !== path && { routeTemplate: template }),
  }
}

function createSchema(fields: readonly string[], method: string): object {
  const types: Fields = {
    type: { type: 'string', const: 'http' },
    method: { type: 'string', enum: [method] },
    bodyType: { type: 'string', enum: ['json'] },
    body: OBJECT,
    queryParams: OBJECT,
    pathParams: OBJECT,
  }
  const properties = Object.fromEntries(fields.map((field) => [field, types[field]]))
  const output = { ...OBJECT, properties: { type: { type: 'string' }, example: {} }, required: ['type'] }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...OBJECT,
    properties: { input: { ...OBJECT, properties, required: fields, additionalProperties: false }, output },
    required: ['input'],
  }
}
