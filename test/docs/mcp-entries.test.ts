import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { startReferenceService } from '../support/reference-service.ts'
import { type Fence, parseFences, ROOT } from './fences.ts'

type Entry = {
  readonly type?: string
  readonly url?: string
  readonly serverUrl?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const PAGES = ['README.md', 'docs/mcp.md']
const SHOWN_URL = 'http://127.0.0.1:8080'

/** The entries for clients, each with where it stands. */
const entriesOf = ({ file, line, language, text }: Fence): { at: string; entry: Entry }[] => {
  if (language !== 'json') return []
  const { mcpServers, servers } = JSON.parse(text) as Record<string, Readonly<Record<string, Entry>> | undefined>
  return Object.values(mcpServers ?? servers ?? {}).map((entry) => ({ at: `${file}:${line}`, entry }))
}

suite('entries for MCP clients, as the pages show them', () => {
  const entries = PAGES.flatMap((file) => parseFences(file, readFileSync(join(ROOT, file), 'utf8')).flatMap(entriesOf))
  const folder = mkdtempSync(join(tmpdir(), 'onoma-mcp-'))
  let service: Awaited<ReturnType<typeof startReferenceService>>
  before(async () => {
    service = await startReferenceService()
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  test('there are entries for both ways to connect', () => {
    assert.ok(entries.filter(({ entry }) => entry.command !== undefined).length >= 2)
    assert.ok(entries.filter(({ entry }) => entry.command === undefined).length >= 5)
  })

  /** A client starts the process in a folder of its own, and passes on little of its environment. */
  const transportOf = ({ url, serverUrl, headers, command, args = [], env = {} }: Entry) => {
    if (command === undefined)
      return new StreamableHTTPClientTransport(new URL((url ?? serverUrl)!.replace(SHOWN_URL, service.url)), {
        requestInit: { headers: { ...headers } },
      })
    assert.equal(command, 'node')
    const here = (text: string) => text.replace('/srv/onoma/var', folder).replace('/srv/onoma', ROOT)
    return new StdioClientTransport({
      command: process.execPath,
      args: args.map(here),
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, here(value)])),
      cwd: tmpdir(),
      stderr: 'ignore',
    })
  }

  for (const { at, entry } of entries) {
    test(`${at} connects and calls a tool`, async (t) => {
      const client = new Client({ name: 'test', version: '0' })
      await client.connect(transportOf(entry))
      t.after(() => client.close())
      const { isError, structuredContent } = await client.callTool({ name: 'listTlds', arguments: { category: 'web' } })
      assert.notEqual(isError, true)
      assert.ok(structuredContent)
    })
  }

  test('at the service itself they name the address of the service', async () => {
    const { text } = await service.get('/docs/guides/mcp')
    assert.ok(text.includes(`${service.url}/mcp`))
    assert.ok(!text.includes(`${SHOWN_URL}/mcp`))
  })
})
