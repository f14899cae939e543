/**
 * The sandbox in its own process, like `npm run sandbox`. It prints one line of JSON with its addresses and the settings
 * that point a command at the same simulators, and ends with its standard input.
 */
import { once } from 'node:events'
import { parseSandboxEnv, sandboxConfig } from '../../sandbox/settings.ts'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld } from '../../sandbox/world.ts'
import { startService } from '../../src/app/service.ts'
import { createLog, stdoutDestination } from '../../src/kernel/log.ts'

export type SandboxFacts = {
  readonly url: string
  readonly ensUrl: string
  readonly ianaUrl: string
  readonly chainUrl: string
  readonly settings: Readonly<Record<string, string>>
}

const world = await startWorld(SIMULATORS)
const requested = parseSandboxEnv({ PORT: '0', ONOMA_METRICS: 'off', ONOMA_RATE_LIMIT: '60000' })
const { config } = await sandboxConfig(requested, world)
const log = createLog('warn', stdoutDestination(process.stderr.fd))
// The pages show answers, not timeouts of a machine that is busy with other tests.
const service = await startService(config, { log, timeoutScale: 10 })
const addressOf = (simulator: string, address: string): string =>
  world.simulators.find(({ name }) => name === simulator)!.addresses[address]!
const facts: SandboxFacts = {
  url: service.url,
  ensUrl: service.ensUrl!,
  ianaUrl: addressOf('iana', 'files'),
  chainUrl: addressOf('ethereum', 'JSON-RPC'),
  settings: world.settings,
}
process.stdout.write(`${JSON.stringify(facts)}\n`)
await once(process.stdin.resume(), 'end')
await service.stop({ lingerMs: 0 })
await world.stop()
