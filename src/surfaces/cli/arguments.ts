import { parseArgs } from 'node:util'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { parseTextField, textFieldKinds } from '../../kernel/input.ts'
import type { Field } from './fields.ts'
import { COMMON_OPTIONS, fieldsOf } from './fields.ts'
import { closestMatch } from '../../kernel/closest-match.ts'
import { neutralise } from './text.ts'

/** The command line is invalid. The message is for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type Format = 'human' | 'json' | 'ndjson' | 'csv'
const FORMATS = ['json', 'ndjson', 'csv'] as const

/** The common options, as they were given. */
export type Common = { readonly format: Format | undefined; readonly color: boolean; readonly help: boolean }
export type Arguments = Common & { readonly raw: Readonly<Record<string, unknown>> }

/** Parses the arguments of a command: values for its input, and the common options. */
export function parseArguments(
  endpoint: Pick<Endpoint, 'name' | 'input' | 'path' | 'argument'>,
  argv: readonly string[],
): Arguments {
  const fields = fieldsOf(endpoint)
  const byOption = new Map(fields.map((field) => [field.option, field]))
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(
        fields.map(({ option, kind }) => [option, { type: kind === 'boolean' ? 'boolean' : 'string' } as const]),
      ),
    },
  })

  const texts = new Map<Field, string>()
  const flags = new Set<string>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { rawName, value, inlineValue } = token
    if (Object.hasOwn(COMMON_OPTIONS, token.name)) {
      if (inlineValue) throw new UsageError(`${rawName} takes no value.`)
      flags.add(token.name)
      continue
    }
    const [field, text] = parseOption(token.name, rawName, value, inlineValue === true, byOption)
    const before = texts.get(field)
    if (before !== undefined && field.kind !== 'list') throw new UsageError(`--${field.option} was given twice.`)
    texts.set(field, before === undefined ? text : `${before},${text}`)
  }
  const open = fields.filter((field) => field.positional && !texts.has(field))
  for (const [at, text] of positionals.entries()) {
    const field = open[at] ?? fields.find(({ name }) => name === endpoint.argument?.field(text))
    if (!field || texts.has(field)) throw new UsageError(`${quote(text)} is one argument too many.`)
    texts.set(field, text)
  }
  const reader = textFieldKinds(endpoint.input)
  const parse = ([field, text]: [Field, string]): [string, unknown] =>
    field.kind === 'json'
      ? [field.name, parseJson(field, text)]
      : [field.name, parseTextField(reader[field.name]!, text)]
  return { raw: Object.fromEntries([...texts].map(parse)), ...commonOf(flags) }
}

function commonOf(flags: ReadonlySet<string>): Common {
  const formats = FORMATS.filter((format) => flags.has(format))
  if (formats.length > 1) throw new UsageError(`Choose one of ${formats.map((format) => `--${format}`).join(' and ')}.`)
  return { format: formats[0], color: !flags.has('no-color'), help: flags.has('help') }
}

/** The field that an option names, and its value. */
function parseOption(
  name: string,
  rawName: string,
  value: string | undefined,
  inline: boolean,
  byOption: ReadonlyMap<string, Field>,
): [Field, string] {
  const negated = name.startsWith('no-') ? byOption.get(name.slice(3)) : undefined
  const field = byOption.get(name) ?? (negated?.kind === 'boolean' ? negated : undefined)
  if (!field) throw new UsageError(unknownOption(rawName, byOption))
  if (field.kind === 'boolean') {
    if (inline)
      throw new UsageError(`${rawName} takes no value; --${field.option} is true, --no-${field.option} false.`)
    return [field, name === field.option ? 'true' : 'false']
  }
  // `--domain --json` is a forgotten value, not a domain called --json; `--domain=--json` means that.
  if (value === undefined || (!inline && value.startsWith('--'))) throw new UsageError(`${rawName} needs a value.`)
  return [field, value]
}

function unknownOption(rawName: string, byOption: ReadonlyMap<string, Field>): string {
  const guess = closestMatch(rawName.replace(/^-+/, ''), [...byOption.keys(), ...Object.keys(COMMON_OPTIONS)])
  return `There is no option ${quote(rawName)}${guess === undefined ? '.' : `; did you mean --${guess}?`}`
}

function parseJson({ option }: Field, text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`--${option} must be JSON, not ${quote(text)}.`, { cause })
  }
}

export function quote(text: string): string {
  const safe = neutralise(text)
  return `"${safe.length > 80 ? `${safe.slice(0, 80)}…` : safe}"`
}
