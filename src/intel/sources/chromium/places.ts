import { posix, win32 } from 'node:path'

/** The machine on which a browser is looked for. */
export type Machine = {
  readonly platform: NodeJS.Platform
  readonly arch: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where a Chromium may be, the best place first. */
type Places = {
  /** Of this program, or of all known ones. A path is returned as it is. */
  onPath(program?: string): readonly string[]
  inStore(): readonly string[]
  installed(): readonly string[]
}

/** Names of the executable, the smallest build first. */
const PROGRAMS = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'headless_shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
]
const WINDOWS_PROGRAMS = ['chrome-headless-shell', 'chromium', 'chrome', 'msedge']

export function placesOf(machine: Machine, list: (folder: string) => readonly string[]): Places {
  const { platform, env } = machine
  const isWindows = platform === 'win32'
  const { delimiter, join, sep } = isWindows ? win32 : posix
  // Names of variables have any case on Windows.
  const valueOf = (name: string) =>
    env[name] ??
    (isWindows ? Object.entries(env).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] : undefined)
  const isPath = (program: string) => program.includes('/') || program.includes(sep)
  const withSuffix = (path: string) => (isWindows && !/\.exe$/i.test(path) ? [`${path}.exe`, path] : [path])
  return {
    onPath(program) {
      const programs = program === undefined ? (isWindows ? WINDOWS_PROGRAMS : PROGRAMS) : [program]
      const folders = (valueOf('PATH') ?? '').split(delimiter).filter(Boolean)
      return programs
        .flatMap((one) => (isPath(one) ? [one] : folders.map((folder) => join(folder, one))))
        .flatMap(withSuffix)
    },
    inStore() {
      const store = storeOf(machine, valueOf, join)
      // A newer version of the same build first; the small build before the large one.
      const versions = list(store)
        .flatMap((name) => {
          const [, build, revision] = /^(chromium_headless_shell|chromium)-(\d{1,9})$/.exec(name) ?? []
          return build === undefined ? [] : [{ name, isShell: build !== 'chromium', revision: Number(revision) }]
        })
        .toSorted((a, b) => Number(b.isShell) - Number(a.isShell) || b.revision - a.revision)
      return versions.flatMap(({ name, isShell }) =>
        programsInStore(machine, isShell).map((program) => join(store, name, ...program)),
      )
    },
    installed() {
      if (platform === 'darwin') return macApps(machine.home)
      if (!isWindows) return ['/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge', '/snap/bin/chromium']
      const roots = ['LOCALAPPDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)'].flatMap((name) => valueOf(name) ?? [])
      return [
        ['Google', 'Chrome', 'Application', 'chrome.exe'],
        ['Chromium', 'Application', 'chrome.exe'],
        ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
      ].flatMap((path) => roots.map((root) => join(root, ...path)))
    },
  }
}

/** Where Playwright, and so `onoma browser install`, keeps its browsers. */
function storeOf(
  { platform, home }: Machine,
  valueOf: (name: string) => string | undefined,
  join: (...parts: string[]) => string,
): string {
  const configured = valueOf('PLAYWRIGHT_BROWSERS_PATH')
  if (configured) return configured
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'ms-playwright')
  if (platform === 'win32') return join(valueOf('LOCALAPPDATA') ?? join(home, 'AppData', 'Local'), 'ms-playwright')
  return join(valueOf('XDG_CACHE_HOME') || join(home, '.cache'), 'ms-playwright')
}

/** Paths inside one version in the store; the second of each is that of older versions. */
function programsInStore({ platform, arch }: Machine, isShell: boolean): readonly (readonly string[])[] {
  const chip = arch === 'arm64' ? 'arm64' : 'x64'
  if (platform === 'darwin') {
    const app = (name: string) => [`${name}.app`, 'Contents', 'MacOS', name]
    return isShell
      ? [
          [`chrome-headless-shell-mac-${chip}`, 'chrome-headless-shell'],
          ['chrome-mac', 'headless_shell'],
        ]
      : [
          [`chrome-mac-${chip}`, ...app('Google Chrome for Testing')],
          ['chrome-mac', ...app('Chromium')],
        ]
  }
  if (platform === 'win32')
    return isShell
      ? [
          ['chrome-headless-shell-win64', 'chrome-headless-shell.exe'],
          ['chrome-win', 'headless_shell.exe'],
        ]
      : [
          ['chrome-win64', 'chrome.exe'],
          ['chrome-win', 'chrome.exe'],
        ]
  const linux = chip === 'arm64' ? 'linux-arm64' : 'linux64'
  return isShell
    ? [
        [`chrome-headless-shell-${linux}`, 'chrome-headless-shell'],
        ['chrome-linux', 'headless_shell'],
      ]
    : [
        [`chrome-${linux}`, 'chrome'],
        ['chrome-linux', 'chrome'],
      ]
}

const macApps = (home: string): readonly string[] =>
  ['Google Chrome', 'Chromium', 'Microsoft Edge'].flatMap((name) =>
    ['/Applications', posix.join(home, 'Applications')].map((folder) =>
      posix.join(folder, `${name}.app`, 'Contents', 'MacOS', name),
    ),
  )
