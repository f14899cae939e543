import { closestMatch } from '../../kernel/closest-match.ts'
import type { Setting, SettingTable } from './table.ts'

export type Env = Readonly<Record<string, string | undefined>>
export type ReadFile = (path: string) => string

/** The parsed value of each setting. Reserved settings have none. */
export type Values<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never
}

/** A setting that the operator has set, and where its text came from. */
export type Given = {
  readonly name: string
  readonly text: string
  readonly from: 'environment' | 'secret file'
  readonly setting: Setting
}

export type Reading<Table extends SettingTable> = {
  readonly values: Values<Table>
  readonly given: ReadonlyMap<string, Given>
  /** One sentence each. If there are any, the values must not be used. */
  readonly problems: string[]
  readonly warnings: string[]
}

/** Parses all settings of a table from the environment; an unknown ONOMA_ name is a problem. */
export function readSettings<Table extends SettingTable>(table: Table, env: Env, readFile: ReadFile): Reading<Table> {
  const problems: string[] = []
  const given = new Map<string, Given>()
  const values: Record<string, unknown> = {}

  for (const [name, setting] of Object.entries(table)) {
    if (isFamily(name)) continue
    const found = findText(name, setting, env, readFile, problems)
    if (found) given.set(name, { name, setting, ...found })
    values[name] = parseValue(name, setting, found?.text, problems)
  }
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith('ONOMA_') || isKnown(table, name)) continue
    const family = Object.keys(table).find((key) => isFamily(key) && name.startsWith(key.slice(0, -1)))
    if (family === undefined) problems.push(unknownNameProblem(table, name))
    else if (isGiven(text)) given.set(name, { name, text, from: 'environment', setting: table[family]! })
  }
  const warnings = [...given.values()]
    .filter(({ setting }) => !setting.kind)
    .map(({ name }) => `${name} is set, but this version does not use it yet.`)
  return { values: values as Values<Table>, given, problems, warnings }
}

const isFamily = (name: string): boolean => name.endsWith('*')

/** An empty setting counts as unset: compose files and shells write `NAME=` for that. */
const isGiven = (text: string | undefined): text is string => text !== undefined && text.trim() !== ''

const isKnown = (table: SettingTable, name: string): boolean =>
  Object.hasOwn(table, name) || (name.endsWith('_FILE') && table[name.slice(0, -'_FILE'.length)]?.secret === true)

function findText(
  name: string,
  { secret }: Setting,
  env: Env,
  readFile: ReadFile,
  problems: string[],
): Pick<Given, 'text' | 'from'> | undefined {
  const text = env[name]
  const path = secret ? env[`${name}_FILE`]?.trim() : undefined
  if (!isGiven(path)) return isGiven(text) ? { text: text.trim(), from: 'environment' } : undefined
  if (isGiven(text)) {
    problems.push(`${name} and ${name}_FILE are both set; keep one of them.`)
    return undefined
  }
  try {
    const content = readFile(path).trim()
    if (content !== '') return { text: content, from: 'secret file' }
    problems.push(`${name}_FILE names the file "${path}", which is empty; it must contain the value of ${name}.`)
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unreadable'
    problems.push(`${name}_FILE names the file "${path}", which cannot be read (${reason}).`)
  }
  return undefined
}

/** An invalid value adds a problem and falls back to the default, so that the other settings are checked too. */
function parseValue(name: string, setting: Setting, text: string | undefined, problems: string[]): unknown {
  const { kind, secret } = setting
  if (!kind) return null
  const fallback = setting.default === '' ? null : kind.read(setting.default)
  if (text === undefined) return fallback
  const value = kind.read(text)
  if (value !== undefined) return value
  problems.push(`${name} must be ${kind.expected}${secret ? '' : `, not ${quote(text)}`}.`)
  return fallback
}

/** Removes everything up to the last @, which may be user and password of a URL. */
export const withoutCredentials = (text: string): string => text.replace(/^.*@/s, '…@')

/** The hosts of all http and https URLs in the text of a setting, as `URL.host` writes them. */
export const hostsIn = (text: string): string[] =>
  text.split(',').flatMap((part) => {
    const url = URL.parse(part.trim())
    return url && /^https?:$/.test(url.protocol) ? [url.host] : []
  })

/** Shortened, on one line, and without credentials. */
function quote(text: string): string {
  const safe = withoutCredentials(text).replace(/\p{Cc}/gu, '?')
  return `"${safe.length > 80 ? `${safe.slice(0, 80)}…` : safe}"`
}

function unknownNameProblem(table: SettingTable, name: string): string {
  const base = name.replace(/_FILE$/, '')
  if (base !== name && Object.hasOwn(table, base))
    return `${name} is not a setting: ${base} is not a secret, so set ${base} directly.`
  // Without the common prefix the hint also finds PORT for ONOMA_PORT.
  const bare = (known: string) => known.replace(/^ONOMA_/, '').replace(/_?\*$/, '')
  const names = new Map(Object.keys(table).map((known) => [bare(known), known]))
  const guess = closestMatch(bare(name), names.keys())
  const hint =
    guess === undefined ? 'unset it and run onoma config to list the names' : `did you mean ${names.get(guess)!}?`
  return `${name} is not a setting; ${hint}${guess === undefined ? '.' : ''}`
}
