/** Scores the parking detection on our labelled pages and, if given, on a folder of captures. */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isHeldOut, labelledPages } from '../test/parking/labelled.ts'
import { parkingSummary, readParkingCases, scoreParking } from './score/parking.ts'

const USAGE = `usage: npm run score:parking [-- FOLDER]

  FOLDER  contains NAME.json ({"host": "example.com", "parked": true, …}) and the document in NAME.html;
          optional fields of the JSON: finalUrl, hops, status, title, text, hosts, nameservers, addresses,
          and html and firstBody with file names
`

/** Runs the command and returns its exit code: 0 if everything was scored. */
export async function scoreParkingPages(args: string[], print: (line: string) => void = console.log): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  if (positionals.length > 1) {
    print(USAGE)
    return 1
  }
  const pages = labelledPages()
  const printScore = (title: string, cases: Parameters<typeof scoreParking>[0]) => {
    for (const line of parkingSummary(title, scoreParking(cases))) print(line)
  }
  printScore(
    'tuning half',
    pages.filter(({ family }) => !isHeldOut(family)),
  )
  printScore(
    'held-out half',
    pages.filter(({ family }) => isHeldOut(family)),
  )
  printScore('all labelled pages', pages)
  const [folder] = positionals
  if (folder === undefined) return 0
  const cases = await readParkingCases(folder)
  if (cases.length === 0) {
    print(`${folder} has no cases`)
    return 1
  }
  printScore(folder, cases)
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await scoreParkingPages(process.argv.slice(2))
