import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import { moveAside } from '../../kernel/damaged-file.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { Config } from '../settings/config.ts'

type Needs = {
  readonly config: Pick<Config, 'keys' | 'dataDir'>
  readonly random: Random
  readonly log: Pick<Log, 'warn'>
  readonly clock?: Clock
}

const KEY_BYTES = 32
/** A file with shorter lines only is what is left of a key. */
const MIN_KEY_LENGTH = 16

/**
 * The secret keys, the current one first: those of ONOMA_KEYS, or of a file that is created on first use. The file has one
 * key per line; to rotate, insert a new first line.
 */
export function loadKeys({ config, random, log, clock = systemClock }: Needs): Uint8Array[] {
  if (config.keys) return config.keys.map((key) => Buffer.from(key))
  const file = keyFile(config)
  try {
    const found = readKeys(file)
    if (found?.some((key) => key.length >= MIN_KEY_LENGTH)) return found
    const movedTo = found && moveAside(file, clock.now())
    if (movedTo)
      log.warn({ movedTo }, 'The key file was damaged and is moved aside; older registration ids are invalid.')
    return createKeys(file, config.dataDir, random)
  } catch (error) {
    log.warn(
      { error },
      'The key file in ONOMA_DATA_DIR cannot be used: registration ids expire when this process ends.',
    )
    return [random.bytes(KEY_BYTES)]
  }
}

/** Why the key file cannot be used, for the operator; undefined if it can, or does not exist yet. */
export function keyProblem(config: Needs['config']): string | undefined {
  if (config.keys) return undefined
  try {
    readKeys(keyFile(config))
    return undefined
  } catch (error) {
    return `The file of secret keys cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unreadable'}).`
  }
}

const keyFile = ({ dataDir }: Needs['config']): string => join(dataDir, 'keys')

/** Undefined if there is no file. */
function readKeys(file: string): Uint8Array[] | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((key) => Buffer.from(key))
}

/** Atomic, and never overwrites: instances that start at the same time use the same key. */
function createKeys(file: string, folder: string, random: Random): Uint8Array[] {
  mkdirSync(folder, { recursive: true })
  const draft = `${file}.${Buffer.from(random.bytes(6)).toString('hex')}`
  writeFileSync(draft, `${Buffer.from(random.bytes(KEY_BYTES)).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readKeys(file)!
}
