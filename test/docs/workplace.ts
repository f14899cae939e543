import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { OFFICE_KEY, startOffice } from '../../sandbox/trademark/office.ts'
import { writeRegisterFile } from '../../sandbox/trademark/register-file.ts'
import { recordsOf } from '../../src/trademark/sources/records.fixture.ts'
import { untilLoaded } from '../support/sandbox-loaded.ts'
import { endingWithUs } from '../support/servers/process.ts'
import { copyRepository } from './copy-repository.ts'
import type { SandboxFacts } from './sandbox.ts'

/** Generous, because the machine may be busy with other tests. */
const COMMAND_TIMEOUT_MS = 240_000

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }
export type RunOptions = {
  readonly input?: string
  /** For a command that runs until it is stopped: output that shows it is ready. SIGINT is sent then. */
  readonly until?: RegExp
}

/** A copy of the repository with a shell in it, and a running sandbox. */
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
  const folder = copyWithSales(join(above, 'onoma'))
  const addresses = {
    'http://127.0.0.1:8080': facts.url,
    'http://127.0.0.1:8081': facts.ensUrl,
    'http://127.0.0.1:PORT': facts.ianaUrl,
    'http://127.0.0.1:RPC_PORT': facts.chainUrl,
    '/srv/onoma': folder,
    'ONOMA_TRADEMARK_OFFICE_KEY=…': `ONOMA_TRADEMARK_OFFICE_KEY=${OFFICE_KEY}`,
  }
  // Omitted, so that an import fills the index of the copy and not the one in use.
  const { ONOMA_TRADEMARK_INDEX: _served, ...settings } = facts.settings
  const env = {
    ...shellOf(above),
    ...settings,
    ONOMA_SANDBOX: 'on',
    ONOMA_TRADEMARK_OFFICE_URL: office.productsUrl,
    // The default ports may be in use on this machine.
    PORT: '0',
    ENS_PORT: '0',
    ONOMA_METRICS: 'off',
  }
  const loaded = untilLoaded(facts.url)
  loaded.catch(() => {})
  const closing = opened.move()
  return {
    folder,
    async run(command, options) {
      if (/\/v1\/(auctions|trademark)/.test(command)) await loaded
      return run(withAddresses(command, addresses), { cwd: folder, env }, options)
    },
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

export const withAddresses = (command: string, addresses: Readonly<Record<string, string>>): string =>
  Object.entries(addresses).reduce((text, [shown, real]) => text.replaceAll(shown, real), command)

/** The repository after `npm ci`, with invented sales for the valuation scripts. */
function copyWithSales(folder: string): string {
  copyRepository(folder)
  const rows = Array.from({ length: 100 }, (_, at) => `invented${at}.com,${150 + 40 * at},2024-05-11,Shop,retail`)
  writeFileSync(join(folder, 'sales.csv'), ['domain,price_usd,date,venue,context', ...rows].join('\n'))
  return folder
}

/** The trademark office with one annual and one daily file. */
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

/** The environment of a new terminal. With this .curlrc, curl fails if the answer is an error. */
export function shellOf(above: string): Record<string, string> {
  const home = join(above, 'home')
  mkdirSync(home)
  writeFileSync(join(home, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
  const path = (process.env['PATH'] ?? '').split(':').filter((part) => !part.endsWith('node_modules/.bin'))
  return { PATH: path.join(':'), HOME: home, CURL_HOME: home, npm_config_update_notifier: 'false' }
}

export async function run(
  command: string,
  surroundings: { readonly cwd: string; readonly env: Record<string, string> },
  { input = '', until }: RunOptions = {},
): Promise<Ended> {
  const [program, words] = endingWithUs('bash', ['-o', 'pipefail', '-c', command])
  // In its own process group, which is what Ctrl-C signals.
  const child = spawn(program, words, { ...surroundings, detached: true })
  const end = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal)
  }
  const timer = setTimeout(() => end('SIGKILL'), COMMAND_TIMEOUT_MS)
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
