import * as z from 'zod'
import { asList } from '../../kernel/field-values.ts'

declare const checked: unique symbol
/** Label of a name directly under .eth: lower case, ASCII, without `.eth`. Only `parseEnsName` creates one. */
export type EnsName = string & { readonly [checked]: 'ens' }

export type ParsedEnsName =
  | { readonly ok: true; readonly name: EnsName }
  | { readonly ok: false; readonly problem: string }

const MIN_LABEL_LENGTH = 3
const MAX_LABEL_LENGTH = 63
const MAX_NAMES_PER_REQUEST = 50

export const withEth = (name: EnsName): string => `${name}.eth`

/**
 * Parses a name with or without `.eth`. Only a–z, 0–9 and hyphens are allowed. For these ENSIP-15 normalization changes
 * nothing, and it rejects one thing: hyphens as third and fourth character, reserved for encodings such as `xn--`.
 */
export function parseEnsName(text: string): ParsedEnsName {
  const label = text
    .trim()
    .toLowerCase()
    .replace(/\.eth$/, '')
  const problem = problemOf(label)
  return problem === undefined ? { ok: true, name: label as EnsName } : { ok: false, problem }
}

function problemOf(label: string): string | undefined {
  if (label === '') return 'is empty; give a name such as example or example.eth.'
  if (label.length > MAX_LABEL_LENGTH)
    return `is ${label.length} characters long; a name has at most ${MAX_LABEL_LENGTH}.`
  if (label.includes('.')) return 'contains a dot; only names directly under .eth are supported, such as example.eth.'
  if (!/^[a-z0-9-]*$/.test(label)) return 'may contain only the letters a to z, digits and hyphens.'
  if (label.length < MIN_LABEL_LENGTH) return `is too short; ENS names have at least ${MIN_LABEL_LENGTH} characters.`
  if (label.startsWith('-') || label.endsWith('-')) return 'may not start or end with a hyphen.'
  if (label.startsWith('--', 2)) return 'may not have hyphens as its third and fourth characters (ENSIP-15).'
  return undefined
}

const nameMeta = { description: 'ENS name, with or without `.eth`.', examples: ['example'] }
const namesMeta = {
  description: `Several ENS names at once, comma-separated, ${MAX_NAMES_PER_REQUEST} at most; instead of \`name\`.`,
  examples: ['example.eth,another.eth'],
}

// The meta is set twice: JSON Schema is generated from the input (the string), error messages use the whole field.

/** An input field that holds one name. */
export const ensNameField = z
  .string()
  .meta(nameMeta)
  .transform((text, context) => {
    const parsed = parseEnsName(text)
    if (parsed.ok) return parsed.name
    context.issues.push({ code: 'custom', message: parsed.problem, input: text })
    return z.NEVER
  })
  .meta(nameMeta)

/** An input field that holds a comma-separated list of names; duplicates are merged. */
export const ensNamesField = asList(z.string().meta(namesMeta))
  .transform((text, context): readonly EnsName[] => {
    const names = new Set<EnsName>()
    const complain = (message: string) => {
      context.issues.push({ code: 'custom', message, input: text })
      return z.NEVER
    }
    for (const part of text.split(',')) {
      if (part.trim() === '') continue
      const parsed = parseEnsName(part)
      if (!parsed.ok) return complain(`contains ${JSON.stringify(part.trim().slice(0, 80))}, which ${parsed.problem}`)
      names.add(parsed.name)
      if (names.size > MAX_NAMES_PER_REQUEST) return complain(`has more than ${MAX_NAMES_PER_REQUEST} names.`)
    }
    return names.size > 0 ? [...names] : complain('contains no name.')
  })
  .meta(namesMeta)
