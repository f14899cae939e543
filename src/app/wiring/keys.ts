import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { Config } from '../settings/config.ts'

type Needs = {
  readonly config: Pick<Config, 'keys' | 'dataDir'>
  readonly random: Random
  readonly log: Pick<Log, 'warn'>
}

const KEY_BYTES = 32

/**
 * The secret keys, the current one first: those of ONOMA_KEYS, or of a file that is created on first use. The file has one
 * key per line; to rotate, insert a new first line.
 */
export function loadKeys({ config, random, log }: Needs): Uint8Array[] {
  if (config.keys) return config.keys.map((key) => Buffer.from(key))
  const file = join(config.dataDir, 'keys')
  try {
    return readKeys(file) ?? createKeys(file, config.dataDir, random)
  } catch (error) {
    log.warn(
      { error },
      'The key file in ONOMA_DATA_DIR cannot be used: registration ids expire when this process ends.',
    )
    return [random.bytes(KEY_BYTES)]
  }
}

function readKeys(file: string): Uint8Array[] | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (keys.length === 0) throw new Error(`${file} contains no key`)
  return keys.map((key) => Buffer.from(key))
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
