import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'

suite('what is loaded at the start, and what where it is first used', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'onoma-start-'))
  const list = join(cwd, 'loaded')
  let service: ServiceProcess
  before(async () => {
    const watch = join(cwd, 'watch.mjs')
    writeFileSync(
      watch,
      `import { appendFileSync } from 'node:fs'
      import module from 'node:module'
      module.registerHooks({ load(url, context, next) {
        appendFileSync(${JSON.stringify(list)}, url + '\\n')
        return next(url, context)
      } })`,
    )
    // Its modules can be told apart, those of the bundle cannot.
    const program = join(cwd, 'from-sources.mjs')
    const cli = new URL('../src/app/cli.ts', import.meta.url).href
    writeFileSync(program, `import { main } from ${JSON.stringify(cli)}\nawait main()`)
    const env = {
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: '127.0.0.1:0',
      ONOMA_DATA_DIR: cwd,
      ONOMA_DRAIN_SECONDS: '0',
    }
    service = await startServiceProcess({ env, cwd, program, imports: [pathToFileURL(watch).href] })
  })
  after(async () => {
    await service.stop()
    rmSync(cwd, { recursive: true })
  })

  const isLoaded = (part: string): boolean => readFileSync(list, 'utf8').includes(part)

  test('the line that says it is ready names the reference', () => {
    const line = service
      .log()
      .split('\n')
      .find((one) => one.includes('is ready'))!
    const { url, docs } = JSON.parse(line) as { url: string; docs: string }
    assert.equal(docs, `${url}/docs`)
  })

  test('viem is never loaded', () => assert.equal(isLoaded('/node_modules/viem/'), false))

  test('the browser is not loaded before a page is visited', () =>
    assert.equal(isLoaded('/node_modules/playwright-core/'), false))

  test('MCP is loaded at the first request to /mcp', async () => {
    const sdk = '/node_modules/@modelcontextprotocol/'
    assert.equal(isLoaded(sdk), false)
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /"tools":/)
    assert.equal(isLoaded(sdk), true)
  })

  test('the OpenAPI document and the page are built at their first request', async () => {
    for (const [path, part] of [
      ['/openapi.json', '/src/surfaces/openapi/document.ts'],
      ['/', '/src/surfaces/page/mounts.ts'],
    ] as const) {
      assert.equal(isLoaded(part), false)
      assert.equal((await fetch(`${service.url}${path}`)).status, 200)
      assert.equal(isLoaded(part), true)
    }
  })

  test('the reference, its schemas and its Markdown parser are loaded at the first request to one of its pages', async () => {
    const parts = ['/src/surfaces/docs/site.ts', '/node_modules/marked/']
    for (const part of parts) assert.equal(isLoaded(part), false, part)
    assert.equal((await fetch(`${service.url}/docs`)).status, 200)
    for (const part of parts) assert.equal(isLoaded(part), true, part)
  })

  test('metrics are formatted from the first scrape on, with what was counted before it', async () => {
    assert.equal(isLoaded('/node_modules/prom-client/'), false)
    assert.equal((await fetch(`${service.url}/v1/tlds?category=top20`)).status, 200)
    const scraped = await (await fetch(service.metricsUrl!)).text()
    assert.match(scraped, /^onoma_requests_total\{endpoint="listTlds",door="http",status="200"\} 1$/m)
    assert.match(scraped, /^nodejs_version_info/m)
  })
})
