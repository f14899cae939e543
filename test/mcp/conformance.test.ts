import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { endpoint, route } from '../../src/kernel/endpoint.ts'
import { startWorld, syntheticRoutes, type World } from './world.ts'

const TOOL = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

/** What the official tool asks of any server that has tools and no sessions. */
const APPLIES = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'dns-rebinding-protection',
]

const NO_SUCH_FEATURE = 'the service offers tools only and does not announce this capability'
const NOT_AN_ENDPOINT = 'wants a tool that answers in a way no endpoint of ours does'
const NO_SESSIONS = 'is about resuming the streams of a session; the service keeps none'

/** What does not apply, and why. A scenario in neither list fails the test: somebody has to decide. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'logging-set-level': NO_SUCH_FEATURE,
  'completion-complete': NO_SUCH_FEATURE,
  'resources-list': NO_SUCH_FEATURE,
  'resources-read-text': NO_SUCH_FEATURE,
  'resources-read-binary': NO_SUCH_FEATURE,
  'resources-templates-read': NO_SUCH_FEATURE,
  'resources-subscribe': NO_SUCH_FEATURE,
  'resources-unsubscribe': NO_SUCH_FEATURE,
  'prompts-list': NO_SUCH_FEATURE,
  'prompts-get-simple': NO_SUCH_FEATURE,
  'prompts-get-with-args': NO_SUCH_FEATURE,
  'prompts-get-embedded-resource': NO_SUCH_FEATURE,
  'prompts-get-with-image': NO_SUCH_FEATURE,
  'tools-call-image': NOT_AN_ENDPOINT,
  'tools-call-audio': NOT_AN_ENDPOINT,
  'tools-call-embedded-resource': NOT_AN_ENDPOINT,
  'tools-call-mixed-content': NOT_AN_ENDPOINT,
  'tools-call-with-logging': NOT_AN_ENDPOINT,
  'tools-call-with-progress': NOT_AN_ENDPOINT,
  'tools-call-sampling': NOT_AN_ENDPOINT,
  'tools-call-elicitation': NOT_AN_ENDPOINT,
  'elicitation-sep1034-defaults': NOT_AN_ENDPOINT,
  'elicitation-sep1330-enums': NOT_AN_ENDPOINT,
  'json-schema-2020-12': 'wants references in the input of a tool; ours are written out, as some models need',
  'server-sse-polling': NO_SESSIONS,
  'server-sse-multiple-streams': NO_SESSIONS,
}

/** The two tools the official tool calls by name, as endpoint values like any other. */
const fixture = (name: string) =>
  endpoint({
    name,
    capability: { name: 'synthetic', description: 'For tests.' },
    method: 'GET',
    path: `/v1/${name}`,
    summary: 'Do what the conformance tool expects',
    description: 'Made up for it.',
    input: z.object({}),
    output: z.object({ said: z.string().meta({ description: 'Something.' }) }),
    errors: [],
    rate: 'counted',
    tool: true,
    example: { input: {}, output: { said: '' } },
  })

const routes = [
  ...syntheticRoutes(),
  route(fixture('test_simple_text'), () => ({ said: 'This is a simple text response for testing.' })),
  route(fixture('test_error_handling'), () => {
    throw new Error('This tool intentionally returns an error for testing')
  }),
]

type Check = { id: string; status: string; errorMessage?: string }

describe('the official conformance tool', () => {
  let world: World
  const found = new Map<string, Check[]>()

  before(async () => {
    world = await startWorld(routes)
    const folder = await mkdtemp(join(tmpdir(), 'onoma-conformance-'))
    const run = ['server', '--url', world.url.href, '--suite', 'all', '--output-dir', folder]
    // It ends with 1, since the scenarios that do not apply fail; what it found is in its files.
    await promisify(execFile)(process.execPath, [TOOL, ...run]).catch(() => {})
    for (const entry of await readdir(folder)) {
      const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(entry)![1]!
      found.set(scenario, JSON.parse(await readFile(join(folder, entry, 'checks.json'), 'utf8')) as Check[])
    }
    await rm(folder, { recursive: true })
  })
  after(() => world.close())

  test('knows no scenario that nobody has decided on', () => {
    assert.deepEqual([...found.keys()].sort(), [...APPLIES, ...Object.keys(EXCLUDED)].sort())
  })

  for (const scenario of APPLIES) {
    test(`is content with ${scenario}`, () => {
      const checks = (found.get(scenario) ?? []).filter(({ status }) => status !== 'INFO')
      assert.ok(checks.length > 0, 'nothing was checked')
      assert.deepEqual(
        checks.filter(({ status }) => status !== 'SUCCESS'),
        [],
      )
    })
  }
})
