/**
 * Asks every provider that needs no account, once and politely, and compares the shape of each answer with what our
 * readers expect. Prints a table and writes a report that can be attached to an issue.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseSandboxEnv, sandboxConfig } from '../sandbox/settings.ts'
import { SIMULATORS } from '../sandbox/simulators.ts'
import { startWorld } from '../sandbox/world.ts'
import { type Config, loadConfig } from '../src/app/settings/config.ts'
import { version } from '../src/app/version.ts'
import { systemClock, timestamp } from '../src/kernel/clock.ts'
import type { Log } from '../src/kernel/log.ts'
import { secureRandom } from '../src/kernel/random.ts'
import { sleep } from '../src/kernel/sleep.ts'
import { type Finding, type Probe, runProbes } from './probe/probe.ts'
import { formatReport, formatTable } from './probe/report.ts'
import { INTERNET, openWorldProbes, type Places, sandboxPlaces } from './probe/world.ts'

const USAGE = `usage: npm run probe:world -- [--sandbox] [--only TEXT] [--registries N] [--report FILE]

Asks every provider that needs no account: registries over RDAP, WHOIS and DNS, Ethereum nodes, facilitators and others.
Each is asked once or twice, with a pause; no payment is sent. Settings of the environment are not used, except
ONOMA_DNS_SERVERS and the proxy variables. Takes about a minute.

  --sandbox       Ask the simulated internet instead
  --only TEXT     Only providers whose group, name or host contains TEXT
  --registries N  How many registries to ask per protocol (default 20)
  --report FILE   Where to write the report (default probe-world.md)

The exit code is 0 if our readers understand every answer that arrived, 1 if not, or if no answer arrived.
`

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }

type Options = {
  readonly sandbox: boolean
  readonly only: string
  readonly registries: number
  readonly report: string
}
type Needs = { readonly print?: (text: string) => void; readonly wait?: (ms: number) => Promise<void> }

/** Runs the command and returns its exit code. */
export async function probeWorld(args: string[], { print = console.log, wait = sleep }: Needs = {}): Promise<number> {
  const options = parseOptions(args)
  if (options === undefined) {
    print(USAGE)
    return args.includes('--help') ? 0 : 2
  }
  const place = options.sandbox ? await enterSandbox() : await enterInternet(process.env)
  try {
    const { config, places } = place
    const world = await openWorldProbes({ config, places, clock: systemClock, random: secureRandom, log, ...options })
    try {
      const probes = world.probes.filter((probe) => isWanted(probe, options.only))
      if (probes.length === 0) {
        print(`No provider has "${options.only}" in its group, name or host.`)
        return 2
      }
      const findings = await runProbes(probes, { clock: systemClock, wait })
      print(formatTable(findings))
      await writeFile(options.report, formatReport(findings, about(options)))
      print(`The report is in ${options.report}.`)
      return isAsExpected(findings) ? 0 : 1
    } finally {
      await world.close()
    }
  } finally {
    await place.leave()
  }
}

const isWanted = ({ group, provider, host }: Probe, only: string): boolean =>
  `${group} ${provider} ${host}`.toLowerCase().includes(only.toLowerCase())

const isAsExpected = (findings: readonly Finding[]): boolean =>
  findings.every(({ status }) => status !== 'changed') && findings.some(({ status }) => status === 'ok')

const about = ({ sandbox }: Options) => ({
  version,
  at: timestamp(systemClock),
  platform: `${process.platform} ${process.arch}, Node ${process.version}`,
  where: sandbox ? 'the sandbox' : 'the internet',
})

function parseOptions(args: string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        sandbox: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        registries: { type: 'string', default: '20' },
        report: { type: 'string', default: 'probe-world.md' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return undefined
    return /^[1-9]\d?$/.test(values.registries) ? { ...values, registries: Number(values.registries) } : undefined
  } catch {
    return undefined
  }
}

type Place = { readonly config: Config; readonly places: Places; leave(): Promise<void> }

/** The report must not contain an operator's secrets, so the operator's providers are not asked. */
const USED_SETTINGS = [
  'ONOMA_DNS_SERVERS',
  'ONOMA_DOH_URLS',
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
]

async function enterInternet(env: NodeJS.ProcessEnv): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'onoma-probe-'))
  const used = Object.fromEntries(USED_SETTINGS.map((name) => [name, env[name]]))
  return {
    config: loadConfig({ ...used, ONOMA_DATA_DIR: folder }),
    places: INTERNET,
    leave: () => rm(folder, { recursive: true, force: true }),
  }
}

async function enterSandbox(): Promise<Place> {
  const world = await startWorld(SIMULATORS)
  try {
    const { config } = await sandboxConfig(parseSandboxEnv({}), world)
    return { config, places: sandboxPlaces(world), leave: world.stop }
  } catch (error) {
    await world.stop()
    throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await probeWorld(process.argv.slice(2))
