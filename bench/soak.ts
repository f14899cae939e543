/** Memory and file descriptors must not grow. `npm run bench:soak`, `npm run bench:soak -- --minutes 60`. */
import { parseArgs } from 'node:util'
import { runAsCommand } from './run.ts'
import { soakWithChecks } from './soak/checks.ts'
import { soakWithRestarts } from './soak/restarts.ts'

const HELP = `npm run bench:soak -- [options]

Without options: 100,000 checks of different names as fast as they are answered.

  --minutes N   Instead, N minutes of a realistic mix of requests at a fixed rate on the whole sandbox, while its servers
                are stopped and started again on the same port, one kind after the other. N is at least 4; the figures of
                the second quarter are compared with those of the last, so 60 say more.
  --rate N      Requests per second of that mix, 1 to 2,000 (default 100)

Prints one JSON line for each sample, then the verdicts.
Exit code: 0 all hold, 1 one does not, 2 the measurement failed.
`

const CHECKS_TIMEOUT_MS = 45 * 60_000
/** For the start, the first fill of the caches and the stop. */
const EXTRA_MS = 30 * 60_000

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    rate: { type: 'string', default: '100' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

function parseNumber(option: string, value: string, [min, max]: readonly [number, number]): number {
  const number = Number(value)
  if (!(number >= min && number <= max))
    throw new Error(`--${option} must be a number from ${min} to ${max}, not ${value}.`)
  return number
}

if (values.help) process.stdout.write(HELP)
else if (values.minutes === undefined) await runAsCommand(CHECKS_TIMEOUT_MS, soakWithChecks)
else {
  const minutes = parseNumber('minutes', values.minutes, [4, 1_440])
  const rate = parseNumber('rate', values.rate, [1, 2_000])
  await runAsCommand(minutes * 60_000 + EXTRA_MS, () => soakWithRestarts({ minutes, rate }))
}
