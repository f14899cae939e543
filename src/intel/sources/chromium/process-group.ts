import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { sleep } from '../../../kernel/sleep.ts'

/** All processes of one browser: Playwright starts each browser in its own process group. */
export type ProcessGroup = {
  /** Memory not shared with other processes; 0 without `/proc`. */
  privateMegabytes(): number
  /** Lowers the CPU priority of all threads; processes started later inherit it. */
  lowerPriority(): void
  /** Sends SIGKILL to all of them. */
  kill(): void
  /** Resolves when all have exited, at the latest after two seconds. */
  untilExited(): Promise<void>
}

const PAGES_PER_MEGABYTE = 256
/** About a third of the CPU share of normal processes under load; with less, visits would time out. */
const NICENESS = 5
const EXIT_CHECK_INTERVAL_MS = 20
const MAX_EXIT_CHECKS = 100

/**
 * The process alone, for systems without `/proc`: macOS and Windows. Its children end with it; on macOS they are also in
 * its group, because Playwright starts a browser as the leader of one.
 */
export function processAlone(pid: number, platform: NodeJS.Platform, kill = process.kill.bind(process)): ProcessGroup {
  const isAlive = () => {
    try {
      return kill(pid, 0)
    } catch {
      return false
    }
  }
  return {
    privateMegabytes: () => 0,
    lowerPriority: () => ignoreErrors(() => setPriority(pid, NICENESS)),
    kill: () => ignoreErrors(() => kill(platform === 'win32' ? pid : -pid, 'SIGKILL')),
    async untilExited() {
      for (let checks = 0; checks < MAX_EXIT_CHECKS && isAlive(); checks += 1) await sleep(EXIT_CHECK_INTERVAL_MS)
    },
  }
}

/** The group of a process; undefined if it is the group of this process, or if the process has exited. */
export function processGroupOf(pid: number, platform: NodeJS.Platform = process.platform): ProcessGroup | undefined {
  if (platform !== 'linux') return pid > 1 ? processAlone(pid, platform) : undefined
  const group = readStat(String(pid))?.group
  // kill(-1) would signal every process.
  if (group === undefined || group <= 1 || group === readStat('self')?.group) return undefined
  const members = () => pids().filter((pid) => readStat(pid)?.group === group)
  return {
    privateMegabytes: () => members().reduce((sum, pid) => sum + privatePages(pid), 0) / PAGES_PER_MEGABYTE,
    lowerPriority() {
      for (const pid of members())
        for (const thread of threadsOf(pid)) ignoreErrors(() => setPriority(thread, NICENESS))
      // With autogroup scheduling, niceness alone only counts among the processes of the same session.
      ignoreErrors(() => writeFileSync(`/proc/${group}/autogroup`, String(NICENESS)))
    },
    kill() {
      try {
        process.kill(-group, 'SIGKILL')
      } catch {
        // All have exited already.
      }
    },
    async untilExited() {
      for (let checks = 0; checks < MAX_EXIT_CHECKS && members().length > 0; checks += 1)
        await sleep(EXIT_CHECK_INTERVAL_MS)
    },
  }
}

/** Each thread has its own priority; a new thread inherits that of its creator. */
function threadsOf(pid: string): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return []
  }
}

function ignoreErrors(act: () => void): void {
  try {
    act()
  } catch {
    // The process has exited.
  }
}

function pids(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** Parses `pid (name) state parent group …`; the name may contain anything. Undefined if the process has exited. */
function readStat(pid: string): { readonly group: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? undefined : { group: Number(group) }
  } catch {
    return undefined
  }
}

function privatePages(pid: string): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number)
    return resident - shared
  } catch {
    return 0
  }
}
