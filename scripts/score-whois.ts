/**
 * Scores our WHOIS and RDAP parsers on a folder of cases. A case is a JSON file with the name of a raw answer and the
 * expected record.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ourRecord, readCases } from './score/cases.ts'
import { scoreCases, summary } from './score/score.ts'

const USAGE = `usage: npm run score:whois -- FOLDER [--errors N]

  FOLDER      contains a NAME.json for each case, and the raw WHOIS or RDAP answers they name
  --errors N  also print the first N mistakes
`

/** Runs the command and returns its exit code: 0 if the folder was scored. */
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
    print(`${folder} has no cases`)
    return 1
  }
  const score = await scoreCases(cases, ourRecord)
  for (const line of summary(folder, score)) print(line)
  for (const mistake of score.mistakes.slice(0, shown)) print(JSON.stringify(mistake))
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await scoreWhois(process.argv.slice(2))
