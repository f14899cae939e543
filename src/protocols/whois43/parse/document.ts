import type { Attribute, Field, Role } from './keys.ts'

/** What was said of one person, company or object, under the words it was said in. */
export type Party = {
  /** `contact` where only its handle tells whom it belongs to; `domain` for what stands beside the domain itself. */
  readonly role: Role | 'contact'
  /** `itself` is the value of the role's own key: `Registrar: Example Ltd`. */
  readonly values: Map<Attribute | 'itself', string[]>
  /** Lines without a key below its heading. */
  readonly lines: string[]
}

/** Everything an answer says of one domain. Answers about several domains have several parts. */
export type Part = {
  /** Every spelling of it. */
  readonly names: Set<string>
  readonly fields: Map<Field, string[]>
  readonly parties: Party[]
}

export const newPart = (domain?: string): Part => ({
  names: new Set(domain === undefined ? [] : [domain]),
  fields: new Map(),
  parties: [],
})

export const newParty = (role: Party['role']): Party => ({ role, values: new Map(), lines: [] })

/** More than any domain has of anything; the rest is not kept. */
const MOST_VALUES = 50

/** Adds a value that is said for the first time. */
export function add(values: string[], value: string): void {
  if (value !== '' && values.length < MOST_VALUES && !values.includes(value)) values.push(value)
}

export function listFor<Key>(map: Map<Key, string[]>, key: Key): string[] {
  const list = map.get(key)
  if (list) return list
  const made: string[] = []
  map.set(key, made)
  return made
}

/** The domain a value names, as we compare domains; undefined where it names none. */
export function domainIn(value: string): string | undefined {
  const word = /^["'[<]*([\p{L}\p{N}_][^\s"'\])>,;:/]*)/u.exec(value)?.[1]?.toLowerCase().replace(/\.$/, '')
  return word !== undefined && word.length < 300 ? word : undefined
}

/**
 * The part about the domain asked for. A single part under another name is that name's other spelling; several, or the
 * record of the TLD itself, are no answer to the question.
 */
export function partAbout(parts: readonly Part[], { domain, tld }: { domain: string; tld: string }): Part {
  const exact = parts.find((part) => part.names.has(domain))
  if (exact) return exact
  const others = parts.filter((part) => !part.names.has(tld))
  return others.length === 1 ? others[0]! : newPart()
}
