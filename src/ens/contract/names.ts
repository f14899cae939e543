import { z } from 'zod'
import { asList } from '../../kernel/field-values.ts'

declare const checked: unique symbol
/** The label of a name directly under .eth: lower case, ASCII, without `.eth`. Only `parseEnsName` makes one. */
export type EnsName = string & { readonly [checked]: 'ens' }

export type EnsReading =
  | { readonly ok: true; readonly name: EnsName }
  | { readonly ok: false; readonly problem: string }

const SHORTEST = 3
const LONGEST = 63
/** Most names one question may have. */
const MAX_NAMES = 50

export const withEth = (name: EnsName): string => `${name}.eth`

/**
 * Reads a name with or without `.eth`. For the characters the contract of this API allows, ENSIP-15 changes nothing and
 * refuses only one thing more: hyphens as third and fourth character, which belong to encodings such as `xn--`.
 */
export function parseEnsName(text: string): EnsReading {
  const label = text
    .trim()
    .toLowerCase()
    .replace(/\.eth$/, '')
  const problem = problemOf(label)
  return problem === undefined ? { ok: true, name: label as EnsName } : { ok: false, problem }
}

function problemOf(label: string): string | undefined {
  if (label === '') return 'is empty; give a name such as example or example.eth.'
  if (label.length > LONGEST) return `is ${label.length} characters long; a name has at most ${LONGEST}.`
  if (label.includes('.')) return 'has a dot in it; only names directly under .eth are supported, such as example.eth.'
  if (!/^[a-z0-9-]*$/.test(label)) return 'may have only letters a to z, digits and hyphens.'
  if (label.length < SHORTEST) return `is shorter than ${SHORTEST} characters, the least ENS allows.`
  if (label.startsWith('-') || label.endsWith('-')) return 'may not start or end with a hyphen.'
  if (label.startsWith('--', 2)) return 'may not have hyphens as its third and fourth character (ENSIP-15).'
  return undefined
}

const nameMeta = { description: 'ENS name, with or without `.eth`.', examples: ['example'] }
const namesMeta = {
  description: `Several ENS names at once, comma-separated, ${MAX_NAMES} at most; instead of \`name\`.`,
  examples: ['example.eth,another.eth'],
}

// The meta stands twice: JSON Schema is made from what goes in (the text), complaints read the field as a whole.

/** A field of an endpoint's input that holds one name. */
export const ensNameField = z
  .string()
  .meta(nameMeta)
  .transform((text, context) => {
    const reading = parseEnsName(text)
    if (reading.ok) return reading.name
    context.issues.push({ code: 'custom', message: reading.problem, input: text })
    return z.NEVER
  })
  .meta(nameMeta)

/** One that holds a list of names; repeats are merged. */
export const ensNamesField = asList(z.string().meta(namesMeta))
  .transform((text, context): readonly EnsName[] => {
    const names = new Set<EnsName>()
    const complain = (message: string) => {
      context.issues.push({ code: 'custom', message, input: text })
      return z.NEVER
    }
    for (const part of text.split(',')) {
      if (part.trim() === '') continue
      const reading = parseEnsName(part)
      if (!reading.ok) return complain(`has ${JSON.stringify(part.trim().slice(0, 80))}, which ${reading.problem}`)
      names.add(reading.name)
      if (names.size > MAX_NAMES) return complain(`has more than ${MAX_NAMES} names.`)
    }
    return names.size > 0 ? [...names] : complain('has no name in it.')
  })
  .meta(namesMeta)
