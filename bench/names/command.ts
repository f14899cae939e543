import { parseArgs } from 'node:util'
import { type Children, createChildren } from '../children.ts'
import { printReport, runAsCommand, showProgress } from '../run.ts'
import type { Verdict } from '../verdicts.ts'
import type { ContestantName } from './contestants.ts'
import { installPeers } from './install-peers.ts'

export type Options = {
  readonly quick: boolean
  readonly contestants: readonly ContestantName[]
  readonly tls: boolean
  readonly only: string
}
export type Outcome = {
  readonly tables: readonly string[]
  readonly verdicts: readonly Verdict[]
  readonly data: object
}

type Bench = {
  readonly help: string
  readonly timeoutMs: number
  run(children: Children, options: Options): Promise<Outcome>
}

const OPTIONS = `
  --quick       A short run: shows large regressions, not exact figures
  --no-peers    Onoma alone
  --no-tls      RDAP over HTTP instead of HTTPS
  --only PART   Only rows whose title contains PART
  --json        Print one JSON object instead of tables

The peers are installed into bench/peers on first use (npm ci). Everything else stays on loopback.
Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

/** Runs a bench about names with the usual options and a deadline, and stops every process it started. */
export async function runBench({ help, timeoutMs, run }: Bench): Promise<void> {
  await runAsCommand(timeoutMs, () => main(help, run))
}

async function main(help: string, run: Bench['run']): Promise<number> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: true },
      tls: { type: 'boolean', default: true },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(`${help}${OPTIONS}`)
    return 0
  }
  if (values.peers) await installPeers(showProgress)
  const contestants: readonly ContestantName[] = values.peers ? ['onoma', 'rdapper', 'whoiser'] : ['onoma']
  const children = createChildren()
  try {
    const { tables, verdicts, data } = await run(children, { ...values, contestants })
    return printReport({ json: values.json, sections: tables, data, verdicts })
  } finally {
    await children.stop()
  }
}
