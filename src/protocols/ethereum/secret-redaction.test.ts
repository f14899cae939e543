import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { honest, serveNode } from './node.fixture.ts'
import { rpcFor } from './rpc.fixture.ts'

const SECRETS = ['key-in-user', 'key-in-password', 'key-in-host', 'key-in-path', 'key%20in%20query', 'key in query']
/** Every host name resolves to loopback here. */
const secretUrl = (port: number) =>
  `http://key-in-user:key-in-password@key-in-host.nodes.example:${port}/v3/key-in-path?apikey=key%20in%20query#key-in-path`

const echoes = `no service for ${SECRETS.join(', ')} at ${secretUrl(1)}`
const cases: Record<string, Parameters<typeof serveNode>[1]> = {
  hangs: () => {},
  'closes the connection': (_posted, response) => response.socket?.destroy(),
  'answers 500': (_posted, response) => response.writeHead(500).end(echoes),
  'answers 401': (_posted, response) => response.writeHead(401).end(echoes),
  'does not send JSON': (_posted, response) => response.end(echoes),
  'sends too much': (_posted, response) => response.end('x'.repeat(20_000)),
  'repeats the key in a rate limit error': honest(() => ({ error: { code: -32_005, message: echoes } })),
  'serves another chain': honest(() => ({ result: '0x5' })),
}

for (const [what, listener] of Object.entries(cases)) {
  test(`errors and logs contain no part of the URL of a node that ${what}`, async (t) => {
    const { port } = await serveNode(t, listener)
    const output = await errorsAndLogs(t, port, what === 'hangs' ? 10 : 5000)
    assert.match(output, /Ethereum node 2 of 2/)
    for (const secret of [...SECRETS, 'nodes.example']) assert.ok(!output.includes(secret), `${secret} in ${output}`)
  })
}

test('errors and logs contain no part of the URL of an unreachable node', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  const output = await errorsAndLogs(t, port, 5000)
  assert.match(output, /ECONNREFUSED/)
  for (const secret of [...SECRETS, 'nodes.example']) assert.ok(!output.includes(secret), `${secret} in ${output}`)
})

/** All errors and log lines of `ask` and `verify` with two failing nodes. */
async function errorsAndLogs(t: Parameters<typeof rpcFor>[0], port: number, timeoutMs: number): Promise<string> {
  const urls = [secretUrl(port), secretUrl(port)]
  const { ask, verify, lines } = rpcFor(t, urls, { failoverTimeoutMs: timeoutMs / 2, timeoutMs, maxBytes: 10_000 })
  const thrown: unknown[] = []
  await ask([{ method: 'a', params: [] }]).catch((error: unknown) => thrown.push(error))
  await verify().catch((error: unknown) => thrown.push(error))
  assert.ok(thrown.length > 0)
  return inspect(thrown, { depth: 20 }) + lines.join('')
}

test('a JSON-RPC error that repeats the URL is returned without it', async (t) => {
  const { port } = await serveNode(
    t,
    honest(({ method }) => (method === 'a' ? { error: { code: 1, message: echoes } } : { result: '0x1' })),
  )
  const output = inspect(await rpcFor(t, [secretUrl(port)]).ask([{ method: 'a', params: [] }]))
  assert.match(output, /no service for/)
  for (const secret of SECRETS) assert.ok(!output.includes(secret), `${secret} in ${output}`)
})

for (const url of ['', 'key-in-path', 'ftp://key-in-path/', 'wss://key-in-path/', 'https://']) {
  test(`an invalid URL is rejected without repeating it: ${url}`, (t) => {
    assert.throws(() => rpcFor(t, ['https://fine.example/', url]), {
      message: 'The URL of Ethereum node 2 of 2 is neither https nor http.',
    })
  })
}
