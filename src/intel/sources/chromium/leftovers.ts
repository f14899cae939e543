import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/clock.ts'

/** The profile folder Playwright creates for each browser, and removes unless the service was killed. */
const FOLDER = /^playwright_chromiumdev_profile-\w+$/
/** A younger folder may belong to a browser that is being started. */
const MIN_AGE_MS = 10 * 60_000

/** Removes profile folders of killed browsers: old folders of this user that no running process refers to. */
export async function sweepLeftovers(clock: Clock, folder = tmpdir()): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => FOLDER.test(name))
  if (names.length === 0) return 0
  const commands = await runningCommands()
  // Without the process list, a folder in use cannot be told from a leftover.
  if (commands === null) return 0
  let swept = 0
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    const isOurs = found?.isDirectory() && found.uid === process.getuid?.() && clock.now() - found.mtimeMs > MIN_AGE_MS
    if (!isOurs || commands.includes(path)) continue
    await rm(path, { recursive: true, force: true }).catch(() => {})
    swept += 1
  }
  return swept
}

/** The command lines of all processes as one text; null without `/proc`. */
async function runningCommands(): Promise<string | null> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  if (pids.length === 0) return null
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return commands.join('\n')
}
