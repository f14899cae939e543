/** Builds without end, for a test that kills it: says `ready` once it is well under way. */
import { manualClock } from '../../kernel/clock.ts'
import { buildFts5 } from './fts5/build.ts'
import { recordOf } from './records.fixture.ts'

function* endless() {
  for (let number = 1; ; number++) {
    if (number === 3000) process.stdout.write('ready\n')
    yield recordOf({ serial: String(10_000_000 + number), mark: `KILLED ${number}` })
  }
}

await buildFts5(process.argv[2]!, endless(), { clock: manualClock() })
