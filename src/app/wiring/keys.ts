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
 * The secret keys, the current one first: the operator's, or those of a file that is made at the first need. In the file
 * each key stands on a line of its own; a new one is put in the first.
 */
export function loadKeys({ config, random, log }: Needs): Uint8Array[] {
  if (config.keys) return config.keys.map((key) => Buffer.from(key))
  const file = join(config.dataDir, 'keys')
  try {
    return readKeys(file) ?? makeKeys(file, config.dataDir, random)
  } catch (error) {
    const words = 'No key could be kept in ONOMA_DATA_DIR: registration ids will not outlive this process.'
    log.warn({ error }, words)
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
  if (keys.length === 0) throw new Error(`${file} has no key in it`)
  return keys.map((key) => Buffer.from(key))
}

/** Whole or not at all, and never over another's: instances that start together end up with the same key. */
function makeKeys(file: string, folder: string, random: Random): Uint8Array[] {
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
