/** The whole simulated internet of the sandbox, a child process, so that its CPU time is not counted as the service's. */
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld } from '../../sandbox/world.ts'

export type WorldPlaces = { readonly settings: Readonly<Record<string, string>>; readonly folder: string }

const STOP_TIMEOUT_MS = 2_000

// The chain looks for a package.json above the working directory.
process.chdir(import.meta.dirname)
const { settings, folder, stop } = await startWorld(SIMULATORS)
process.once('SIGTERM', () => {
  setTimeout(() => process.exit(0), STOP_TIMEOUT_MS).unref()
  void stop().finally(() => process.exit(0))
})
console.log(JSON.stringify({ world: { settings, folder } satisfies WorldPlaces }))
