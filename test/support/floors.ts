import { dirname, join } from 'node:path/posix'
import { readSource, type Import, type Source } from './source.ts'

/** Path from the project's root → text: the files under `src` and `sandbox`. */
export type Tree = Readonly<Record<string, string>>

export type House = {
  /** The packages the service has in production. */
  readonly dependencies: readonly string[]
  /** Files allowed to be longer than the rest, each with the reason. */
  readonly long: Readonly<Record<string, string>>
}

export type Violation = { readonly file: string; readonly reason: string }

const LONGEST = 300
const FRAME = new Set(['kernel', 'protocols', 'surfaces', 'app'])

/** Tests, and the `.fixture.ts` files only they use: they need what the service may not have. */
const isTest = (path: string) => /\.(?:test|fixture)\.ts$/.test(path)
const isRelative = (specifier: string) => specifier.startsWith('.')

/** Everything in the tree that breaks a rule of the house. */
export function violations(tree: Tree, house: House): Violation[] {
  const sources = new Map(Object.entries(tree).map(([file, text]) => [file, readSource(text)]))
  const found: Violation[] = circles(sources)
  for (const [file, source] of sources) {
    const reasons = [
      roomOf(file).floor === 'outside' ? 'stands in no room of the house' : null,
      ...source.imports.map((one) => importComplaint(file, one, house)),
      ...wordComplaints(file, source.code),
      lengthComplaint(file, tree[file]!, house),
    ]
    found.push(...reasons.filter((reason) => reason !== null).map((reason) => ({ file, reason })))
  }
  for (const file of Object.keys(house.long)) {
    if (lineCount(tree[file] ?? '') <= LONGEST) found.push({ file, reason: 'needs no place in the list of long files' })
  }
  return found
}

function importComplaint(file: string, { specifier, typeOnly }: Import, house: House): string | null {
  if (specifier === null) return 'imports something computed at run time, which nobody can check'
  const complaint = isRelative(specifier)
    ? fileComplaint(file, join(dirname(file), specifier), typeOnly)
    : packageComplaint(file, specifier, typeOnly, house)
  return complaint && `imports ${specifier}: ${complaint}`
}

function fileComplaint(file: string, target: string, typeOnly: boolean): string | null {
  if (target.endsWith('.test.ts') || (isTest(target) && !isTest(file))) return 'this is for tests only'
  const from = roomOf(file)
  const to = roomOf(target)
  if (to.floor === 'outside') {
    const forTests = isTest(file) && target.startsWith('test/support/')
    return forTests || isOurData(target) ? null : `${from.floor === 'sandbox' ? 'sandbox' : 'src'} does not know it`
  }
  if (from.floor === 'sandbox') return null
  if (to.floor === 'sandbox') return isTest(file) ? null : 'src does not know the sandbox'
  if (to.floor === 'kernel') return null
  switch (from.floor) {
    case 'kernel':
      return 'the kernel imports only the kernel'
    case 'protocols':
      return sameRoom(from, to) ? null : 'a protocol imports only the kernel'
    case 'capability':
      if (to.floor === 'protocols') return from.isSource ? null : 'only the sources of a capability speak a protocol'
      if (target === 'src/tlds/catalogue.ts') return null
      if (!sameRoom(from, to)) return 'a capability imports only the kernel and the catalogue of TLDs'
      return !to.isSource || from.isSource || isTest(file) ? null : 'only app/compose.ts picks a source'
    case 'surfaces':
      if (sameRoom(from, to)) return null
      if (to.floor !== 'capability' && to.floor !== 'surfaces') return 'a surface imports only the kernel'
      return typeOnly ? null : 'a surface imports only types from here (import type)'
    case 'app':
    case 'outside':
      return null
  }
}

type Floor = 'kernel' | 'protocols' | 'capability' | 'surfaces' | 'app' | 'sandbox' | 'outside'
type Room = { readonly floor: Floor; readonly name: string; readonly isSource: boolean }

/** `src/whois/sources/rdap.ts` → the capability `whois`, one of its sources. An `engine` is a source of our own. */
function roomOf(path: string): Room {
  const [top = '', room = '', inner = '', ...rest] = path.split('/')
  if (top === 'sandbox') return { floor: 'sandbox', name: '', isSource: false }
  if (top !== 'src' || inner === '') return { floor: 'outside', name: '', isSource: false }
  if (!FRAME.has(room)) return { floor: 'capability', name: room, isSource: inner === 'sources' || inner === 'engine' }
  const name = rest.length > 0 ? inner : ''
  return { floor: room as Floor, name, isSource: false }
}

const sameRoom = (a: Room, b: Room) => a.floor === b.floor && a.name === b.name
const isOurData = (path: string) => path.startsWith('data/') || path === 'package.json'

function packageComplaint(file: string, specifier: string, typeOnly: boolean, house: House): string | null {
  if (!file.startsWith('src/') || isTest(file)) return null
  const [scope = '', name = ''] = specifier.split('/')
  const packageName = scope.startsWith('@') ? `${scope}/${name}` : scope
  if (!specifier.startsWith('node:') && !house.dependencies.includes(packageName)) {
    return 'the service does not have this package in production'
  }
  const inHttp = file.startsWith('src/surfaces/http/')
  if (/^(node:https?2?|rou3)$/.test(specifier) && !inHttp) {
    const mayNameTypes = typeOnly && file.startsWith('src/surfaces/')
    // The browser's only way out is an HTTP proxy on loopback, which no client of ours ever sees.
    const isProxy = specifier === 'node:http' && file.startsWith('src/intel/sources/egress/')
    return mayNameTypes || isProxy ? null : 'only surfaces/http serves HTTP'
  }
  if (packageName === 'undici' && !file.startsWith('src/kernel/upstream')) return 'only kernel/upstream asks others'
  return null
}

/** Words that reach for time, chance, network or settings, and the only places that may say them. */
const WORDS: readonly { pattern: RegExp; places: readonly string[]; reason: string }[] = [
  {
    pattern: /\bDate\.now\b|\bnew Date\b(?!\s*\(\s*[^)\s])|(?<![.\w]|new )Date\(|\bperformance\.now\b|\bhrtime\b/,
    places: ['src/kernel/clock', 'src/app/'],
    reason: 'reads the clock of the machine: time comes in as a Clock',
  },
  {
    pattern: /\bMath\.random\b|\brandom(?:Bytes|Int|UUID)\b|\bgetRandomValues\b/,
    places: ['src/kernel/random', 'src/app/'],
    reason: 'makes its own chance: it comes in as a Random',
  },
  {
    pattern: /(?:(?<![.\w])|\bglobalThis\.)fetch\s*\(/,
    places: ['src/kernel/upstream', 'src/app/'],
    reason: 'asks the network itself: kernel/upstream does that',
  },
  {
    pattern: /\bprocess\s*\.\s*env\b/,
    places: ['src/app/'],
    reason: 'reads the environment: settings are read once, in app',
  },
]

function wordComplaints(file: string, code: string): string[] {
  if (!file.startsWith('src/') || isTest(file)) return []
  const broken = WORDS.filter(
    ({ pattern, places }) => pattern.test(code) && !places.some((place) => file.startsWith(place)),
  )
  return broken.map(({ reason }) => reason)
}

const lineCount = (text: string) => text.trimEnd().split('\n').length

function lengthComplaint(file: string, text: string, { long }: House): string | null {
  // A test is a list of guarantees, and may go on.
  if (!file.startsWith('src/') || isTest(file) || file in long) return null
  const lines = lineCount(text)
  return lines > LONGEST ? `has ${lines} lines, more than ${LONGEST}` : null
}

/** Every circle of imports, once, reported at the file where the walk entered it; types count too. */
function circles(sources: ReadonlyMap<string, Source>): Violation[] {
  const found: Violation[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string) => {
    const start = path.indexOf(file)
    if (start !== -1) found.push({ file, reason: `imports itself: ${[...path.slice(start), file].join(' → ')}` })
    if (start !== -1 || done.has(file)) return
    path.push(file)
    for (const { specifier } of sources.get(file)?.imports ?? []) {
      if (specifier !== null && isRelative(specifier)) visit(join(dirname(file), specifier))
    }
    path.pop()
    done.add(file)
  }
  for (const file of sources.keys()) visit(file)
  return found
}
