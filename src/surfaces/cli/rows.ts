import * as z from 'zod'

type Json = Readonly<Record<string, unknown>>
export type Cell = string | number | boolean | null
/** One row of a table: nested objects flattened to `outer.inner`, lists joined. */
export type Row = ReadonlyMap<string, Cell>
export type Table = { readonly name: string; readonly columns: readonly string[]; readonly rows: readonly Row[] }

/** A result as tables, the main one first, and the remaining fields. `items` are the rows of the main table. */
export type TabularResult = {
  readonly fields: Row
  readonly tables: readonly Table[]
  readonly items: readonly unknown[] | null
}

/**
 * Splits a result into tables and fields. The output schema says which lists are tables, so that the main table and its
 * columns are the same even if it is empty. Lists that the schema does not describe are tables if they contain objects.
 */
export function toTabular(body: unknown, schema: z.ZodType): TabularResult {
  if (!isObject(body)) {
    const items = Array.isArray(body) ? body : [body]
    return { fields: new Map(), tables: [toTable('', [], items)], items }
  }
  const described = schemaTables(schema)
  const names = [...described.keys(), ...Object.keys(body).filter((name) => !described.has(name) && isRows(body[name]))]
  const present = names.filter((name) => Array.isArray(body[name]))
  const tables = present.map((name) => toTable(name, described.get(name) ?? [], body[name] as unknown[]))
  const rest = Object.entries(body).filter(([name]) => !present.includes(name))
  const main = present[0]
  return {
    fields: flatten(Object.fromEntries(rest)),
    tables,
    items: main === undefined ? null : (body[main] as unknown[]),
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isRows = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isObject)

function toTable(name: string, knownColumns: readonly string[], items: readonly unknown[]): Table {
  const rows = items.map((item) => (isObject(item) ? flatten(item) : new Map([['value', toCell(item)]])))
  const columns = new Set([...knownColumns, ...rows.flatMap((row) => [...row.keys()])])
  return { name, columns: [...columns], rows }
}

function flatten(value: Json, prefix = ''): Map<string, Cell> {
  return new Map(
    Object.entries(value).flatMap(([name, inner]): [string, Cell][] => {
      if (inner === undefined) return []
      return isObject(inner) ? [...flatten(inner, `${prefix}${name}.`)] : [[prefix + name, toCell(inner)]]
    }),
  )
}

function toCell(value: unknown): Cell {
  if (Array.isArray(value)) return value.map(formatEntry).join(', ')
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** An entry of a list inside a cell; of an object the values are shown. */
const formatEntry = (entry: unknown): string =>
  isObject(entry) ? [...flatten(entry).values()].map(String).join(' ') : String(toCell(entry))

/** Every list of objects at the top level of the schema, with its columns. */
function schemaTables(schema: z.ZodType): Map<string, string[]> {
  const root = z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json
  const tables = new Map<string, string[]>()
  for (const [name, property] of properties(root, root)) {
    for (const list of alternatives(property, root)) {
      if (list['type'] !== 'array') continue
      const columns = columnsOf(list['items'], root)
      if (columns.length > 0) tables.set(name, [...new Set([...(tables.get(name) ?? []), ...columns])])
    }
  }
  return tables
}

/** The schemas that a schema's references, unions and intersections lead to; itself if it has none. */
function alternatives(schema: unknown, root: Json, depth = 0): Json[] {
  if (!isObject(schema) || depth > 8) return []
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const target = reference.replace('#', '').split('/').filter(Boolean)
    return alternatives(
      target.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), root),
      root,
      depth + 1,
    )
  }
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => (Array.isArray(schema[word]) ? schema[word] : []))
  return branches.length === 0 ? [schema] : branches.flatMap((branch) => alternatives(branch, root, depth + 1))
}

const properties = (schema: unknown, root: Json): [string, unknown][] =>
  alternatives(schema, root).flatMap(({ properties }) => (isObject(properties) ? Object.entries(properties) : []))

function columnsOf(schema: unknown, root: Json, depth = 0): string[] {
  const columns = properties(schema, root).flatMap(([name, property]) => {
    const nested = depth < 4 ? columnsOf(property, root, depth + 1) : []
    return nested.length === 0 ? [name] : nested.map((inner) => `${name}.${inner}`)
  })
  return [...new Set(columns)]
}
