/**
 * Syncs a feed and kills its own process when a step is reached for the nth time; for tests.
 * `crash.fixture.ts FOLDER STEP NTH CLOCK`
 */
import { join } from 'node:path'
import { manualClock } from '../../kernel/clock.ts'
import { settingsFor } from './listings.fixture.ts'
import { runSync } from './sync-run.ts'

const [, , folder = '', step = '', nth = '1', now = '0'] = process.argv
let left = Number(nth)

await runSync(
  {
    path: join(folder, 'auctions.sqlite'),
    settings: settingsFor(join(folder, 'feed.csv')),
    userAgent: 'onoma-test',
    sandbox: true,
    holder: String(process.pid),
  },
  {
    clock: manualClock(Number(now)),
    signal: new AbortController().signal,
    at(point) {
      if (point === step && --left === 0) process.kill(process.pid, 'SIGKILL')
    },
  },
)
