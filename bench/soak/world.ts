/** The whole simulated internet of the sandbox in a child process, each server behind a port that can be closed. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld } from '../../sandbox/world.ts'
import { type Relay, startRelay } from './relay.ts'
import { type Party, PARTY_OF_SETTING } from './parties.ts'

export type SoakWorld = { readonly settings: Readonly<Record<string, string>>; readonly folder: string }
export type RestartRequest = { readonly ask: 'close' | 'open'; readonly party: Party }

const STOP_TIMEOUT_MS = 2_000
const ADDRESS = /127\.0\.0\.1:\d+/g

// The chain looks for a package.json above the working directory.
process.chdir(import.meta.dirname)
const { settings, folder, stop } = await startWorld(SIMULATORS)
const relays = new Map<string, { readonly party: Party; readonly relay: Relay }>()

async function reroute(party: Party, text: string): Promise<string> {
  const found = new Map<string, string>()
  for (const target of new Set(text.match(ADDRESS))) {
    const known = relays.get(target)?.relay ?? (await startRelay(target, { udp: party === 'dns' }))
    relays.set(target, { party, relay: known })
    found.set(target, known.address)
  }
  return text.replaceAll(ADDRESS, (target) => found.get(target)!)
}

const rerouted: Record<string, string> = { ...settings }
const relayed = join(folder, 'relayed')
await mkdir(relayed)
for (const [name, value] of Object.entries(settings)) {
  const party = PARTY_OF_SETTING[name]
  if (party === undefined) continue
  if (!existsSync(value)) rerouted[name] = await reroute(party, value)
  else {
    rerouted[name] = join(relayed, name)
    await writeFile(rerouted[name], await reroute(party, await readFile(value, 'utf8')))
  }
}

process.on('message', ({ ask, party }: RestartRequest) => {
  if (ask !== 'close' && ask !== 'open') return
  const affected = [...relays.values()].filter((one) => one.party === party)
  void Promise.all(affected.map(({ relay }) => relay[ask]())).then(() => process.send?.({ servers: affected.length }))
})
process.once('SIGTERM', () => {
  setTimeout(() => process.exit(0), STOP_TIMEOUT_MS).unref()
  void stop().finally(() => process.exit(0))
})
console.log(JSON.stringify({ world: { settings: rerouted, folder } satisfies SoakWorld }))
