import type { Random } from '../../src/kernel/random.ts'
import type { Json } from '../../src/surfaces/openapi/schemas.ts'

/** Part of every invented value, so that logs and metrics can be searched for values of requests. */
export const MARK = 'quillmark'

/** How far a value is from what its schema asks for. */
export type Intent = 'valid' | 'nearly' | 'hostile'

/** Names that repeat, so that most lookups are answered from caches. */
const POOL = 150
const TLDS = ['com', 'net', 'org', 'app', 'dev', 'io', 'de', 'it', 'es', 'ru', 'eth', 'co.uk', 'nosuchtld']
/** The sandbox's words: the state of a name, then faults of the servers that are asked about it. */
const STATES = ['', '', '', 'free-', 'taken-', 'held-', 'reserved-', 'premium-', 'signed-']
const FAULTS = [
  'broken-',
  'foreign-',
  'half-',
  'cut-',
  'reset-',
  'down-',
  'redirect-',
  'dns-broken-',
  'lame-',
  'bogus-',
]
const SLOW_FAULTS = ['hang-', 'drip20-', 'slow1500-', 'huge4-', 'throttled2-', 'denied-']

export const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)]!
export const oneIn = (random: Random, count: number): boolean => random.below(count) === 0

/** A value as text, for an address. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A value for a field: from the schema and its examples if valid, a damaged one if not. */
export function valueFor(random: Random, schema: Json, example: unknown, intent: Intent): unknown {
  const valid = () => validValue(random, schema, example)
  if (intent === 'valid') return valid()
  if (intent === 'nearly') return damage(random, valid())
  return pick(random, [() => pick(random, HOSTILE)(), () => hostileText(random, textOf(valid()))])()
}

function validValue(random: Random, schema: Json, example: unknown): unknown {
  const { type, enum: values, const: only, items, minimum, exclusiveMinimum, maximum, examples = [] } = schema
  if (only !== undefined) return only
  if (Array.isArray(values)) return pick(random, values as unknown[])
  const known = [...(examples as unknown[]), ...(example === undefined ? [] : [example])]
  switch (type) {
    case 'boolean':
      return oneIn(random, 2)
    case 'integer':
    case 'number': {
      const from = Number(minimum ?? exclusiveMinimum ?? 0)
      const to = Math.min(Number(maximum ?? from + 1000), from + 100_000)
      const number = from + random.fraction() * (to - from)
      return type === 'integer' ? Math.round(number) : Math.max(number, from + 0.01)
    }
    case 'array': {
      const list = known[0] as unknown[] | undefined
      const count = oneIn(random, 20) ? random.below(60) + 1 : random.below(4) + 1
      return Array.from({ length: count }, () => validValue(random, items as Json, list?.[0]))
    }
    case 'object':
      return known.length > 0 ? pick(random, known) : {}
    default:
      return like(random, typeof known[0] === 'string' ? known[0] : 'example')
  }
}

/** The example itself, or an invented text of the same kind. */
function like(random: Random, example: string): string {
  if (/^0x|^\d|\.jpg$|_[a-c]\b/.test(example) || example.length > 40 || oneIn(random, 4)) return example
  const parts = example.split(',')
  if (parts.length > 1) return parts.map((part) => like(random, part)).join(',')
  const label = inventedLabel(random)
  if (!example.includes('.')) return example.length <= 3 ? example : label
  return `${label}.${example.endsWith('.eth') ? 'eth' : pick(random, TLDS)}`
}

function inventedLabel(random: Random): string {
  const number = oneIn(random, 10) ? random.below(1_000_000) : random.below(POOL)
  if (oneIn(random, 4_000)) return `${pick(random, SLOW_FAULTS)}${MARK}${number % 10}`
  if (oneIn(random, 60)) return `${pick(random, FAULTS)}${MARK}${number % 10}`
  return `${pick(random, STATES)}${MARK}${number}`
}

/** A small step away from a valid value. */
function damage(random: Random, value: unknown): unknown {
  if (typeof value === 'number')
    return pick(random, [-value, value + 0.5, value * 1e12, -1, 0, `${value} `, `+${value}`])
  if (typeof value === 'boolean') return pick(random, [String(value).toUpperCase(), 'yes', '', value ? 1 : 0, null])
  if (Array.isArray(value)) return pick(random, [[], [...value, null], [...value, ...value], value[0], { 0: value[0] }])
  if (typeof value === 'object') return { ...value, [MARK]: MARK }
  const text = textOf(value)
  const at = random.below(text.length + 1)
  return pick(random, [
    () => text.slice(0, at),
    () => text.slice(0, at) + pick(random, ODD_CHARACTERS) + text.slice(at),
    () => text.toUpperCase(),
    () => ` ${text}\t`,
    () => `${text}.`,
    () => `.${text}`,
    () => text.replaceAll('.', '。'),
    () => text.replace('.', '..'),
    () => `${text},${text}`,
    () => Array.from({ length: 25 }, (_, index) => text.replace(MARK, `${MARK}${index}`)).join(','),
    () => `https://${text}/`,
    () => `xn--${text}`,
    () => `-${text}`,
    () => text.repeat(random.below(8) + 1).slice(0, 260),
  ])()
}

const ODD_CHARACTERS = [
  '\0',
  '\u0001',
  '\r\n',
  '%',
  '%00',
  '\u200d',
  '\u202e',
  'ß',
  'İ',
  'ſ',
  '🦊',
  '\ud800',
  '\ufeff',
  '/',
  '\\',
  '"',
  "'",
  '<',
  '&',
  '+',
  ';',
  '*',
  '_',
  '١',
]

/** Values that break careless programs, whatever the field. */
const HOSTILE: readonly (() => unknown)[] = [
  () => null,
  () => '',
  () => [],
  () => ({}),
  () => [[[[[[[[]]]]]]]],
  () => true,
  () => -0,
  () => Number.MAX_SAFE_INTEGER + 2,
  () => 1e308,
  () => '1e400',
  () => 'NaN',
  () => 'Infinity',
  () => '0x10',
  () => '__proto__',
  () => 'constructor',
  () => 'toString',
  () => 'hasOwnProperty',
  () => '127.0.0.1',
  () => '[::1]',
  () => 'localhost',
  () => '169.254.169.254',
  () => '../../../../etc/passwd',
  () => '..%2f..%2f',
  () => "' OR '1'='1",
  () => '"; DROP TABLE payments; --',
  () => 'a* OR b NEAR(c)',
  () => '(((((((((((((((((((((((a+)+)+)+)+)+)+',
  () => '{{7*7}}',
  () => '<script>alert(1)</script>',
  () => '\r\nSet-Cookie: a=b\r\n\r\n',
]

const hostileText = (random: Random, text: string): string =>
  pick(random, [
    () => 'a'.repeat(pick(random, [63, 64, 253, 254, 1_000, 6_000])),
    () => `${MARK}.`.repeat(pick(random, [2, 30, 130, 600])),
    () => '🦊'.repeat(random.below(400) + 1),
    () => 'e\u0301\u200d'.repeat(random.below(300) + 1),
    () => ','.repeat(random.below(3_000) + 1),
    () => `${text},`.repeat(random.below(200) + 1),
    () => String.fromCodePoint(...Array.from({ length: 12 }, () => random.below(0x500) + 1)),
    () => `${text}\u2028${text}\u0000`,
    () => '%'.repeat(random.below(40) + 1),
    () => Buffer.from(random.bytes(24)).toString('latin1'),
  ])()
