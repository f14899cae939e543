/** Deeper values are refused: they would exhaust the stack, and nothing we sign is nested like that. */
const MAX_DEPTH = 32

/** The canonical form of a JSON value (RFC 8785): equal values have equal text. Throws RangeError if it is nested too deep. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (depth === MAX_DEPTH) throw new RangeError('the value is nested too deep')
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`
  const fields = value as Readonly<Record<string, unknown>>
  // Sorted by UTF-16 code units, as the RFC wants and `toSorted` does.
  const members = Object.keys(fields)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(fields[name], depth + 1)}`)
  return `{${members.join(',')}}`
}
