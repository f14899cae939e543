import type { AskedName } from './asked-name.ts'
import type { Attribute, Field, Role } from './keys.ts'

/** The values of one contact or object, grouped by attribute. */
export type Party = {
  /** `contact` if the role is only known through its handle; `domain` for attributes next to the domain's own. */
  readonly role: Role | 'contact'
  /** `itself` is the value of the role key: `Registrar: Example Ltd`. */
  readonly values: Map<Attribute | 'itself', string[]>
  /** Lines without a key below the heading. */
  readonly lines: string[]
}

/** Everything an answer says about one domain. An answer may have records for several domains. */
export type DomainRecord = {
  /** Every spelling of the domain. */
  readonly names: Set<string>
  readonly fields: Map<Field, string[]>
  readonly parties: Party[]
}

export const createDomainRecord = (domain?: string): DomainRecord => ({
  names: new Set(domain === undefined ? [] : [domain]),
  fields: new Map(),
  parties: [],
})

export const createParty = (role: Party['role']): Party => ({ role, values: new Map(), lines: [] })

/** More than any domain has; further values are discarded. */
const MAX_VALUES = 50

/** Adds a value unless it is empty, a duplicate, or above the limit. */
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

/** The domain in a value, in lower case; undefined if there is none. A name without a dot must be the whole value. */
export function domainIn(value: string): string | undefined {
  const match = /^["'[<]*([\p{L}\p{N}_][^\s"'\])>,;:/]*)/u.exec(value)
  const name = match?.[1]?.toLowerCase().replace(/\.$/, '')
  if (name === undefined || name.length >= 300) return undefined
  // "Domain: not found" has no domain.
  return name.includes('.') || !/\s/.test(value.trim()) ? name : undefined
}

export type SelectedRecord = {
  readonly record: DomainRecord
  /** The answer names another domain, so its sentences may be about that one. */
  readonly namesAnother: boolean
}

/** The record of the queried domain: the one with its name, else the one without any name, else an empty record. */
export function selectRecord(records: readonly DomainRecord[], asked: AskedName): SelectedRecord {
  const own = records.find((record) => [...record.names].some((name) => asked.is(name)))
  const named = records.filter((record) => record.names.size > 0)
  const record = own ?? (named.length === 0 ? records[0] : undefined) ?? createDomainRecord()
  const namesAnother = named.some(({ names }) => [...names].some((name) => !asked.is(name) && name !== asked.tld))
  return { record, namesAnother }
}
