import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/clock.ts'

/** The folder the driver makes for each browser. It removes it itself, unless the service was killed. */
const FOLDER = /^playwright_chromiumdev_profile-\w+$/
/** A younger one may belong to a browser that is just being started. */
const YOUNG_MS = 10 * 60_000

/** Removes what browsers of services that died left behind: old folders of ours that no running process names. */
export async function sweepLeftovers(clock: Clock, folder = tmpdir()): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => FOLDER.test(name))
  if (names.length === 0) return 0
  const commands = await runningCommands()
  // Without knowing who runs, nobody can tell what is left over.
  if (commands === null) return 0
  let swept = 0
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    const isOurs = found?.isDirectory() && found.uid === process.getuid?.() && clock.now() - found.mtimeMs > YOUNG_MS
    if (!isOurs || commands.includes(path)) continue
    await rm(path, { recursive: true, force: true }).catch(() => {})
    swept += 1
  }
  return swept
}

/** The command lines of everything that runs, in one text; null where the machine does not tell. */
async function runningCommands(): Promise<string | null> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  if (pids.length === 0) return null
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return commands.join('\n')
}
