import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type Config, loadConfig } from '../src/app/settings/config.ts'
import type { World } from './world.ts'

type Env = Parameters<typeof loadConfig>[0]

/** Settings that also work in the sandbox. Any other could point the service at a real system. */
const ALLOWED_SETTINGS = [
  'PORT',
  'ENS_PORT',
  'ONOMA_PUBLIC_URL',
  'ONOMA_RATE_LIMIT',
  'ONOMA_DOCUMENT_RATE_LIMIT',
  'ONOMA_MAX_CONNECTIONS_PER_CLIENT',
  'ONOMA_REGISTRARS',
  'ONOMA_LOG_LEVEL',
  'ONOMA_METRICS',
]
const LOOPBACK = '127.0.0.1'
const PAYMENTS_OFF = 'Payments are off: play money needs an ONOMA_PUBLIC_URL on this machine, or none.'

/** The settings from the environment. */
export type RequestedSettings = {
  /** The allowed ones that are set. */
  readonly allowed: Env
  readonly ports: Pick<Config, 'port' | 'ensPort' | 'metrics'>
  /** A sentence about the settings that are ignored. */
  readonly notes: readonly string[]
}

/** Throws ConfigError if a setting is invalid, or if any live payment setting is present. */
export function parseSandboxEnv(env: Env): RequestedSettings {
  const ports = loadConfig({ ...env, HOST: LOOPBACK, ONOMA_TRUSTED_PROXIES: '', ONOMA_SANDBOX: 'on' })
  const given = Object.keys(env).filter((name) => env[name]?.trim())
  const ignored = given.filter(
    (name) => (name.startsWith('ONOMA_') || name === 'HOST') && ![...ALLOWED_SETTINGS, 'ONOMA_SANDBOX'].includes(name),
  )
  const allowed = given.filter((name) => ALLOWED_SETTINGS.includes(name)).map((name) => [name, env[name]])
  return {
    allowed: { ONOMA_LOG_LEVEL: 'warn', ...Object.fromEntries(allowed) },
    ports,
    notes: [
      ...(ignored.length === 0 ? [] : [`Ignored in the sandbox: ${ignored.join(', ')}.`]),
      ...(ports.payments.mode === 'off' ? [PAYMENTS_OFF] : []),
    ],
  }
}

/** Configures the service for the simulated internet: on loopback, on free ports, with its data in the world's folder. */
export async function sandboxConfig(
  { allowed, ports }: RequestedSettings,
  { settings, folder }: Pick<World, 'settings' | 'folder'>,
): Promise<{ config: Config; notes: readonly string[] }> {
  const wanted = { API: ports.port, ENS: ports.ensPort, metrics: ports.metrics?.port ?? null }
  const found = await findFreePorts(wanted)
  const moved = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (part) => wanted[part] && found[part] !== wanted[part],
  )
  return {
    config: loadConfig({
      ...allowed,
      ...settings,
      HOST: LOOPBACK,
      PORT: String(found.API),
      ENS_PORT: String(found.ENS ?? 0),
      ONOMA_METRICS: found.metrics === null ? 'off' : `${LOOPBACK}:${found.metrics}`,
      ONOMA_DATA_DIR: join(folder, 'data'),
      ONOMA_SANDBOX: 'on',
    }),
    notes: moved.map((part) => `Port ${wanted[part]} is in use; the ${part} port is ${found[part]} instead.`),
  }
}

/** Replaces each port in use by a free one. Null stays null. */
async function findFreePorts<Part extends string>(
  wanted: Readonly<Record<Part, number | null>>,
): Promise<Record<Part, number | null>> {
  const held: Awaited<ReturnType<typeof listenOn>>[] = []
  const found: Record<Part, number | null> = { ...wanted }
  try {
    for (const part of Object.keys(wanted) as Part[]) {
      const port = wanted[part]
      if (port === null) continue
      // Listen on all of them until the last is found, so that no two parts get the same port.
      const holder = await listenOn(port).catch(() => listenOn(0))
      held.push(holder)
      found[part] = (holder.address() as AddressInfo).port
    }
  } finally {
    await Promise.all(held.map((holder) => holder[Symbol.asyncDispose]()))
  }
  return found
}

async function listenOn(port: number) {
  const server = createServer().listen(port, LOOPBACK)
  await once(server, 'listening')
  return server
}
