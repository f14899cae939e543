import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { composeRoutes } from '../src/app/compose.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { type Endpoint, pathParameters, type Route } from '../src/kernel/endpoint.ts'
import { runCommand } from '../src/surfaces/cli/command.ts'
import { mcpMount } from '../src/surfaces/mcp/mount.ts'
import { isTool } from '../src/surfaces/mcp/tools.ts'
import { startDoor } from './support/door.ts'

/** Tests every enumeration and every list of every endpoint over HTTP, MCP and the CLI, generated from the endpoints. */

const { routes: real, close } = composeRoutes(loadConfig({}))
after(close)

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** The same endpoints, but each returns its parsed input, without payment. */
const echoes: readonly Route[] = real.map(({ endpoint: { price: _price, streams: _streams, ...endpoint } }) => ({
  endpoint: { ...endpoint, output: z.looseObject({}) },
  run: (input) => ({ input }),
}))

type Property = { enum?: string[]; const?: string; type?: string; description?: string; examples?: unknown[] }
type FieldOfEndpoint = { endpoint: Endpoint; field: string; property: Property }

const fields: readonly FieldOfEndpoint[] = echoes.flatMap(({ endpoint }) => {
  const { properties = {} } = z.toJSONSchema(endpoint.input, { io: 'input', reused: 'inline' })
  return Object.entries(properties).map(([field, property]) => ({ endpoint, field, property: property as Property }))
})
const choicesOf = ({ enum: several, const: one }: Property): string[] =>
  (several ?? [one]).filter((value) => typeof value === 'string')
const enumerations = fields.filter(({ property }) => choicesOf(property).length > 0)
const lists = fields.filter(
  ({ property: { type, description = '' } }) => type === 'string' && /comma/i.test(description),
)

const spellings = (word: string): string[] => [
  ...new Set([word, word.toUpperCase(), word.toLowerCase(), word.slice(0, 1).toUpperCase() + word.slice(1)]),
]

describe('over HTTP, MCP and the CLI', () => {
  let door: Awaited<ReturnType<typeof startDoor>>
  before(async () => {
    const mount = mcpMount(echoes, { version: '1', publicUrl: 'http://127.0.0.1', host: '127.0.0.1', log: silent })
    door = await startDoor(echoes, { mounts: [mount], rateLimit: 60_000 })
  })
  after(() => door.stop())

  /** The parsed input for the example with these fields, or the body of the error. */
  async function overHttp({ method, path, example }: Endpoint, given: [string, unknown][]): Promise<unknown> {
    const inPath = pathParameters(path)
    const base = Object.entries(example.input).filter(([name]) => !given.some(([other]) => other === name))
    const all: [string, unknown][] = [...base, ...given]
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(all.find(([other]) => other === name)![1]))
    const rest = all.filter(([name]) => !inPath.includes(name))
    const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]))
    const post = { method, body: JSON.stringify(Object.fromEntries(rest)) }
    const reply = method === 'POST' ? await door.get(address, post) : await door.get(`${address}?${query.toString()}`)
    return (reply.body as { input?: unknown }).input ?? { ...(reply.body as object), status: reply.status }
  }

  async function overMcp({ name, example }: Endpoint, given: Record<string, unknown>): Promise<unknown> {
    const call = { name, arguments: { ...example.input, ...given } }
    const { text } = await door.get('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    })
    const { result } = JSON.parse(text.replace(/^[^{]*/, '')) as { result: { content: [{ text: string }] } }
    return (JSON.parse(result.content[0].text) as { input: unknown }).input
  }

  async function overCli({ command, example }: Endpoint, given: [string, unknown][]): Promise<unknown> {
    const base = Object.entries(example.input).filter(([name]) => !given.some(([other]) => other === name))
    const options = [...base, ...given].flatMap(([name, value]) =>
      typeof value === 'boolean'
        ? [`--${value ? '' : 'no-'}${name.replaceAll('_', '-')}`]
        : [`--${name.replaceAll('_', '-')}`, typeof value === 'string' ? value : JSON.stringify(value)],
    )
    let out = ''
    const stream = { write: (text: string) => ((out += text), true) }
    const io = { stdout: stream, stderr: stream, env: {}, signal: new AbortController().signal }
    await runCommand(echoes, [...command!.split(' '), ...options, '--json'], io)
    return (JSON.parse(out) as { input: unknown }).input
  }

  assert.ok(enumerations.length > 15, `only ${enumerations.length} enumerations were found`)
  for (const { endpoint, field, property } of enumerations) {
    test(`${endpoint.name}: ${field} is case-insensitive and normalized to the spelling of the contract`, async () => {
      for (const word of choicesOf(property)) {
        const expected = await overHttp(endpoint, [[field, word]])
        assert.equal((expected as Record<string, unknown>)[field], word)
        for (const spelling of spellings(word)) {
          assert.deepEqual(await overHttp(endpoint, [[field, spelling]]), expected, spelling)
        }
        const last = spellings(word).at(-1)!
        if (isTool(endpoint)) assert.deepEqual(await overMcp(endpoint, { [field]: last }), expected)
        if (endpoint.command !== undefined) assert.deepEqual(await overCli(endpoint, [[field, last]]), expected)
      }
    })
  }

  assert.deepEqual(
    lists.map(({ endpoint, field }) => `${endpoint.name} ${field}`),
    [
      'checkDomains tld',
      'checkDomains domain',
      'findListings sources',
      'searchPresence engines',
      'ensMetadata names',
      'nameDossier tld',
      'nameDossier parts',
    ],
  )
  for (const { endpoint, field, property } of lists) {
    test(`${endpoint.name}: ${field} given twice is one combined list`, async () => {
      const both = String(property.examples?.[0])
      const [one, other] = both.split(',')
      assert.ok(other, `${field} needs an example of two`)
      const expected = await overHttp(endpoint, [[field, both]])
      assert.ok(field in (expected as object), JSON.stringify(expected))
      const twice: [string, unknown][] = [
        [field, one],
        [field, other],
      ]
      assert.deepEqual(await overHttp(endpoint, twice), expected)
      assert.deepEqual(await overHttp(endpoint, [[field, ''], ...twice, [field, ' ']]), expected)
      assert.deepEqual(await overMcp(endpoint, { [field]: [one, other] }), expected)
      assert.deepEqual(await overMcp(endpoint, { [field]: both }), expected)
      assert.deepEqual(await overCli(endpoint, twice), expected)
    })
  }

  const single = fields.filter(
    ({ endpoint, field }) =>
      endpoint.method === 'GET' &&
      !pathParameters(endpoint.path).includes(field) &&
      !lists.some((list) => list.endpoint === endpoint && list.field === field),
  )
  for (const { endpoint, field, property } of single) {
    test(`${endpoint.name}: ${field} given twice is rejected`, async () => {
      const [value] = [...choicesOf(property), ...(property.examples ?? []), 'true']
      const { status, message } = (await overHttp(endpoint, [
        [field, value],
        [field, value],
      ])) as { status: number; message: string }
      assert.equal(status, 400)
      assert.match(message, new RegExp(`${field} is given more than once`))
    })
  }

  test('a duplicate field in a JSON body is rejected, in any spelling and nesting', async () => {
    const post = (body: string) => door.get('/v1/ens/renew/prepare', { method: 'POST', body })
    for (const body of [
      '{"name":"abc","name":"abc"}',
      '{"name":"abc","\\u006eame":"def"}',
      '{"name":"abc","network":{"x":[1,{"y":"}"}]},"network":"mainnet"}',
    ]) {
      const reply = await post(body)
      const { error, message } = reply.body as { error: string; message: string }
      assert.equal(reply.status, 400, body)
      assert.match(message, /is given more than once/)
      assert.match(error, /^(?:invalid_name|unsupported_network)$/)
    }
    // No error code of the endpoint is about a field that it does not have.
    const unknown = await post('{"name":"abc","owner":1,"owner":2}')
    assert.deepEqual(
      [unknown.status, unknown.body],
      [400, { error: 'invalid_request', message: 'The body has a field more than once: "owner".' }],
    )
    assert.equal((await post('{"name":"abc","duration_years":1,"other":{"name":1,"x":"\\"name\\":"}}')).status, 200)
  })
})
