/**
 * Scores our readers of registries' answers on a folder of cases: each a JSON file that names the raw answer (WHOIS or
 * RDAP) beside it and the record it should come to.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ourRecord, readCases } from './score/cases.ts'
import { scoreCases, summary } from './score/score.ts'

const USAGE = `usage: npm run score:whois -- FOLDER [--errors N]

  FOLDER      holds NAME.json with the raw answer beside it, WHOIS or RDAP
  --errors N  also shows the first N mistakes
`

/** Runs the command and gives its exit code: 0 when the folder could be scored. */
export async function scoreWhois(args: string[], print: (line: string) => void = console.log): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { errors: { type: 'string', default: '0' } },
  })
  const [folder] = positionals
  const shown = Number(values.errors)
  if (folder === undefined || positionals.length > 1 || !Number.isInteger(shown) || shown < 0) {
    print(USAGE)
    return 1
  }
  const cases = await readCases(folder)
  if (cases.length === 0) {
    print(`${folder} holds no cases`)
    return 1
  }
  const score = await scoreCases(cases, ourRecord)
  for (const line of summary(folder, score)) print(line)
  for (const mistake of score.mistakes.slice(0, shown)) print(JSON.stringify(mistake))
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await scoreWhois(process.argv.slice(2))
