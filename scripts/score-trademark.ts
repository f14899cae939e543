/**
 * Recall of the trademark search: builds an index of an invented register, searches for misspelled and otherwise changed
 * variants of its marks, and reports how often the mark was among the first results.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { registerName, openIndex, ingestRecords } from '../bench/trademark/index-under-test.ts'
import { generateRegister } from '../sandbox/trademark/generator.ts'
import { readPairs, recordsOf, scorePairs } from './score/pairs.ts'
import { scoreVariants, TARGETS, type Miss, type Recall } from './score/recall.ts'

const USAGE = `usage: npm run score:trademark -- [options]

  --size N      Records in the register (default 1,000,000; the real one has 14,000,000)
  --queries N   Queries of each kind (default 200)
  --index DIR   Use the index in DIR; if it is empty, build one there and keep it
  --seed N      Seed of the register (default 20260101)
  --pairs FILE  Pairs of confusable marks, lines of "cited mark,query,class"; the cited marks are added to the register
  --errors N    Also print the first N queries that did not find their mark

Exit code: 0 if all targets are met, 1 if one is missed, 2 on an error.
`
const THREADS = 2

/** Runs the command and gives its exit code. */
export async function scoreTrademark(args: string[], print: (line: string) => void = console.log): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: 'string', default: '1000000' },
      queries: { type: 'string', default: '200' },
      seed: { type: 'string', default: '20260101' },
      errors: { type: 'string', default: '0' },
      index: { type: 'string' },
      pairs: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [size, queries, seed, errors] = [values.size, values.queries, values.seed, values.errors].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  const areNumbers = [size, queries, seed, errors].every((value) => Number.isSafeInteger(value) && value >= 0)
  if (values.help || !areNumbers || size < 1 || size > 29_000_000 || queries < 1) {
    print(USAGE)
    return values.help ? 0 : 2
  }
  const pairs = values.pairs === undefined ? [] : await readPairs(values.pairs)
  const folder = values.index ?? (await mkdtemp(join(tmpdir(), 'onoma-score-')))
  const index = openIndex(folder, { threads: THREADS })
  try {
    if (index.info() === null)
      await ingestRecords(folder, registerName({ size, seed }), generateRegister({ size, seed }))
    const documents = index.info()!.documents
    if (documents < size) throw new Error(`The index in ${folder} has ${documents} records, not ${size}.`)
    const { recalls, misses } = await scoreVariants(index, { seed, size, queries, concurrent: THREADS })
    const lines = [...recalls].map(([kind, recall]) => lineOf(kind, recall, TARGETS[kind]))
    print(`${documents.toLocaleString('en')} records, ${queries} queries of each kind; the share that found their mark`)
    print(`${'kind'.padEnd(16)} ${['@10', 'target', '@50', 'count'].map((title) => title.padStart(7)).join('')}`)
    for (const { text } of lines) print(text)
    if (pairs.length > 0) misses.push(...(await addPairs(folder, pairs, print)))
    printMisses(misses, errors, print)
    return lines.every(({ met }) => met) ? 0 : 1
  } finally {
    await index.close()
    if (values.index === undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** Opens the index again: a search during the import may still run in the register without the cited marks. */
async function addPairs(
  folder: string,
  pairs: Awaited<ReturnType<typeof readPairs>>,
  print: (line: string) => void,
): Promise<readonly Miss[]> {
  await ingestRecords(folder, `cited marks ${JSON.stringify(pairs)}`, recordsOf(pairs))
  const index = openIndex(folder, { threads: THREADS })
  try {
    const { anywhere, inClass, misses } = await scorePairs(index, pairs)
    print(lineOf('pairs', anywhere, undefined).text)
    print(lineOf('pairs in class', inClass, undefined).text)
    return misses
  } finally {
    await index.close()
  }
}

function lineOf(kind: string, { asked, in10, in50 }: Recall, target: number | undefined) {
  const share = (part: number) => (asked === 0 ? '–' : (part / asked).toFixed(3)).padStart(7)
  const met = asked === 0 || target === undefined || in10 / asked >= target
  const targetText = (target === undefined ? '' : `≥ ${target.toFixed(2)}`).padStart(7)
  return {
    met,
    text: `${kind.padEnd(16)} ${share(in10)}${targetText}${share(in50)}${String(asked).padStart(7)}${met ? '' : '  MISSED'}`,
  }
}

function printMisses(misses: readonly Miss[], max: number, print: (line: string) => void): void {
  for (const { kind, asked, mark, first } of misses.slice(0, max))
    print(`${kind}: "${asked}" did not find "${mark}"; first came "${first}"`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await scoreTrademark(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  }
}
