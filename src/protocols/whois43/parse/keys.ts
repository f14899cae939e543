import { ATTRIBUTE_WORDS, FIELD_WORDS, FILLERS, ROLE_WORDS } from './vocabulary.ts'

export type Field = keyof typeof FIELD_WORDS
export type Role = keyof typeof ROLE_WORDS
export type Attribute = keyof typeof ATTRIBUTE_WORDS

/** What a key speaks of: the domain, somebody, something of somebody, or something of whoever is meant here. */
export type Meaning =
  | { readonly of: 'domain'; readonly field: Field }
  | { readonly of: 'role'; readonly role: Role; readonly attribute: Attribute | undefined }
  | { readonly of: 'whoever'; readonly attribute: Attribute }

const MAX_KEY_LENGTH = 80
const MAX_WORDS = 9
/** Registries use a few hundred keys in all. */
const MOST_KNOWN = 2000

const known = new Map<string, Meaning | undefined>()

/** What a key speaks of; undefined where we do not know it. Remembers what it read: answers repeat their keys. */
export function meaningOf(label: string): Meaning | undefined {
  if (known.has(label)) return known.get(label)
  // Beyond that only an explanation in brackets can be part of a key.
  const key = label.length > MAX_KEY_LENGTH ? label.slice(0, label.indexOf('(')) : label
  const meaning = key === '' || key.length > MAX_KEY_LENGTH ? undefined : readLabel(key)
  // Somebody who sends keys without end makes us forget, not grow.
  if (known.size === MOST_KNOWN) known.clear()
  if (label.length <= MAX_KEY_LENGTH) known.set(label, meaning)
  return meaning
}

/** Lower case, no accents, no punctuation, no counting: `2. Name-Server_03` and `name server` are one key. */
export function normaliseKey(label: string): string {
  const lower = label.toLowerCase()
  const key = isAscii(lower)
    ? lower.replace(/[^a-z0-9]+/g, ' ').trim()
    : lower
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .normalize('NFC')
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
  // A number before a word's end counts servers (`ns1 hostname`); one at the end counts anything.
  return /\d/.test(key) ? key.replace(/\b(ns|dns|nameserver|server) ?\d{1,2}\b/g, '$1').replace(/ ?\d{1,2}$/, '') : key
}

function readLabel(label: string): Meaning | undefined {
  // Bilingual keys: `Titular / Registrant`, `Contacto Técnico (Technical Contact)`, `Created (dd/mm/yyyy)`.
  const beside = label.indexOf(' / ')
  if (beside > 0) return readLabel(label.slice(beside + 3)) ?? readLabel(label.slice(0, beside))
  const open = label.indexOf('(')
  if (open > 0) {
    const close = label.indexOf(')', open)
    const inside = label.slice(open + 1, close === -1 ? undefined : close)
    return readLabel(label.slice(0, open)) ?? meaningOfKey(normaliseKey(inside))
  }
  const whole = meaningOfKey(normaliseKey(label))
  if (whole) return whole
  const slash = label.indexOf('/')
  if (slash > 0)
    return meaningOfKey(normaliseKey(label.slice(slash + 1))) ?? meaningOfKey(normaliseKey(label.slice(0, slash)))
  const comma = label.indexOf(',')
  return comma > 0 ? meaningOfKey(normaliseKey(label.slice(0, comma))) : undefined
}

function meaningOfKey(key: string): Meaning | undefined {
  const exact = WHOLE_KEYS.get(key)
  if (exact) return exact
  const words = key.split(' ')
  if (words.length > MAX_WORDS) return undefined
  if (words[0] === 'registry' && words.length > 1) return meaningOfKey(words.slice(1).join(' '))
  if (!ROLE_STARTS.has(words[0]!)) return undefined
  for (let count = Math.min(4, words.length - 1); count > 0; count--) {
    const start = words.slice(0, count).join(' ')
    const role = ROLES.get(start) ?? PREFIXES.get(start)
    if (role) return { of: 'role', role, attribute: attributeOf(words.slice(count)) }
  }
  return undefined
}

/** What remains of a key after whom it is about; undefined where only fillers remain. */
function attributeOf(words: readonly string[]): Attribute | undefined {
  const whole = ATTRIBUTES.get(words.join(' '))
  if (whole) return whole
  const telling = words.filter((word) => !FILLERS.has(word))
  return telling.length === 0 ? undefined : (ATTRIBUTES.get(telling.join(' ')) ?? 'other')
}

const isAscii = (text: string): boolean => !/[^\u0000-\u007f]/.test(text) // oxlint-disable-line no-control-regex

const ROLES = index(ROLE_WORDS)
const ATTRIBUTES = index(ATTRIBUTE_WORDS)
/** Whom they speak of only before another word: `org-country`; alone they are attributes. */
const PREFIXES: ReadonlyMap<string, Role> = new Map([['org', 'registrant']])
/** Most keys say nothing of anybody: this tells without trying. */
const ROLE_STARTS: ReadonlySet<string> = new Set(
  [...ROLES.keys(), ...PREFIXES.keys()].map((words) => words.split(' ')[0]!),
)

const WHOLE_KEYS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...[...ATTRIBUTES].map(([key, attribute]): [string, Meaning] => [key, { of: 'whoever', attribute }]),
  ...[...ROLES].map(([key, role]): [string, Meaning] => [key, { of: 'role', role, attribute: undefined }]),
  // One register calls its holders just contacts.
  ['contact organization', { of: 'role', role: 'registrant', attribute: 'organization' }],
  ...[...index(FIELD_WORDS)].map(([key, field]): [string, Meaning] => [key, { of: 'domain', field }]),
])

function index<Kind extends string>(words: Readonly<Record<Kind, readonly string[]>>): ReadonlyMap<string, Kind> {
  const entries = Object.entries(words) as [Kind, readonly string[]][]
  return new Map(entries.flatMap(([kind, list]) => list.map((word): [string, Kind] => [normaliseKey(word), kind])))
}
