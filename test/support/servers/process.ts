import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, globSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { delimiter, isAbsolute, join } from 'node:path'

/** Debian installs daemons in sbin, which may not be on PATH. */
const SBIN = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** The program's full path; null if it is not installed. */
export function findProgram(program: string, path = process.env['PATH'] ?? ''): string | null {
  const name = process.platform === 'win32' ? `${program}.exe` : program
  const candidates = isAbsolute(program)
    ? globSync(program).toSorted().toReversed()
    : [...path.split(delimiter).filter(Boolean), ...SBIN].map((folder) => join(folder, name))
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

const KILL_AFTER_MS = 5_000
const READY_TIMEOUT_MS = 10_000
const POLL_MS = 10

const alive = new Set<ChildProcess>()
// For a crash; normally `stop` is called.
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/** Wraps a command so that the kernel kills the program when this process dies. */
export function endingWithUs(program: string, args: readonly string[]): [string, readonly string[]] {
  const setpriv = findProgram('setpriv')
  return setpriv === null ? [program, args] : [setpriv, ['--pdeathsig', 'KILL', '--', program, ...args]]
}

export type Background = {
  /** Resolves with the end of its output when the program has exited. */
  readonly ended: Promise<string>
  stop(): Promise<void>
}

/** Runs a server in the background. It never outlives this process, even if this process is killed. */
export function runInBackground(program: string, args: readonly string[], cwd: string): Background {
  const [command, words] = endingWithUs(program, args)
  const child = spawn(command, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  alive.add(child)
  let lastOutput = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      lastOutput = (lastOutput + text).slice(-2000)
    })
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(lastOutput.trim()))
  }).finally(() => alive.delete(child))
  return {
    ended,
    async stop() {
      child.kill('SIGTERM')
      const killTimer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
      await ended
      clearTimeout(killTimer)
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

/** Waits until the server is ready; throws if it exits first or is not ready within ten seconds. */
export async function untilReady(background: Background, isReady: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = AbortSignal.timeout(READY_TIMEOUT_MS)
  let failure: string | undefined
  void background.ended.then((lastOutput) => (failure = `it exited: ${lastOutput}`))
  while (!(await isReady())) {
    if (deadline.aborted) failure ??= 'it was not ready within ten seconds'
    if (failure !== undefined) throw new Error(failure)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
