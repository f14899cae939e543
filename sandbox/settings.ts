import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type Config, loadConfig } from '../src/app/settings/config.ts'
import type { World } from './world.ts'

type Env = Parameters<typeof loadConfig>[0]

/** What a person may decide in the sandbox, too. Every other setting could lead outside, where nothing is simulated. */
const MAY_BE_CHOSEN = [
  'PORT',
  'ENS_PORT',
  'ONOMA_PUBLIC_URL',
  'ONOMA_RATE_LIMIT',
  'ONOMA_REGISTRARS',
  'ONOMA_LOG_LEVEL',
  'ONOMA_METRICS',
]
const LOOPBACK = '127.0.0.1'

/** What the environment asks for. Throws ConfigError where it is wrong, and beside any live payment setting. */
export type Wishes = {
  readonly chosen: Env
  readonly ports: Pick<Config, 'port' | 'ensPort' | 'metrics'>
  /** Sentences about what was asked for in vain. */
  readonly notes: readonly string[]
}

export function readWishes(env: Env): Wishes {
  const ports = loadConfig({ ...env, ONOMA_SANDBOX: 'on' })
  const given = Object.keys(env).filter((name) => env[name]?.trim())
  const vain = given.filter(
    (name) => (name.startsWith('ONOMA_') || name === 'HOST') && ![...MAY_BE_CHOSEN, 'ONOMA_SANDBOX'].includes(name),
  )
  const chosen = given.filter((name) => MAY_BE_CHOSEN.includes(name)).map((name) => [name, env[name]])
  return {
    chosen: { ONOMA_LOG_LEVEL: 'warn', ...Object.fromEntries(chosen) },
    ports,
    notes: vain.length === 0 ? [] : [`Without effect in the sandbox: ${vain.join(', ')}.`],
  }
}

/** The service as it lives in this world: on loopback, on ports that are free, with data that goes away with it. */
export async function sandboxConfig(
  { chosen, ports }: Wishes,
  { settings, folder }: Pick<World, 'settings' | 'folder'>,
): Promise<{ config: Config; notes: readonly string[] }> {
  const wanted = { API: ports.port, ENS: ports.ensPort, metrics: ports.metrics?.port ?? null }
  const found = await usablePorts(wanted)
  const moved = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (part) => wanted[part] && found[part] !== wanted[part],
  )
  return {
    config: loadConfig({
      ...chosen,
      ...settings,
      HOST: LOOPBACK,
      PORT: String(found.API),
      ENS_PORT: String(found.ENS ?? 0),
      ONOMA_METRICS: found.metrics === null ? 'off' : `${LOOPBACK}:${found.metrics}`,
      ONOMA_DATA_DIR: join(folder, 'data'),
      ONOMA_SANDBOX: 'on',
    }),
    notes: moved.map((part) => `Port ${wanted[part]} is taken: the ${part} port is ${found[part]} this time.`),
  }
}

/** Each port that is wanted, or another where that one is taken. Null stays null. */
async function usablePorts<Part extends string>(
  wanted: Readonly<Record<Part, number | null>>,
): Promise<Record<Part, number | null>> {
  const held: Awaited<ReturnType<typeof hold>>[] = []
  const found: Record<Part, number | null> = { ...wanted }
  try {
    for (const part of Object.keys(wanted) as Part[]) {
      const port = wanted[part]
      if (port === null) continue
      // All are held until the last is found, so that no two parts are given the same one.
      const holder = await hold(port).catch(() => hold(0))
      held.push(holder)
      found[part] = (holder.address() as AddressInfo).port
    }
  } finally {
    await Promise.all(held.map((holder) => holder[Symbol.asyncDispose]()))
  }
  return found
}

async function hold(port: number) {
  const server = createServer().listen(port, LOOPBACK)
  await once(server, 'listening')
  return server
}
