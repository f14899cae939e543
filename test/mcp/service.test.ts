import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { fromJsonSchema, type Tool } from '@modelcontextprotocol/server'
import { composeRoutes } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { isTool, toolOf } from '../../src/surfaces/mcp/tools.ts'

/** Agents pay for every byte of the tool list, in every conversation. */
const BUDGET_BYTES = { max: 4_600, average: 2_800, modelAverage: 1_200 }

const capabilities = composeRoutes(loadConfig({}))
const endpoints = capabilities.routes.map((route) => route.endpoint).filter(isTool)
const byteLength = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
/** The size of the part that clients pass on to the model. */
const modelBytes = ({ name, description, inputSchema }: Tool) => byteLength({ name, description, inputSchema })
const average = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

describe('the tools of the service', () => {
  const tools = endpoints.map((endpoint) => toolOf(endpoint))
  after(() => capabilities.close())

  test('stay within their byte budget', () => {
    for (const tool of tools) {
      assert.ok(byteLength(tool) <= BUDGET_BYTES.max, `${tool.name} takes ${byteLength(tool)} bytes`)
    }
    const [all, model] = [average(tools.map(byteLength)), average(tools.map(modelBytes))]
    assert.ok(all <= BUDGET_BYTES.average, `a tool takes ${all} bytes on average`)
    assert.ok(model <= BUDGET_BYTES.modelAverage, `a model reads ${model} bytes of a tool on average`)
  })

  test('have names that every client accepts', () => {
    for (const { name } of tools) assert.match(name, /^[a-zA-Z][\w-]{0,63}$/)
  })

  test('are exactly the endpoints marked as tools, none of them deprecated', () => {
    const marked = capabilities.routes.map(({ endpoint }) => endpoint).filter(({ tool }) => tool === true)
    const names = marked.map(({ name }) => name)
    assert.deepEqual(
      tools.map(({ name }) => name),
      names,
    )
    assert.deepEqual(
      marked.filter(({ deprecated }) => deprecated),
      [],
    )
    assert.ok(names.includes('listTlds') && !names.includes('health'))
  })

  test('describe every input field', () => {
    for (const { name, inputSchema } of tools) {
      for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
        assert.ok((schema as { description?: string }).description, `${name}.${field}`)
      }
    }
  })

  for (const endpoint of endpoints) {
    test(`${endpoint.name} has schemas that match its example`, async () => {
      const { inputSchema, outputSchema } = toolOf(endpoint)
      const { input, output } = endpoint.example
      for (const [schema, value] of [
        [inputSchema, input],
        [outputSchema!, output],
      ] as const) {
        const checked = await fromJsonSchema(schema as Parameters<typeof fromJsonSchema>[0])['~standard'].validate(
          value,
        )
        assert.deepEqual(checked.issues ?? [], [])
      }
    })
  }
})

test('over stdio, standard output contains only the protocol, and the process exits at the end of input', async () => {
  const importOf = (path: string) => JSON.stringify(new URL(`../../src/app/${path}`, import.meta.url).href)
  const script = `
    const { loadConfig } = await import(${importOf('settings/config.ts')})
    const { serveMcpOverStdio } = await import(${importOf('commands/mcp-stdio.ts')})
    await serveMcpOverStdio(loadConfig({ ONOMA_LOG_LEVEL: 'debug' }))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'pipe' })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const errors = text(child.stderr)
  const messages: { id?: number; result: Record<string, unknown> }[] = []
  const pending = new Map<number, () => void>()
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const message = JSON.parse(line) as (typeof messages)[number] & { jsonrpc: string }
      assert.equal(message.jsonrpc, '2.0')
      messages.push(message)
      pending.get(message.id!)?.()
    }
  })
  const request = (id: number, method: string, params: object) =>
    new Promise<void>((resolve) => {
      pending.set(id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  const clientInfo = { name: 'test', version: '1.0.0' }
  await request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  child.stdin.write('no JSON\n{"no":"message"}\n')
  await request(2, 'tools/call', { name: 'listTlds', arguments: { category: 'web' } })
  await request(3, 'tools/call', { name: 'listTlds', arguments: { category: 'nonsense' } })
  await request(4, 'tools/list', {})
  // A payment is ignored: nothing is taken for what is free.
  const ignored = { 'x402/payment': 'none' }
  await request(5, 'tools/call', { name: 'valueDomain', arguments: { domain: 'example.com' }, _meta: ignored })
  child.stdin.end()
  assert.equal(await ended, 0, await errors)
  assert.equal(rest, '')
  assert.deepEqual(
    messages.map(({ id }) => id),
    [1, 2, 3, 4, 5],
  )
  assert.equal((messages[1]!.result['structuredContent'] as { total: number }).total, 11)
  assert.equal(messages[2]!.result['isError'], true)
  assert.match(JSON.stringify(messages[2]!.result['content']), /invalid_category/)
  // Paid tools are free in the operator's own process, and it says so.
  assert.match(String(messages[0]!.result['instructions']), /paid over HTTP are free here/)
  const { tools } = messages[3]!.result as { tools: Tool[] }
  assert.match(tools.find(({ name }) => name === 'valueDomain')!.description!, / Free here; over HTTP quick \$0\.02, /)
  assert.equal((messages[4]!.result['structuredContent'] as { domain: string }).domain, 'example.com')
  // Errors are logged on standard error.
  assert.match(await errors, /"level":"warn"/)
})
