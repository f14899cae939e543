/** Scores the detection of parked names on our labelled pages and, where given, on a folder of captures. */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isHeldOut, labelledPages } from '../test/parking/labelled.ts'
import { parkingSummary, readParkingCases, scoreParking } from './score/parking.ts'

const USAGE = `usage: npm run score:parking [-- FOLDER]

  FOLDER  holds NAME.json ({"host": "example.com", "parked": true, …}) with the document in NAME.html beside it;
          the JSON may also tell finalUrl, hops, status, title, text, hosts, nameservers, addresses,
          and name the files of html and firstBody
`

/** Runs the command and gives its exit code: 0 when all could be scored. */
export async function scoreParkingPages(args: string[], print: (line: string) => void = console.log): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  if (positionals.length > 1) {
    print(USAGE)
    return 1
  }
  const pages = labelledPages()
  const tell = (title: string, cases: Parameters<typeof scoreParking>[0]) => {
    for (const line of parkingSummary(title, scoreParking(cases))) print(line)
  }
  tell(
    'tuning half',
    pages.filter(({ family }) => !isHeldOut(family)),
  )
  tell(
    'held-out half',
    pages.filter(({ family }) => isHeldOut(family)),
  )
  tell('all labelled pages', pages)
  const [folder] = positionals
  if (folder === undefined) return 0
  const cases = await readParkingCases(folder)
  if (cases.length === 0) {
    print(`${folder} holds no cases`)
    return 1
  }
  tell(folder, cases)
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await scoreParkingPages(process.argv.slice(2))
