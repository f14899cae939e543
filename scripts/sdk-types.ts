/** Types and a table of the operations for sdk/, made from the OpenAPI document, which is made from the endpoint values. */

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly description?: string
}
type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>
type Answer = { readonly $ref?: string; readonly content?: Content; readonly 'x-streams'?: object }
type Operation = {
  readonly operationId: string
  readonly summary?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses?: Readonly<Record<string, Answer>>
}
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Answer>>
  }
}

const JSON_TYPE = 'application/json'
/** Lists are sent with commas between their entries. */
const IS_LIST = /separated by commas|comma-separated/

/** The generated files of the SDK, by name. */
export function sdkFiles(document: Document): Readonly<Record<string, string>> {
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .filter(
      ({ operation, path }) =>
        operation.deprecated !== true && operation.responses?.['200']?.content?.[JSON_TYPE] && path.startsWith('/'),
    )
    .filter(({ operation }) => !operation.operationId.endsWith('AtEnsUrl'))
  const lines = operations.map(({ path, method, operation }) => {
    const streams = operation.responses?.['200']?.['x-streams'] !== undefined
    const entry = [method.toUpperCase(), path].map((text) => `'${text}'`).join(', ')
    return `  ${operation.operationId}: [${entry}${streams ? ', true' : ''}],`
  })
  const types = operations.map(({ operation }) => operationType(document, operation))
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')}`,
  )
  return {
    'operations.js': `${HEADER}/** Method, path, and whether it streams. */\nexport const OPERATIONS = {\n${lines.join('\n')}\n}\n`,
    'api.d.ts': `${HEADER}${schemas.join('\n')}\n\n/** Input, answer and error codes of every operation. */\nexport interface Operations {\n${types.join('\n')}\n}\n`,
  }
}

const HEADER = '// Made from the endpoints by `npm run build:sdk`; do not edit.\n\n'

function operationType(
  document: Document,
  { operationId, summary, parameters = [], requestBody, responses = {} }: Operation,
): string {
  const body = requestBody?.content[JSON_TYPE]?.schema ?? {}
  const fields = [
    ...parameters
      .filter((parameter) => parameter.in !== 'header')
      .map(({ name, required, description, schema }) => {
        const type = IS_LIST.test(description ?? '') ? 'string | readonly string[]' : typeOf(schema, '    ')
        return field(name, type, { isRequired: required === true, description, indent: '      ' })
      }),
    ...propertiesOf(body, '      '),
  ]
  const isOptional = parameters.every(({ required }) => required !== true) && (body.required ?? []).length === 0
  const answer = responses['200']!
  const codes = Object.entries(responses).flatMap(([status, response]) =>
    status === '200' ? [] : codesOf(document, response),
  )
  const streams = answer['x-streams'] !== undefined
  return `${comment(summary, '  ')}  ${operationId}: {
    input: {${fields.length === 0 ? '' : `\n${fields.join('\n')}\n    `}}
    isOptional: ${isOptional}
    output: ${typeOf(answer.content![JSON_TYPE]!.schema!, '    ')}
    error: ${[...new Set(codes)].toSorted().map(quoted).join(' | ')}
    streams: ${streams}
  }`
}

/** The codes that an answer may have in `error`. */
function codesOf({ components }: Document, given: Answer): string[] {
  const answer = given.$ref === undefined ? given : components.responses[given.$ref.split('/').at(-1)!]!
  const found = new Set<string>()
  const visit = (schema: Schema): void => {
    const target = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!
    const { error } = target.properties ?? {}
    for (const code of error?.enum ?? (error?.const === undefined ? [] : [error.const])) found.add(String(code))
    for (const part of [...(target.allOf ?? []), ...(target.anyOf ?? []), ...(target.oneOf ?? [])]) visit(part)
  }
  const schema = answer.content?.[JSON_TYPE]?.schema
  if (schema) visit(schema)
  return [...found]
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum)
    return schema.enum.map((value) => (typeof value === 'string' ? quoted(value) : String(value))).join(' | ')
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return [...new Set(variants.map((one) => typeOf(one, indent)))].join(' | ')
  if (schema.allOf) return schema.allOf.map((one) => bracketed(typeOf(one, indent))).join(' & ')
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => typeOf({ ...schema, type }, indent)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly ${bracketed(typeOf(schema.items ?? {}, indent))}[]`
    default:
      return objectType(schema, indent)
  }
}

function objectType(schema: Schema, indent: string): string {
  const properties = propertiesOf(schema, `${indent}  `)
  const { additionalProperties: others } = schema
  if (typeof others === 'object') {
    const rest = `Readonly<Record<string, ${typeOf(others, indent)}>>`
    return properties.length === 0 ? rest : `{\n${properties.join('\n')}\n${indent}} & ${rest}`
  }
  if (properties.length === 0) return schema.type === 'object' ? 'Readonly<Record<string, unknown>>' : 'unknown'
  return `{\n${properties.join('\n')}\n${indent}}`
}

const propertiesOf = ({ properties = {}, required = [] }: Schema, indent: string): string[] =>
  Object.entries(properties).map(([name, schema]) =>
    field(name, typeOf(schema, indent), {
      isRequired: required.includes(name),
      description: schema.description,
      indent,
    }),
  )

type FieldOptions = { readonly isRequired: boolean; readonly description?: string | undefined; readonly indent: string }

const field = (name: string, type: string, { isRequired, description, indent }: FieldOptions): string =>
  `${comment(description, indent)}${indent}readonly ${/^[a-z_]\w*$/i.test(name) ? name : quoted(name)}${isRequired ? '' : '?'}: ${type}`

const comment = (text: string | undefined, indent: string): string =>
  text === undefined || text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`
const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`
const bracketed = (type: string): string => (/[ &|]/.test(type) ? `(${type})` : type)
