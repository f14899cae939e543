import { after } from 'node:test'

/**
 * Loaded before the suites. All of them share one process, which ends when nothing is left to do: a server, socket or
 * timer left open would keep it waiting for ever. Five seconds after the last test that becomes a failure with a name.
 */
const GRACE_MS = 5000

after(() => {
  setTimeout(() => {
    const resources = [...new Set(process.getActiveResourcesInfo())].join(', ')
    console.error(
      `\nThe tests are done, but one of them left something open that keeps the process alive: ${resources}`,
    )
    process.exitCode = 1
    // On this signal the runner prints its summary and ends; process.exit() would lose the summary.
    process.kill(process.pid, 'SIGTERM')
  }, GRACE_MS).unref()
})
