import * as z from 'zod'
import { type Endpoint, pathParameters, type Route } from '../../kernel/endpoint.ts'
import { acceptsCredit, IDEMPOTENCY_KEY, PAYMENT_TOKEN } from './credit.ts'
import type { Components } from './components.ts'
import { memberSchemasOf } from './error-responses.ts'
import { paymentInfo, type WayToPay } from './payment-info.ts'
import { paymentSecurity } from './payment-required.ts'
import { responsesOf } from './responses.ts'
import { type Json, resolve, type Schemas } from './schemas.ts'

/** The zod schemas of an endpoint, under unique keys. */
export function schemasOf(endpoint: Endpoint): Record<string, z.ZodType> {
  const { parameters, body, output } = keysOf(endpoint)
  const inPath = pathParameters(endpoint.path)
  const fields = Object.entries(endpoint.input.shape)
  const pick = (wanted: (name: string) => boolean) =>
    z.object(Object.fromEntries(fields.filter(([name]) => wanted(name))))
  const members = memberSchemasOf(endpoint)
  if (endpoint.method === 'GET') return { ...members, [parameters]: pick(() => true), [output]: endpoint.output }
  return {
    ...members,
    [parameters]: pick((name) => inPath.includes(name)),
    [body]: inPath.length > 0 ? pick((name) => !inPath.includes(name)) : endpoint.input,
    [output]: endpoint.output,
  }
}

/** Includes the name, because the two servers have different endpoints at one path. */
const keysOf = ({ name, method, path }: Endpoint) => ({
  parameters: `${name} ${method} ${path} parameters`,
  body: `${name} ${method} ${path} body`,
  output: `${name} ${method} ${path} output`,
})

/** One operation of the document. */
export function operationOf(
  route: Route,
  schemas: Schemas,
  components: Components,
  waysToPay: readonly WayToPay[],
): Json {
  const { endpoint } = route
  const { name, capability, summary, deprecated, price, example } = endpoint
  const keys = keysOf(endpoint)
  const parameters = [
    ...parametersOf(endpoint, schemas.byKey[keys.parameters]!, schemas),
    ...(acceptsCredit(endpoint) ? [IDEMPOTENCY_KEY] : []),
    ...(endpoint.sellsCredit ? [PAYMENT_TOKEN] : []),
  ]
  const body = schemas.byKey[keys.body]
  const output = schemas.byKey[keys.output]!
  return {
    operationId: name,
    tags: [capability.name],
    summary,
    description: descriptionOf(endpoint),
    ...(deprecated && { deprecated: true }),
    ...(price && { 'x-price': price }),
    ...paymentInfo(endpoint, waysToPay),
    ...paymentSecurity(endpoint, components, waysToPay),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: body, example: without(example.input, pathParameters(endpoint.path)) },
        },
      },
    }),
    responses: responsesOf(
      route,
      output,
      resolve(output, schemas)['description'] ?? 'The response.',
      schemas,
      components,
    ),
  }
}

const descriptionOf = ({ description, deprecated }: Endpoint): string =>
  deprecated ? `${description}\n\nDeprecated since ${deprecated.since}: use \`${deprecated.successor}\`.` : description

function parametersOf({ path, example }: Endpoint, { properties, required }: Json, schemas: Schemas): Json[] {
  const inPath = pathParameters(path)
  const fields = properties as Readonly<Record<string, Json>>
  const given = example.input as Readonly<Record<string, unknown>>
  const order = [...inPath, ...Object.keys(fields).filter((name) => !inPath.includes(name))]
  return order.map((name) => {
    const field = fields[name]
    if (!field) throw new Error(`${path}: {${name}} is not a field of the input`)
    const { description = resolve(field, schemas)['description'], examples, ...schema } = field
    const sample = given[name]
    return {
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name) || ((required ?? []) as string[]).includes(name),
      description,
      // The parameter examples together form one request; further examples stay in the schema.
      ...(sample === undefined
        ? { schema: { ...schema, ...(examples !== undefined && { examples }) } }
        : { schema, example: sample }),
    }
  })
}

const without = (input: object, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))
