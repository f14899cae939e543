import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { OFFICE_KEY, startOffice } from '../../sandbox/trademark/office.ts'
import { writeRegisterFile } from '../../sandbox/trademark/register-file.ts'
import { recordsOf } from '../../src/trademark/sources/records.fixture.ts'
import { endingWithUs } from '../support/servers/process.ts'
import { ROOT } from './fences.ts'
import type { SandboxFacts } from './sandbox.ts'

/** Long enough for a machine that has much else to do. */
const DEADLINE_MS = 240_000

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }
export type RunOptions = {
  readonly input?: string
  /** For a command that runs until it is stopped: what it writes when it is ready. Then Ctrl-C is pressed. */
  readonly until?: RegExp
}

/** A fresh copy of the repository beside a running sandbox, and a shell in it. */
export type Workplace = {
  readonly folder: string
  run(command: string, options?: RunOptions): Promise<Ended>
  close(): Promise<void>
}

export async function openWorkplace(): Promise<Workplace> {
  await using opened = new AsyncDisposableStack()
  const above = mkdtempSync(join(tmpdir(), 'onoma-docs-'))
  opened.defer(() => rmSync(above, { recursive: true }))
  const { facts, stop } = await startSandbox()
  opened.defer(stop)
  const office = await openOffice(above)
  opened.defer(() => office.stop())
  const folder = copyRepository(join(above, 'onoma'))
  const addresses = {
    'http://127.0.0.1:8080': facts.url,
    'http://127.0.0.1:8081': facts.ensUrl,
    'http://127.0.0.1:PORT': facts.ianaUrl,
    'http://127.0.0.1:RPC_PORT': facts.settings['ONOMA_ETH_RPC_URLS']!.split(',')[0]!,
    '/srv/onoma': folder,
    'ONOMA_TRADEMARK_OFFICE_KEY=…': `ONOMA_TRADEMARK_OFFICE_KEY=${OFFICE_KEY}`,
  }
  // Left out, so that an import fills the index of the copy and not the one that is served.
  const { ONOMA_TRADEMARK_INDEX: _served, ...settings } = facts.settings
  const env = {
    ...shellOf(above),
    ...settings,
    ONOMA_SANDBOX: 'on',
    ONOMA_TRADEMARK_OFFICE_URL: office.productsUrl,
    // The usual ports may be taken by a service that somebody runs on this machine.
    PORT: '0',
    ENS_PORT: '0',
    ONOMA_METRICS: 'off',
  }
  const closing = opened.move()
  return {
    folder,
    run: (command, options) => run(withAddresses(command, addresses), { cwd: folder, env }, options),
    close: () => closing.disposeAsync(),
  }
}

async function startSandbox(): Promise<{ facts: SandboxFacts; stop(): Promise<void> }> {
  const [program, words] = endingWithUs(process.execPath, [join(import.meta.dirname, 'sandbox.ts')])
  const child = spawn(program, words, { env: { PATH: process.env['PATH'] }, stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  for await (const line of createInterface(child.stdout)) {
    const stop = async () => {
      child.stdin.end()
      await closed
    }
    return { facts: JSON.parse(line) as SandboxFacts, stop }
  }
  throw new Error('The sandbox did not start.')
}

const withAddresses = (command: string, addresses: Readonly<Record<string, string>>): string =>
  Object.entries(addresses).reduce((text, [shown, real]) => text.replaceAll(shown, real), command)

/** What `git clone` and `npm ci` leave behind, with sales to try the valuation scripts on. */
function copyRepository(folder: string): string {
  const left = new Set(['node_modules', '.git', 'var', 'coverage', '.env'].map((name) => join(ROOT, name)))
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !left.has(path) })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const rows = Array.from({ length: 100 }, (_, at) => `invented${at}.com,${150 + 40 * at},2024-05-11,Shop,retail`)
  writeFileSync(join(folder, 'sales.csv'), ['domain,price_usd,date,venue,context', ...rows].join('\n'))
  return folder
}

/** The trademark office with one file of a whole register and one of a day. */
async function openOffice(above: string) {
  const file = async (name: string, ...marks: string[]) => {
    await writeRegisterFile(join(above, name), recordsOf(...marks))
    return { [name]: readFileSync(join(above, name)) }
  }
  return startOffice({
    wait: (ms, signal) => sleep(ms, undefined, { signal }),
    files: { annual: await file('apc18840407-20251231-01.zip', 'ACME'), daily: await file('apc260101.zip', 'ZEBRA') },
  })
}

/** The environment of a person who has just opened a terminal; curl fails where the answer is an error. */
function shellOf(above: string): Record<string, string> {
  const home = join(above, 'home')
  mkdirSync(home)
  writeFileSync(join(home, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
  const path = (process.env['PATH'] ?? '').split(':').filter((part) => !part.endsWith('node_modules/.bin'))
  return { PATH: path.join(':'), HOME: home, CURL_HOME: home, npm_config_update_notifier: 'false' }
}

async function run(
  command: string,
  surroundings: { readonly cwd: string; readonly env: Record<string, string> },
  { input = '', until }: RunOptions = {},
): Promise<Ended> {
  const [program, words] = endingWithUs('bash', ['-o', 'pipefail', '-c', command])
  // In a process group of its own, which is what Ctrl-C is sent to.
  const child = spawn(program, words, { ...surroundings, detached: true })
  const end = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal)
  }
  const timer = setTimeout(() => end('SIGKILL'), DEADLINE_MS)
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      const before = written.stdout
      written[name] += text
      if (until?.test(written.stdout) === true && !until.test(before)) end('SIGINT')
    })
  }
  child.stdin.on('error', () => {}).end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  return { code, ...written }
}
