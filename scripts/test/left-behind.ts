import { after } from 'node:test'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded before the suites. They share one process, which ends when its event loop is empty. A server, socket or timer
 * that a test leaves open would keep it running forever: five seconds after the last test this becomes a failure.
 */
const GRACE_MS = 5000

// Worker threads load this file, too. A thread runs no tests, so there the hook would fire while the tests are running.
if (isMainThread) {
  after(() => {
    setTimeout(() => {
      const resources = [...new Set(process.getActiveResourcesInfo())].join(', ')
      console.error(
        `\nThe tests are done, but one of them left a resource open that keeps the process alive: ${resources}`,
      )
      process.exitCode = 1
      // On this signal the runner prints its summary and exits; process.exit() would lose the summary.
      process.kill(process.pid, 'SIGTERM')
    }, GRACE_MS).unref()
  })
}
