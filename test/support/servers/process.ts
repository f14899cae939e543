import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, globSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

/** Debian keeps daemons in sbin, which is not on everybody's PATH. */
const SBIN = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** The program's full path, or null when this machine does not have it. */
export function findProgram(program: string, path = process.env['PATH'] ?? ''): string | null {
  const candidates = program.startsWith('/')
    ? globSync(program).toSorted().toReversed()
    : [...path.split(':').filter(Boolean), ...SBIN].map((folder) => join(folder, program))
  return candidates.find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const alive = new Set<ChildProcess>()
// The last resort, for a crash; an orderly end calls `stop`.
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/** The command to run instead, so that the kernel ends the program when this process dies without a word. */
export function endingWithUs(program: string, args: readonly string[]): [string, readonly string[]] {
  const setpriv = findProgram('setpriv')
  return setpriv === null ? [program, args] : [setpriv, ['--pdeathsig', 'KILL', '--', program, ...args]]
}

export type Background = {
  /** Resolves when the program has ended, with what it wrote last. */
  readonly ended: Promise<string>
  stop(): Promise<void>
}

/** Runs a server in the background. It never outlives this process, not even when this process is killed. */
export function runInBackground(program: string, args: readonly string[], cwd: string): Background {
  const [command, words] = endingWithUs(program, args)
  const child = spawn(command, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  alive.add(child)
  let lastWords = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-2000)
    })
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(lastWords.trim()))
  }).finally(() => alive.delete(child))
  return {
    ended,
    async stop() {
      child.kill('SIGTERM')
      const impatience = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(impatience)
    },
  }
}

/** A TCP port on loopback that was free a moment ago, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Waits until the server says it is ready; throws when it ends first or ten seconds pass. */
export async function untilReady(background: Background, isReady: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = AbortSignal.timeout(10_000)
  let over: string | undefined
  void background.ended.then((lastWords) => (over = `it ended at once: ${lastWords}`))
  while (!(await isReady())) {
    if (deadline.aborted) over ??= 'it was not ready within ten seconds'
    if (over !== undefined) throw new Error(over)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
