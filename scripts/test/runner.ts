import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { endingWithUs } from '../../test/support/servers/process.ts'

const TEST_TIMEOUT_MS = 180_000
const RUN_TIMEOUT_MS = 30 * 60_000
/** From SIGTERM to SIGKILL. */
const KILL_AFTER_MS = 5000

type Run = {
  readonly root: string
  readonly files: readonly string[]
  /** More options for Node's runner, such as `--test-name-pattern=…`. */
  readonly options: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** Runs the files in one process of Node's test runner and returns its exit code; 1 if it was stopped. */
export async function runSuites({ root, files, options, env, signal }: Run): Promise<number> {
  const [command, words] = endingWithUs(process.execPath, [
    '--import',
    pathToFileURL(join(import.meta.dirname, 'left-behind.ts')).href,
    '--test',
    '--test-isolation=none',
    '--test-reporter=spec',
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    ...options,
    ...files,
  ])
  // Detached, it has its own process group, so that all processes of the suites can be killed together. Windows has no
  // process groups, and would open a window.
  const hasGroups = process.platform !== 'win32'
  const child = spawn(command, words, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'], detached: hasGroups })
  const killGroup = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(hasGroups ? -child.pid : child.pid, name)
    } catch {
      // The group has ended already.
    }
  }
  const lastResort = () => killGroup('SIGKILL')
  process.on('exit', lastResort)
  let stopped = false
  let killTimer: NodeJS.Timeout | undefined
  const stop = () => {
    stopped = true
    killGroup('SIGTERM')
    killTimer = setTimeout(lastResort, KILL_AFTER_MS)
  }
  const watchdog = setTimeout(() => {
    console.error(`\nThe test run did not end within ${RUN_TIMEOUT_MS / 60_000} minutes and was stopped.`)
    stop()
  }, RUN_TIMEOUT_MS)
  signal.addEventListener('abort', stop, { once: true })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  clearTimeout(watchdog)
  clearTimeout(killTimer)
  lastResort()
  process.off('exit', lastResort)
  return stopped ? 1 : (code ?? 1)
}
