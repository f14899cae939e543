/** Parts that differ between runs, with the placeholder they are compared as. The first match wins. */
const VARIABLES: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, '<time>'],
  [/0x[0-9a-fA-F]{8,}/, '<hex>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, '<id>'],
  [/https?:\/\/(127\.0\.0\.1|localhost):\d+/, '<url>'],
  [/\d+([.,](?!0x)\d+)*/, '<number>'],
]
const ANY_VARIABLE = new RegExp(VARIABLES.map(([pattern]) => `(?:${pattern.source})`).join('|'), 'g')

const withoutVariables = (text: string): string =>
  text.replaceAll(ANY_VARIABLE, (found) => VARIABLES.find(([pattern]) => pattern.exec(found)?.[0] === found)![1])

/**
 * The first difference in shape between an output and the one a page shows; null if they match. In JSON, keys, texts
 * and booleans must be equal, times, ids and numbers only of the same kind. `…` matches anything.
 */
export function shapeDifference(shown: string, actual: string): string | null {
  const [wanted, got] = [shown.trim(), actual.trim()]
  const [wantedLines, gotLines] = [wanted.split('\n'), got.split('\n')]
  if (parseJson(wanted)) return jsonDifference(parseJson(wanted)!.value, parseJson(got)?.value, '$')
  if (wantedLines.length === gotLines.length && wantedLines.every((line) => parseJson(line))) {
    const differences = wantedLines.map((line, at) => shapeDifference(line, gotLines[at]!))
    return differences.find((difference) => difference !== null) ?? null
  }
  return matches(wanted, got) ? null : `shown:\n${wanted}\ngot:\n${got}`
}

const matches = (shown: string, actual: string): boolean =>
  new RegExp(`^${withoutVariables(shown).split('…').map(RegExp.escape).join('[^]*')}$`).test(withoutVariables(actual))

function jsonDifference(shown: unknown, actual: unknown, path: string): string | null {
  const differ = () => `${path}: shown ${JSON.stringify(shown)}, got ${JSON.stringify(actual)}`
  if (typeof shown === 'string') return typeof actual === 'string' && matches(shown, actual) ? null : differ()
  if (typeof shown === 'number') return typeof actual === 'number' ? null : differ()
  if (typeof shown !== 'object' || shown === null) return shown === actual ? null : differ()
  if (typeof actual !== 'object' || actual === null || Array.isArray(shown) !== Array.isArray(actual)) return differ()
  const [wanted, got] = [Object.entries(shown), actual as Record<string, unknown>]
  if (Object.keys(shown).join() !== Object.keys(actual).join()) return differ()
  const differences = wanted.map(([key, value]) => jsonDifference(value, got[key], `${path}.${key}`))
  return differences.find((difference) => difference !== null) ?? null
}

function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}
