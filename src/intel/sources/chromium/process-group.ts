import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { sleep } from '../../../kernel/sleep.ts'

/** All processes of one browser: the driver starts each in a group of its own. */
export type ProcessGroup = {
  /** Memory they have for themselves; 0 where the machine does not tell. */
  privateMegabytes(): number
  /** Lets everything else on the machine go first, with what they start later, too. */
  giveWay(): void
  /** Ends them at once. */
  kill(): void
  /** Resolves when none runs any more, or nothing more can be done about it. */
  untilGone(): Promise<void>
}

const PAGES_PER_MEGABYTE = 256
/** About a third of what others are given where there is not enough for all; with less, visits would not end in time. */
const NICE = 5
const CHECK_MS = 20
const PATIENCE = 100

/** The group a process belongs to; undefined where the machine does not tell, or it is our own. */
export function processGroupOf(pid: number): ProcessGroup | undefined {
  const group = readStat(String(pid))?.group
  // Never our own group, and never "every process there is".
  if (group === undefined || group <= 1 || group === readStat('self')?.group) return undefined
  const members = () => pids().filter((pid) => readStat(pid)?.group === group)
  return {
    privateMegabytes: () => members().reduce((sum, pid) => sum + privatePages(pid), 0) / PAGES_PER_MEGABYTE,
    giveWay() {
      for (const pid of members()) for (const thread of threadsOf(pid)) unlessGone(() => setPriority(thread, NICE))
      // Where Linux shares out by sessions, that alone would only count among the processes of the browser.
      unlessGone(() => writeFileSync(`/proc/${group}/autogroup`, String(NICE)))
    },
    kill() {
      try {
        process.kill(-group, 'SIGKILL')
      } catch {
        // All gone already.
      }
    },
    async untilGone() {
      for (let checks = 0; checks < PATIENCE && members().length > 0; checks += 1) await sleep(CHECK_MS)
    },
  }
}

/** Each thread has a priority of its own; a new one has that of the thread that made it. */
function threadsOf(pid: string): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return []
  }
}

function unlessGone(act: () => void): void {
  try {
    act()
  } catch {
    // Then there is nobody to give way.
  }
}

function pids(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** `pid (name) state parent group …`, where the name may hold anything; undefined for what does not run any more. */
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
