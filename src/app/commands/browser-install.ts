import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from '../../intel/sources/chromium/find.ts'
import type { Machine } from '../../intel/sources/chromium/places.ts'
import { UsageError } from '../../surfaces/cli/arguments.ts'

export const BROWSER_INSTALL_HELP = `Usage: onoma browser install [--with-deps] [--dry-run]

Download the browser that /v1/intel visits pages with: a Chromium without windows, about 120 MB to download and 300 MB on
disk, from the servers of the Playwright project into its cache folder (PLAYWRIGHT_BROWSERS_PATH names another).

  --with-deps  also install the system libraries it needs; on Debian and Ubuntu, as root
  --dry-run    show what would be downloaded, from where and to where

A running service uses the browser at the next visit; no restart is needed. Any other Chromium, Chrome or Edge on this
machine works as well: onoma doctor says whether one was found. ONOMA_CHROMIUM names a certain one.
`

type Options = { readonly withDeps: boolean; readonly dryRun: boolean }

export function parseBrowserInstall(argv: readonly string[]): Options {
  const unknown = argv.find((one) => one !== '--with-deps' && one !== '--dry-run')
  if (unknown !== undefined)
    throw new UsageError(`browser install has no option ${unknown}.\n\n${BROWSER_INSTALL_HELP}`)
  return { withDeps: argv.includes('--with-deps'), dryRun: argv.includes('--dry-run') }
}

type Needs = {
  /** The value of ONOMA_CHROMIUM. */
  readonly configured: string | null
  readonly machine: Machine
  readonly output: { write(text: string): unknown }
  readonly signal: AbortSignal
  /** Runs Node with these arguments; resolves with its exit code. */
  readonly runNode?: typeof runNode
  readonly find?: typeof findChromium
}

/** False if no browser can be used afterwards. */
export async function installBrowser(
  { withDeps, dryRun }: Options,
  { configured, machine, output, signal, runNode: run = runNode, find = findChromium }: Needs,
): Promise<boolean> {
  const say = (line: string) => void output.write(`${line}\n`)
  const cli = join(dirname(fileURLToPath(import.meta.resolve('playwright-core/package.json'))), 'cli.js')
  const options = [...(withDeps ? ['--with-deps'] : []), ...(dryRun ? ['--dry-run'] : [])]
  const code = await run([cli, 'install', '--only-shell', ...options, 'chromium'], { env: machine.env, output, signal })
  signal.throwIfAborted()
  if (code !== 0) {
    say(
      'No browser was installed; the lines above say why. Without access to the internet, install Chromium with the package manager of this machine, or set ONOMA_CHROMIUM to one.',
    )
    return false
  }
  if (dryRun) return true
  const path = find({ machine })
  if (path === null) {
    say('The download succeeded, but no browser was found afterwards. Set ONOMA_CHROMIUM to its path, which is above.')
    return false
  }
  say(`Pages are visited with ${configured === null ? path : `ONOMA_CHROMIUM (${configured}), not with ${path}`}.`)
  if (machine.platform === 'linux' && !withDeps)
    say('If it does not start, libraries are missing: run `onoma browser install --with-deps` as root.')
  return true
}

type RunNeeds = Pick<Needs, 'output' | 'signal'> & { readonly env: Machine['env'] }

async function runNode(argv: readonly string[], { env, output, signal }: RunNeeds): Promise<number> {
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'], signal })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => void output.write(text))
  }
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return code ?? 1
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
