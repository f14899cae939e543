import type { AskedName } from './asked-name.ts'
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
const MAX_VALUES = 50

/** Adds a value that is said for the first time. */
export function add(values: string[], value: string): void {
  if (value !== '' && values.length < MAX_VALUES && !values.includes(value)) values.push(value)
}

export function listFor<Key>(map: Map<Key, string[]>, key: Key): string[] {
  const list = map.get(key)
  if (list) return list
  const made: string[] = []
  map.set(key, made)
  return made
}

/** The domain a value names, in lower case; undefined if it names none. Without a dot, it must be the whole value. */
export function domainIn(value: string): string | undefined {
  const match = /^["'[<]*([\p{L}\p{N}_][^\s"'\])>,;:/]*)/u.exec(value)
  const name = match?.[1]?.toLowerCase().replace(/\.$/, '')
  if (name === undefined || name.length >= 300) return undefined
  // "Domain: not found" names nothing.
  return name.includes('.') || !/\s/.test(value.trim()) ? name : undefined
}

export type About = {
  readonly part: Part
  /** The answer names another domain, beside or instead of the one asked for: its sentences may be about that one. */
  readonly namesAnother: boolean
}

/** The part about the domain asked for: it has the domain's name, or no name at all. Empty if there is none. */
export function partAbout(parts: readonly Part[], asked: AskedName): About {
  const own = parts.find((part) => [...part.names].some((name) => asked.is(name)))
  const named = parts.filter((part) => part.names.size > 0)
  const part = own ?? (named.length === 0 ? parts[0] : undefined) ?? newPart()
  const namesAnother = named.some(({ names }) => [...names].some((name) => !asked.is(name) && name !== asked.tld))
  return { part, namesAnother }
}
