import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as z from 'zod'
import { endpoint, route } from '../../src/kernel/endpoint.ts'
import { startMcpServer, syntheticRoutes, type McpServer } from './mcp-server.fixture.ts'

const TOOL = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

/** Scenarios of the official tool for a server with tools and without sessions. */
const APPLICABLE = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'dns-rebinding-protection',
]

const NO_SUCH_FEATURE = 'the service offers tools only and does not announce this capability'
const NOT_AN_ENDPOINT = 'needs a tool with a kind of result that no endpoint has'
const NO_SESSIONS = 'is about resuming the streams of a session; the service has no sessions'

/** Scenarios that do not apply, with the reason. A scenario in neither list fails the test. */
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
  'json-schema-2020-12': 'needs references in the input schema of a tool; ours are inlined, as some models require',
  'server-sse-polling': NO_SESSIONS,
  'server-sse-multiple-streams': NO_SESSIONS,
}

/** A tool that the official tool calls by name. */
const conformanceEndpoint = (name: string) =>
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
  route(conformanceEndpoint('test_simple_text'), () => ({ said: 'This is a simple text response for testing.' })),
  route(conformanceEndpoint('test_error_handling'), () => {
    throw new Error('This tool intentionally returns an error for testing')
  }),
]

type Check = { id: string; status: string; errorMessage?: string }

describe('the official conformance tool', () => {
  let server: McpServer
  const found = new Map<string, Check[]>()

  before(async () => {
    server = await startMcpServer(routes)
    const folder = await mkdtemp(join(tmpdir(), 'onoma-conformance-'))
    const run = ['server', '--url', server.url.href, '--suite', 'all', '--output-dir', folder]
    // It exits with 1, because the scenarios that do not apply fail; the results are in its files.
    await promisify(execFile)(process.execPath, [TOOL, ...run]).catch(() => {})
    for (const entry of await readdir(folder)) {
      const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(entry)![1]!
      found.set(scenario, JSON.parse(await readFile(join(folder, entry, 'checks.json'), 'utf8')) as Check[])
    }
    await rm(folder, { recursive: true })
  })
  after(() => server.close())

  test('has no scenario that is in neither list', () => {
    assert.deepEqual([...found.keys()].sort(), [...APPLICABLE, ...Object.keys(EXCLUDED)].sort())
  })

  for (const scenario of APPLICABLE) {
    test(`passes ${scenario}`, () => {
      const checks = (found.get(scenario) ?? []).filter(({ status }) => status !== 'INFO')
      assert.ok(checks.length > 0, 'nothing was checked')
      assert.deepEqual(
        checks.filter(({ status }) => status !== 'SUCCESS'),
        [],
      )
    })
  }
})
