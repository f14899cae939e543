/**
 * The sandbox in a process of its own, as `npm run sandbox` is; it also tells the settings with which a command lives
 * in the same world. One line of JSON on standard output; ends when standard input does.
 */
import { once } from 'node:events'
import { readWishes, sandboxConfig } from '../../sandbox/settings.ts'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld } from '../../sandbox/world.ts'
import { startService } from '../../src/app/service.ts'
import { createLog, stdoutDestination } from '../../src/kernel/log.ts'

export type SandboxFacts = {
  readonly url: string
  readonly ensUrl: string
  readonly ianaUrl: string
  readonly settings: Readonly<Record<string, string>>
}

const world = await startWorld(SIMULATORS)
const wishes = readWishes({ PORT: '0', ONOMA_METRICS: 'off', ONOMA_RATE_LIMIT: '60000' })
const { config } = await sandboxConfig(wishes, world)
const service = await startService(config, { log: createLog('warn', stdoutDestination(process.stderr.fd)) })
const facts: SandboxFacts = {
  url: service.url,
  ensUrl: service.ensUrl!,
  ianaUrl: world.simulators.find(({ name }) => name === 'iana')!.addresses['files']!,
  settings: world.settings,
}
process.stdout.write(`${JSON.stringify(facts)}\n`)
await once(process.stdin.resume(), 'end')
await service.stop({ lingerMs: 0 })
await world.stop()
