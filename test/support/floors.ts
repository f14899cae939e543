import { dirname, join } from 'node:path/posix'
import { readSource, type Import, type Source } from './source.ts'

/** Path from the project's root → text: the files under `src` and `sandbox`, and the tools in `bench` and `scripts`. */
export type Tree = Readonly<Record<string, string>>

export type Rules = {
  /** The packages of `dependencies` in package.json. */
  readonly dependencies: readonly string[]
  /** Files that may be longer than `MAX_LINES`, each with the reason. */
  readonly longFiles?: Readonly<Record<string, string>>
  /** Pairs of folders that may import each other (`src/a/x ↔ src/a/y`, in alphabetical order), each with the reason. */
  readonly folderPairs?: Readonly<Record<string, string>>
}

export type Violation = { readonly file: string; readonly reason: string }

const MAX_LINES = 300
const FRAME = new Set(['kernel', 'protocols', 'surfaces', 'app'])

/** Tests, and the `.fixture.ts` files only they use, may import what the service may not. */
const isTest = (path: string) => /\.(?:test|fixture)\.ts$/.test(path)
const isTool = (path: string) => /^(?:bench|scripts)\//.test(path)
const isRelative = (specifier: string) => specifier.startsWith('.')

/** Everything in the tree that breaks a rule. Tools are only checked for cycles, of files and of folders. */
export function violations(tree: Tree, rules: Rules): Violation[] {
  const sources = new Map(Object.entries(tree).map(([file, text]) => [file, readSource(text)]))
  const found: Violation[] = [...importCycles(sources), ...folderCycles(sources, rules.folderPairs ?? {})]
  for (const [file, source] of sources) {
    if (isTool(file)) continue
    const reasons = [
      placeOf(file).layer === 'outside' ? 'belongs to no layer' : null,
      ...source.imports.map((one) => importViolation(file, one, rules)),
      ...ambientViolations(file, source.code),
      lengthViolation(file, tree[file]!, rules),
    ]
    found.push(...reasons.filter((reason) => reason !== null).map((reason) => ({ file, reason })))
  }
  for (const file of Object.keys(rules.longFiles ?? {})) {
    if (lineCount(tree[file] ?? '') <= MAX_LINES)
      found.push({ file, reason: 'is listed as a long file but is not one' })
  }
  return found
}

function importViolation(file: string, { specifier, typeOnly }: Import, rules: Rules): string | null {
  if (specifier === null) return 'imports a specifier computed at run time, which cannot be checked'
  const violation = isRelative(specifier)
    ? fileViolation(file, join(dirname(file), specifier), typeOnly)
    : packageViolation(file, specifier, typeOnly, rules)
  return violation && `imports ${specifier}: ${violation}`
}

function fileViolation(file: string, target: string, typeOnly: boolean): string | null {
  if (target.endsWith('.test.ts') || (isTest(target) && !isTest(file))) return 'this is for tests only'
  const from = placeOf(file)
  const to = placeOf(target)
  if (to.layer === 'outside') {
    const isTestSupport = isTest(file) && target.startsWith('test/support/')
    const folder = from.layer === 'sandbox' ? 'sandbox' : 'src'
    return isTestSupport || isOurData(target) ? null : `${folder} must not import from this folder`
  }
  if (from.layer === 'sandbox') return null
  if (to.layer === 'sandbox') return isTest(file) ? null : 'src must not import from sandbox'
  if (to.layer === 'kernel') return null
  switch (from.layer) {
    case 'kernel':
      return 'the kernel imports only the kernel'
    case 'protocols':
      return isSamePlace(from, to) ? null : 'a protocol imports only the kernel'
    case 'capability':
      if (to.layer === 'protocols') return from.isSource ? null : 'only the sources of a capability import a protocol'
      if (target === 'src/tlds/catalogue.ts') return null
      if (!isSamePlace(from, to)) return 'a capability imports only the kernel and the catalogue of TLDs'
      return !to.isSource || from.isSource || isTest(file) ? null : 'only app/compose.ts picks a source'
    case 'surfaces':
      if (isSamePlace(from, to)) return null
      // Pages are sent through the door, and the reference shows commands and tools. Folders may not import each other.
      if (to.layer === 'surfaces') return null
      if (to.layer !== 'capability') return 'a surface imports only the kernel and surfaces'
      return typeOnly ? null : 'a surface imports only types from here (import type)'
    case 'app':
    case 'outside':
      return null
  }
}

type Layer = 'kernel' | 'protocols' | 'capability' | 'surfaces' | 'app' | 'sandbox' | 'outside'
type Place = { readonly layer: Layer; readonly name: string; readonly isSource: boolean }

/** `src/whois/sources/rdap.ts` → the capability `whois`, one of its sources. An `engine` counts as a source. */
function placeOf(path: string): Place {
  const [top = '', folder = '', inner = '', ...rest] = path.split('/')
  if (top === 'sandbox') return { layer: 'sandbox', name: '', isSource: false }
  if (top !== 'src' || inner === '') return { layer: 'outside', name: '', isSource: false }
  if (!FRAME.has(folder)) {
    return { layer: 'capability', name: folder, isSource: inner === 'sources' || inner === 'engine' }
  }
  const name = rest.length > 0 ? inner : ''
  return { layer: folder as Layer, name, isSource: false }
}

const isSamePlace = (a: Place, b: Place) => a.layer === b.layer && a.name === b.name
const isOurData = (path: string) => path.startsWith('data/') || path === 'package.json'

function packageViolation(file: string, specifier: string, typeOnly: boolean, rules: Rules): string | null {
  if (!file.startsWith('src/') || isTest(file)) return null
  const [scope = '', name = ''] = specifier.split('/')
  const packageName = scope.startsWith('@') ? `${scope}/${name}` : scope
  // A type is erased before the program runs, so its package need not be installed.
  if (!typeOnly && !specifier.startsWith('node:') && !rules.dependencies.includes(packageName)) {
    return 'this package is not among the production dependencies'
  }
  const isHttpSurface = file.startsWith('src/surfaces/http/')
  if (/^(node:https?2?|rou3)$/.test(specifier) && !isHttpSurface) {
    const mayNameTypes = typeOnly && file.startsWith('src/surfaces/')
    // The browser reaches the network only through an HTTP proxy on loopback, which no API client ever sees.
    const isProxy = specifier === 'node:http' && file.startsWith('src/intel/sources/egress/')
    return mayNameTypes || isProxy ? null : 'only surfaces/http serves HTTP'
  }
  if (packageName === 'undici' && !file.startsWith('src/kernel/upstream')) return 'only kernel/upstream sends requests'
  return null
}

/** Expressions that reach for time, randomness, network or settings, and the only places that may use them. */
const AMBIENT: readonly { pattern: RegExp; places: readonly string[]; reason: string }[] = [
  {
    pattern: /\bDate\.now\b|\bnew Date\b(?!\s*\(\s*[^)\s])|(?<![.\w]|new )Date\(|\bperformance\.now\b|\bhrtime\b/,
    places: ['src/kernel/clock', 'src/app/'],
    reason: 'reads the system clock: time comes in as a Clock',
  },
  {
    pattern: /\bMath\.random\b|\brandom(?:Bytes|Int|UUID)\b|\bgetRandomValues\b/,
    places: ['src/kernel/random', 'src/app/'],
    reason: 'creates random values itself: randomness comes in as a Random',
  },
  {
    pattern: /(?:(?<![.\w])|\bglobalThis\.)fetch\s*\(/,
    // Scripts of pages run in the browser.
    places: ['src/kernel/upstream', 'src/app/', 'src/surfaces/page/assets/'],
    reason: 'sends requests itself: kernel/upstream does that',
  },
  {
    pattern: /\bprocess\s*\.\s*env\b/,
    places: ['src/app/'],
    reason: 'reads the environment: settings are read once, in app',
  },
]

/** Scripts that run in the browser, where nothing can be passed in. */
const BROWSER_FOLDER = 'src/surfaces/page/assets/'

function ambientViolations(file: string, code: string): string[] {
  if (!file.startsWith('src/') || isTest(file) || file.startsWith(BROWSER_FOLDER)) return []
  const broken = AMBIENT.filter(
    ({ pattern, places }) => pattern.test(code) && !places.some((place) => file.startsWith(place)),
  )
  return broken.map(({ reason }) => reason)
}

const lineCount = (text: string) => text.trimEnd().split('\n').length

function lengthViolation(file: string, text: string, { longFiles = {} }: Rules): string | null {
  // Tests are lists of guarantees and may be longer.
  if (!file.startsWith('src/') || isTest(file) || file in longFiles) return null
  const lines = lineCount(text)
  return lines > MAX_LINES ? `has ${lines} lines, more than ${MAX_LINES}` : null
}

/** The project's own files that a file imports. */
const importedFiles = (file: string, source: Source | undefined): string[] =>
  (source?.imports ?? []).flatMap(({ specifier }) =>
    specifier !== null && isRelative(specifier) ? [join(dirname(file), specifier)] : [],
  )

/** Every import cycle, once, reported at the file where the search entered it; type imports count too. */
function importCycles(sources: ReadonlyMap<string, Source>): Violation[] {
  const found: Violation[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string) => {
    const start = path.indexOf(file)
    if (start !== -1) found.push({ file, reason: `imports itself: ${[...path.slice(start), file].join(' → ')}` })
    if (start !== -1 || done.has(file)) return
    path.push(file)
    for (const target of importedFiles(file, sources.get(file))) visit(target)
    path.pop()
    done.add(file)
  }
  for (const file of sources.keys()) visit(file)
  return found
}

/** Sibling folders that import each other, even if no single file is part of a cycle. Tests do not count. */
function folderCycles(sources: ReadonlyMap<string, Source>, allowed: Readonly<Record<string, string>>): Violation[] {
  const imports = new Map<string, string>()
  for (const [file, source] of sources) {
    if (isTest(file)) continue
    for (const target of importedFiles(file, source)) {
      const [from, to] = siblingFolders(file, target) ?? []
      if (from !== undefined && to !== undefined && !imports.has(`${from} ${to}`)) imports.set(`${from} ${to}`, file)
    }
  }
  const pairs = [...imports].flatMap(([edge, file]) => {
    const [from = '', to = ''] = edge.split(' ')
    const back = imports.get(`${to} ${from}`)
    return back !== undefined && from < to ? [{ pair: `${from} ↔ ${to}`, file, back }] : []
  })
  const forbidden = pairs.filter(({ pair }) => !(pair in allowed))
  const stale = Object.keys(allowed).filter((name) => !pairs.some(({ pair }) => pair === name))
  return [
    ...forbidden.map(({ pair, file, back }) => ({ file, reason: `is half of ${pair}; the other half is ${back}` })),
    ...stale.map((pair) => ({ file: pair, reason: 'is listed as a folder pair but no longer is one' })),
  ]
}

/** Where the paths of two files part, if both go on through a folder: `src/a/x/1.ts`, `src/a/y/2.ts` → `src/a/x`, `src/a/y`. */
function siblingFolders(file: string, target: string): readonly [string, string] | undefined {
  const a = dirname(file).split('/')
  const b = dirname(target).split('/')
  const at = a.findIndex((name, index) => name !== b[index])
  if (at === -1 || at >= b.length) return undefined
  return [a.slice(0, at + 1).join('/'), b.slice(0, at + 1).join('/')]
}
