import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { honest, serveNode } from './node.fixture.ts'
import { rpcFor } from './rpc.fixture.ts'

const SECRETS = ['key-in-user', 'key-in-password', 'key-in-host', 'key-in-path', 'key%20in%20query', 'key in query']
/** Every name leads to loopback here. */
const secretive = (port: number) =>
  `http://key-in-user:key-in-password@key-in-host.nodes.example:${port}/v3/key-in-path?apikey=key%20in%20query#key-in-path`

const echoes = `no service for ${SECRETS.join(', ')} at ${secretive(1)}`
const cases: Record<string, Parameters<typeof serveNode>[1]> = {
  hangs: () => {},
  'hangs up': (_posted, response) => response.socket?.destroy(),
  'answers 500': (_posted, response) => response.writeHead(500).end(echoes),
  'answers 401': (_posted, response) => response.writeHead(401).end(echoes),
  'sends no JSON': (_posted, response) => response.end(echoes),
  'sends too much': (_posted, response) => response.end('x'.repeat(20_000)),
  'tells the key in its limit': honest(() => ({ error: { code: -32_005, message: echoes } })),
  'serves another chain': honest(() => ({ result: '0x5' })),
}

for (const [what, listener] of Object.entries(cases)) {
  test(`nothing of its URL is told of a node that ${what}`, async (t) => {
    const { port } = await serveNode(t, listener)
    const told = await tellings(t, port, what === 'hangs' ? 10 : 5000)
    assert.match(told, /Ethereum node 2 of 2/)
    for (const secret of [...SECRETS, 'nodes.example']) assert.ok(!told.includes(secret), `${secret} in ${told}`)
  })
}

test('nothing of its URL is told of a node that cannot be reached', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  const told = await tellings(t, port, 5000)
  assert.match(told, /ECONNREFUSED/)
  for (const secret of [...SECRETS, 'nodes.example']) assert.ok(!told.includes(secret), `${secret} in ${told}`)
})

/** All that is said and logged of two nodes that both fail, asked and verified. */
async function tellings(t: Parameters<typeof rpcFor>[0], port: number, timeoutMs: number): Promise<string> {
  const urls = [secretive(port), secretive(port)]
  const { ask, verify, lines } = rpcFor(t, urls, { failoverTimeoutMs: timeoutMs / 2, timeoutMs, maxBytes: 10_000 })
  const thrown: unknown[] = []
  await ask([{ method: 'a', params: [] }]).catch((error: unknown) => thrown.push(error))
  await verify().catch((error: unknown) => thrown.push(error))
  assert.ok(thrown.length > 0)
  return inspect(thrown, { depth: 20 }) + lines.join('')
}

test('an error the node sends as its answer is told without the URL', async (t) => {
  const { port } = await serveNode(
    t,
    honest(({ method }) => (method === 'a' ? { error: { code: 1, message: echoes } } : { result: '0x1' })),
  )
  const told = inspect(await rpcFor(t, [secretive(port)]).ask([{ method: 'a', params: [] }]))
  assert.match(told, /no service for/)
  for (const secret of SECRETS) assert.ok(!told.includes(secret), `${secret} in ${told}`)
})

for (const url of ['', 'key-in-path', 'ftp://key-in-path/', 'wss://key-in-path/', 'https://']) {
  test(`an invalid URL is rejected without repeating it: ${url}`, (t) => {
    assert.throws(() => rpcFor(t, ['https://fine.example/', url]), {
      message: 'The URL of Ethereum node 2 of 2 is neither https nor http.',
    })
  })
}
