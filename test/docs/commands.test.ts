import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Command, holdsCommands, parseCommands } from './commands.ts'
import { type Fence, fencesOfPages, GOING_LIVE, isTutorial } from './fences.ts'
import { NOT_RUN } from './not-run.ts'
import { shapeDifference } from './output-shape.ts'
import { openWorkplace, type RunOptions, type Workplace } from './workplace.ts'

/** All commands of a page together take seconds on an idle machine, minutes beside other work. */
const TIMEOUT_MS = 10 * 60_000

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
}

/** Interactive commands: their input, or the output after which they can be stopped. */
const ATTENDED: Readonly<Record<string, RunOptions & { readonly says?: RegExp }>> = {
  'npm start': { until: /is ready/, says: /Stopped\./ },
  'npm run sandbox': { until: /Ctrl-C stops everything/, says: /Stopping\./ },
  'npx onoma mcp': { input: `${JSON.stringify(INITIALIZE)}\n`, says: /"serverInfo"/ },
}

const commandsOf = (fences: readonly Fence[]): Command[] =>
  fences.filter((fence) => holdsCommands(fence) && !isTutorial(fence)).flatMap(parseCommands)
const commandsByPage = Object.entries(Object.groupBy(fencesOfPages(), ({ file }) => file))
  .filter(([file]) => file !== GOING_LIVE)
  .map(([file, fences]) => [file, commandsOf(fences!)] as const)

suite('commands of the pages', { concurrency: 2, timeout: 3 * TIMEOUT_MS }, () => {
  let workplace: Workplace
  before(async () => {
    workplace = await openWorkplace()
  })
  after(() => workplace?.close())

  const begun = new Set<string>()
  for (const [page, commands] of commandsByPage) {
    const own = commands.filter(({ text, setup, shown }) => {
      const key = JSON.stringify([text, setup, shown])
      const isNew = !begun.has(key) && !Object.hasOwn(NOT_RUN, text)
      begun.add(key)
      return isNew
    })
    if (own.length === 0) continue
    test(page, { timeout: TIMEOUT_MS }, async (t) => {
      for (const command of own) await t.test(command.text, { timeout: TIMEOUT_MS }, () => tryOut(command))
    })
  }

  async function tryOut({ text, setup, shown, exitCode }: Command): Promise<void> {
    const ended = await workplace.run([...setup, text].join(' && '), ATTENDED[text])
    // With our .curlrc, curl exits with 22 for an error response.
    const expected = shown?.startsWith('{"error"') === true && text.startsWith('curl') ? 22 : exitCode
    // npm ends by the signal; what it runs ends by itself, after its last words.
    const isStopped = ATTENDED[text]?.until !== undefined && ended.code === null
    assert.equal(isStopped ? expected : ended.code, expected, `${ended.stderr}\n${ended.stdout.slice(0, 2000)}`)
    assert.match(ended.stdout, ATTENDED[text]?.says ?? /^/)
    if (shown !== undefined) assert.equal(shapeDifference(shown, ended.stdout), null)
  }
})

test('every command listed as not run is on a page', () => {
  const texts = new Set(commandsByPage.flatMap(([, commands]) => commands.map(({ text }) => text)))
  assert.deepEqual(
    [...Object.keys(NOT_RUN), ...Object.keys(ATTENDED)].filter((text) => !texts.has(text)),
    [],
  )
})
