import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../src/kernel/clock.ts'
import { freePort } from '../support/servers/process.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import type { ChaosWorld, Settlement } from './world.ts'

const PRELOAD = new URL('preload.ts', import.meta.url).href
const SMALL_DISK_MEGABYTES = 4

export type StartOptions = {
  /** Limit of open files. */
  readonly maxFiles?: number
  /** A data folder of its own on a disk of a few megabytes, which can be filled and made read-only. */
  readonly smallDisk?: boolean
  /** Whether that disk is read-only at the start: a disk with open files cannot be made so. */
  readonly readOnly?: boolean
  /** How wrong the service's clock is. */
  readonly clockOffsetMs?: number
  readonly settlement?: Settlement
  /** A Chromium to visit pages with. */
  readonly browser?: string
}

/** The time for clients, chains and the service. It runs ahead when the service was killed, so that its leases are over. */
export type ChaosClock = Clock & { readonly offsetMs: () => number; skip(ms: number): void }

export function createChaosClock(): ChaosClock {
  let offsetMs = 0
  return {
    now: () => Date.now() + offsetMs,
    monotonic: () => performance.now(),
    offsetMs: () => offsetMs,
    skip(ms) {
      offsetMs += ms
    },
  }
}

/** The service under test, which can be killed and started again on the same port with the same data. */
export async function createChaosService(world: ChaosWorld, clock: ChaosClock) {
  const port = await freePort()
  const cwd = join(world.folder, 'service')
  mkdirSync(cwd)
  let service: ServiceProcess | undefined
  const dataDir = (smallDisk: boolean, settlement: Settlement = 'key') =>
    join(cwd, smallDisk ? 'small' : settlement === 'play money' ? 'play' : 'data')
  return {
    url: `http://127.0.0.1:${port}`,
    clock,
    /** 0 before the first start. */
    pid: () => service?.pid ?? 0,
    async start({
      maxFiles,
      smallDisk = false,
      readOnly = false,
      clockOffsetMs = 0,
      settlement = 'key',
      browser = join(cwd, 'missing'),
    }: StartOptions = {}): Promise<ServiceProcess> {
      mkdirSync(dataDir(smallDisk, settlement), { recursive: true })
      service = await startServiceProcess({
        cwd,
        imports: [PRELOAD],
        wrapper: [
          ...(maxFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${maxFiles}; exec "$0" "$@"`]),
          ...(smallDisk ? smallDiskCommand(dataDir(true), readOnly) : []),
        ],
        env: {
          ...world.settings[settlement],
          PORT: String(port),
          ENS_PORT: '0',
          ONOMA_METRICS: 'off',
          ONOMA_RATE_LIMIT: '60000',
          // No proxy has to notice that it stops.
          ONOMA_DRAIN_SECONDS: '0',
          ONOMA_KEYS: 'a key of the service that is long enough for payments',
          ONOMA_CHROMIUM: browser,
          ONOMA_DATA_DIR: dataDir(smallDisk, settlement),
          CHAOS_CLOCK_OFFSET_MS: String(clock.offsetMs() + clockOffsetMs),
        },
      })
      return service
    },
    async stop() {
      await service?.kill()
    },
  }
}

export type ChaosService = Awaited<ReturnType<typeof createChaosService>>

/** The mount belongs to a namespace of the process and ends with it; needs no root where user namespaces are allowed. */
const smallDiskCommand = (folder: string, readOnly: boolean): string[] => {
  const mount = `mount -t tmpfs -o size=${SMALL_DISK_MEGABYTES}m,${readOnly ? 'ro' : 'rw'} tmpfs "$0" && exec "$@"`
  return ['unshare', '--map-root-user', '--mount', 'sh', '-c', mount, folder]
}

export const canMount = (): boolean =>
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

/** The disk of a service that was started with `smallDisk`, seen from outside its namespace. */
export function smallDiskOf(service: ServiceProcess, world: ChaosWorld) {
  const folder = join(world.folder, 'service', 'small')
  const filler = join(`/proc/${service.pid}/root`, folder, 'filler')
  return {
    fill() {
      const file = openSync(filler, 'w')
      try {
        for (const size of [65_536, 512]) writeUntilFull(file, size)
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler),
    makeWritable() {
      const mount = ['mount', '-o', 'remount,rw', folder]
      const { status, stderr } = spawnSync('nsenter', [
        '-t',
        String(service.pid),
        '-U',
        '-m',
        '--preserve-credentials',
        ...mount,
      ])
      if (status !== 0) throw new Error(`The disk cannot be made writable: ${stderr.toString()}`)
    },
  }
}

function writeUntilFull(file: number, size: number): void {
  try {
    for (;;) writeSync(file, Buffer.alloc(size))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
