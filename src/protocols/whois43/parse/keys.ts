import { ATTRIBUTE_WORDS, FIELD_WORDS, FILLERS, ROLE_WORDS } from './vocabulary.ts'

export type Field = keyof typeof FIELD_WORDS
export type Role = keyof typeof ROLE_WORDS
export type Attribute = keyof typeof ATTRIBUTE_WORDS

/** What a key is about: a field of the domain, a role or its attribute, or an attribute whose role the context gives. */
export type Meaning =
  | { readonly of: 'domain'; readonly field: Field }
  | { readonly of: 'role'; readonly role: Role; readonly attribute: Attribute | undefined }
  | { readonly of: 'unspecified'; readonly attribute: Attribute }

const MAX_KEY_LENGTH = 80
const MAX_WORDS = 9
/** Registries use a few hundred different keys. */
const MAX_CACHED_KEYS = 2000

const cache = new Map<string, Meaning | undefined>()

/** The meaning of a key; undefined if unknown. Cached, because answers repeat their keys. */
export function meaningOf(label: string): Meaning | undefined {
  if (cache.has(label)) return cache.get(label)
  // A longer label is a key only if the excess is an explanation in brackets.
  const key = label.length > MAX_KEY_LENGTH ? label.slice(0, label.indexOf('(')) : label
  const meaning = key === '' || key.length > MAX_KEY_LENGTH ? undefined : readLabel(key)
  // Bounds memory against servers that send endless different keys.
  if (cache.size === MAX_CACHED_KEYS) cache.clear()
  if (label.length <= MAX_KEY_LENGTH) cache.set(label, meaning)
  return meaning
}

/** Removes case, accents, punctuation and numbering: `2. Name-Server_03` and `name server` are the same key. */
export function normalizeKey(label: string): string {
  const lower = label.toLowerCase()
  const key = isAscii(lower)
    ? lower.replace(/[^a-z0-9]+/g, ' ').trim()
    : lower
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .normalize('NFC')
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
  // Numbering after a server word (`ns1 hostname`) or at the end of the key.
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
    return readLabel(label.slice(0, open)) ?? meaningOfKey(normalizeKey(inside))
  }
  const whole = meaningOfKey(normalizeKey(label))
  if (whole) return whole
  const slash = label.indexOf('/')
  if (slash > 0)
    return meaningOfKey(normalizeKey(label.slice(slash + 1))) ?? meaningOfKey(normalizeKey(label.slice(0, slash)))
  const comma = label.indexOf(',')
  return comma > 0 ? meaningOfKey(normalizeKey(label.slice(0, comma))) : undefined
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

/** The attribute in the words after the role; undefined if only fillers remain. */
function attributeOf(words: readonly string[]): Attribute | undefined {
  const whole = ATTRIBUTES.get(words.join(' '))
  if (whole) return whole
  const telling = words.filter((word) => !FILLERS.has(word))
  return telling.length === 0 ? undefined : (ATTRIBUTES.get(telling.join(' ')) ?? 'other')
}

const isAscii = (text: string): boolean => !/[^\u0000-\u007f]/.test(text) // oxlint-disable-line no-control-regex

const ROLES = index(ROLE_WORDS)
const ATTRIBUTES = index(ATTRIBUTE_WORDS)
/** Roles only as a prefix (`org-country`); alone they are attributes. */
const PREFIXES: ReadonlyMap<string, Role> = new Map([['org', 'registrant']])
/** First words of all roles: a quick check, since most keys have no role. */
const ROLE_STARTS: ReadonlySet<string> = new Set(
  [...ROLES.keys(), ...PREFIXES.keys()].map((words) => words.split(' ')[0]!),
)

const WHOLE_KEYS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...[...ATTRIBUTES].map(([key, attribute]): [string, Meaning] => [key, { of: 'unspecified', attribute }]),
  ...[...ROLES].map(([key, role]): [string, Meaning] => [key, { of: 'role', role, attribute: undefined }]),
  // One registry calls its registrants contacts.
  ['contact organization', { of: 'role', role: 'registrant', attribute: 'organization' }],
  ...[...index(FIELD_WORDS)].map(([key, field]): [string, Meaning] => [key, { of: 'domain', field }]),
])

function index<Kind extends string>(words: Readonly<Record<Kind, readonly string[]>>): ReadonlyMap<string, Kind> {
  const entries = Object.entries(words) as [Kind, readonly string[]][]
  return new Map(entries.flatMap(([kind, list]) => list.map((word): [string, Kind] => [normalizeKey(word), kind])))
}
