import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { open } from '../support/wire.ts'
import { runPageRound } from './page-round.ts'
import { type Chaos, LEASE_MS, type Round, runRound } from './round.ts'
import { canMount, smallDiskOf, type StartOptions } from './service.ts'

const DAY_MS = 86_400_000
const MAX_FILES = 256
const IDLE_CONNECTIONS = 300

/** Rounds that need the service started in another way, or killed. */
export async function runSpecialRound(chaos: Chaos, round: Round): Promise<void> {
  const { plan } = chaos
  switch (round.what) {
    case 'kill':
      return runRound(chaos, round, () => killAtRandom(chaos))
    case 'few files':
      return restartedWith(chaos, { maxFiles: MAX_FILES }, () => runRound(chaos, round, () => useUpFiles(chaos)))
    case 'wrong clock':
      return restartedWith(chaos, { clockOffsetMs: round.days * DAY_MS }, () =>
        runRound(chaos, round, () => sleep(plan.roundMs)),
      )
    case 'full disk':
    case 'read-only disk':
      if (!canMount()) return plan.print(`${round.what}: skipped, because this user may not mount a file system`)
      return restartedWith(chaos, { smallDisk: true, readOnly: round.what === 'read-only disk' }, () =>
        runRound(chaos, round, () => spoilDisk(chaos, round.what)),
      )
    case 'pages':
      if (plan.browser === undefined) return plan.print('pages: skipped, because there is no Chromium')
      return restartedWith(chaos, { settlement: 'play money', browser: plan.browser }, () =>
        runPageRound(chaos, round.kinds),
      )
    case 'network':
      return undefined
  }
}

/** kill -9 at a random moment, and a new start with the same data. */
async function killAtRandom(chaos: Chaos): Promise<void> {
  const { plan, host, random } = chaos
  await sleep(plan.roundMs / 4 + random.below(plan.roundMs / 2))
  await chaos.service.kill()
  host.clock.skip(LEASE_MS)
  chaos.service = await host.start()
  await sleep(plan.roundMs / 2)
}

/** More connections than the service has descriptors for. */
async function useUpFiles({ plan, service }: Chaos): Promise<void> {
  const port = Number(new URL(service.url).port)
  const sockets = await Promise.all(Array.from({ length: IDLE_CONNECTIONS }, () => open(port).catch(() => undefined)))
  const opened = sockets.filter((socket): socket is Socket => socket !== undefined)
  for (const socket of opened) socket.on('error', () => {})
  await sleep(plan.roundMs)
  plan.print(`  ${opened.length} idle connections, ${service.descriptors()} descriptors of ${MAX_FILES}`)
  for (const socket of opened) socket.destroy()
}

async function spoilDisk({ plan, service, world }: Chaos, what: 'full disk' | 'read-only disk'): Promise<void> {
  const disk = smallDiskOf(service, world)
  await sleep(plan.roundMs / 2)
  if (what === 'full disk') disk.fill()
  await sleep(plan.roundMs)
  const health = await fetch(`${service.url}/health`)
  if (health.status !== 200) throw new Error(`GET /health is ${health.status} with a ${what}.`)
  if (what === 'full disk') disk.empty()
  else disk.makeWritable()
}

/** Runs something with a service that was started otherwise, and starts it as usual again. */
export async function restartedWith(chaos: Chaos, options: StartOptions, run: () => Promise<void>): Promise<void> {
  const { host } = chaos
  await chaos.service.stop()
  chaos.service = await host.start(options)
  await run()
  await chaos.service.stop()
  chaos.service = await host.start()
}
