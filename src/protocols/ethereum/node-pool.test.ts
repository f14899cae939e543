import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { failing } from '../../kernel/upstream/loopback.fixture.ts'
import { type AnswerCall, echo, honest, serveNode } from './node.fixture.ts'
import { createEthereumRpc } from './rpc.ts'
import { rpcFor } from './rpc.fixture.ts'

const call = (word: string) => ({ method: 'say', params: [word] })
const said = (...words: string[]) => words.map((word) => ({ ok: true, result: `say ${word}` }))
const silent = () => {}
/** Short enough for tests with hanging nodes, long enough for working ones on a busy machine. */
const FAILOVER_TIMEOUT_MS = 400
const onChain =
  (chainId: string): AnswerCall =>
  (asked) =>
    asked.method === 'eth_chainId' ? { result: chainId } : echo(asked)

/** A URL on a closed port. */
async function closedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/`
}

suite('unreachable and failing nodes', () => {
  test('a node that refuses the connection is skipped for the next one', async (t) => {
    const good = await serveNode(t, honest(echo))
    const { ask, stats } = rpcFor(t, [await closedUrl(), good.url])
    assert.deepEqual(await ask([call('a')]), said('a'))
    assert.deepEqual(await ask([call('b')]), said('b'))
    assert.deepEqual(
      stats().map(({ asked, state }) => [asked, state]),
      [
        [1, 'failing'],
        [2, 'ready'],
      ],
    )
  })

  test('a hanging node is abandoned after the failover timeout; the last node gets the full timeout', async (t) => {
    const hanging = await serveNode(t, silent)
    const good = await serveNode(t, honest(echo))
    const { ask } = rpcFor(t, [hanging.url, good.url], { failoverTimeoutMs: FAILOVER_TIMEOUT_MS })
    assert.deepEqual(await ask([call('a')]), said('a'))
    assert.deepEqual(await ask([call('b')]), said('b'))
    assert.equal(hanging.posts.length, 1)
    await assert.rejects(rpcFor(t, [hanging.url], { timeoutMs: 10 }).ask([call('c')]), failing('timeout'))
  })

  test('all nodes but the last share a failover timeout of 1.5 s; the last gets the rest of the 8 s', async () => {
    const clock = manualClock()
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const timeoutsGiven = async (count: number) => {
      const given: (number | undefined)[] = []
      const hang = async ({ timeoutMs }: { timeoutMs?: number | undefined }): Promise<never> => {
        given.push(timeoutMs)
        clock.advance(timeoutMs ?? 0)
        throw new UpstreamError('timeout', 'it did not answer')
      }
      const urls = Array.from({ length: count }, (_, at) => `https://node-${at}.example/`)
      const rpc = createEthereumRpc({ upstream: { request: hang }, urls, chainId: 1, clock, log })
      await assert.rejects(rpc.ask([call('a')]), failing('timeout'))
      return given
    }
    assert.deepEqual(await timeoutsGiven(1), [8000])
    assert.deepEqual(await timeoutsGiven(2), [1500, 6500])
    assert.deepEqual(await timeoutsGiven(4), [500, 500, 500, 6500])
  })

  test('after the backoff only one request probes a node that still hangs', async (t) => {
    const hanging = await serveNode(t, silent)
    const good = await serveNode(t, honest(echo))
    const { ask, clock } = rpcFor(t, [hanging.url, good.url], { failoverTimeoutMs: FAILOVER_TIMEOUT_MS })
    await ask([call('a')])
    clock.advance(30_000)
    await Promise.all(['b', 'c', 'd'].map((word) => ask([call(word)])))
    assert.deepEqual([hanging.posts.length, good.posts.length], [2, 4])
  })

  test('a recovered node is first again, and its chain ID is verified again', async (t) => {
    let isDown = false
    const first = await serveNode(t, (posted, response, request) => {
      if (isDown) response.writeHead(500).end()
      else honest(echo)(posted, response, request)
    })
    const second = await serveNode(t, honest(echo))
    const { ask, clock, stats } = rpcFor(t, [first.url, second.url])
    await ask([call('a')])
    isDown = true
    await ask([call('b')])
    isDown = false
    clock.advance(30_000)
    await ask([call('c')])
    await ask([call('d')])
    // Behind the same URL may be another node now.
    assert.deepEqual(first.methods(), [['say', 'eth_chainId'], ['say'], ['say', 'eth_chainId'], ['say']])
    assert.equal(second.posts.length, 1)
    assert.equal(stats()[0]!.state, 'ready')
  })

  test('if all nodes fail, each was asked once and the error gives the reason of each', async (t) => {
    const limited = await serveNode(t, (_posted, response) => response.writeHead(429, { 'retry-after': '7' }).end())
    const broken = await serveNode(t, (_posted, response) => response.writeHead(500).end())
    const both = /^Ethereum node 1 of 2 reports that its rate limit is exceeded, Ethereum node 2 of 2 is unavailable$/
    await assert.rejects(rpcFor(t, [limited.url, broken.url]).ask([call('a')]), failing('unavailable', both))
    assert.deepEqual([limited.posts.length, broken.posts.length], [1, 1])
    await assert.rejects(rpcFor(t, [limited.url]).ask([call('a')]), { failure: 'rate_limited', retryAfterMs: 7000 })
  })

  test('without nodes the failure is not_configured', async (t) => {
    await assert.rejects(rpcFor(t, []).ask([call('a')]), failing('not_configured'))
  })

  test("an aborted caller gets the signal's reason, and the node does not count as failed", async (t) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const node = await serveNode(t, () => resolve())
    const { ask, stats } = rpcFor(t, [node.url, node.url])
    const controller = new AbortController()
    const asking = ask([call('a')], { signal: controller.signal })
    await promise
    // Even if the reason looks like a failure of the node.
    const reason = new UpstreamError('timeout', 'changed my mind')
    controller.abort(reason)
    await assert.rejects(asking, (error) => error === reason)
    assert.deepEqual([node.posts.length, stats()[0]!.state], [1, 'ready'])
  })

  test('a result that the caller rejects counts as a failure of the node', async (t) => {
    const odd = await serveNode(
      t,
      honest(({ method }) => ({ result: method === 'eth_chainId' ? '0x1' : 'odd' })),
    )
    const good = await serveNode(t, honest(echo))
    const { ask } = rpcFor(t, [odd.url, good.url])
    const read = ([outcome]: unknown[]) => {
      if (JSON.stringify(outcome).includes('odd')) throw new UpstreamError('unavailable', 'that is odd')
      return 'fine'
    }
    assert.equal(await ask([call('a')], { read }), 'fine')
    assert.equal(await ask([call('b')], { read }), 'fine')
    assert.equal(odd.posts.length, 1)
  })
})

suite('nodes of another chain', () => {
  test('are never used, nor asked again', async (t) => {
    const wrong = await serveNode(t, honest(onChain('0xaa36a7')))
    const good = await serveNode(t, honest(echo))
    const { ask, clock, lines, stats } = rpcFor(t, [wrong.url, good.url])
    assert.deepEqual(await ask([call('a')]), said('a'))
    clock.advance(3_600_000)
    assert.deepEqual(await ask([call('b')]), said('b'))
    assert.deepEqual([wrong.posts.length, good.posts.length], [1, 2])
    assert.equal(stats()[0]!.state, 'wrong chain')
    assert.equal(lines.filter((line) => line.includes('"level":"error"')).length, 1)
    const alone = rpcFor(t, [wrong.url])
    await assert.rejects(alone.ask([call('c')]), failing('not_configured', /serves another chain/))
    await assert.rejects(alone.ask([call('c')]), failing('not_configured', /all Ethereum nodes serve another chain/))
  })

  test('fail the start, with an error that names the node and its chain', async (t) => {
    const good = await serveNode(t, honest(echo))
    const wrong = await serveNode(t, honest(onChain('0xaa36a7')))
    await assert.rejects(rpcFor(t, [good.url, wrong.url]).verify(), {
      name: 'Error',
      message: /^Ethereum node 2 of 2 serves chain 11155111; chain 1 is needed\. /,
    })
  })

  test('a successful start asks each node for its chain ID, and later requests do not repeat it', async (t) => {
    const nodes = [await serveNode(t, honest(echo)), await serveNode(t, honest(echo))]
    const { ask, verify } = rpcFor(
      t,
      nodes.map(({ url }) => url),
    )
    await verify()
    await ask([call('a')])
    assert.deepEqual(
      nodes.map((node) => node.methods()),
      [[['eth_chainId'], ['say']], [['eth_chainId']]],
    )
  })

  test('an unreachable node at the start is only a warning', async (t) => {
    const hanging = await serveNode(t, silent)
    const { verify, lines } = rpcFor(t, [hanging.url, await closedUrl()], { timeoutMs: 10 })
    await verify()
    assert.equal(lines.filter((line) => line.includes('"level":"warn"')).length, 2)
  })
})

suite('nodes that do not support batches', () => {
  const refusals: [string, Parameters<typeof serveNode>[1]][] = [
    ['with one error', (_posted, response) => response.end('{"id":null,"error":{"code":-32600,"message":"no batch"}}')],
    ['with 400 and an error', (_posted, response) => response.writeHead(400).end('{"error":{"code":-32600}}')],
    ['with 405', (_posted, response) => response.writeHead(405).end()],
    ['with 413 and a page', (_posted, response) => response.writeHead(413).end('<html>')],
  ]
  for (const [how, refuse] of refusals) {
    test(`get single requests after rejecting a batch ${how}, without another attempt at a batch`, async (t) => {
      const node = await serveNode(t, (posted, response, request) =>
        ('method' in posted ? honest(echo) : refuse)(posted, response, request),
      )
      const { ask, stats } = rpcFor(t, [node.url])
      assert.deepEqual(await ask([call('a'), call('b')]), said('a', 'b'))
      assert.deepEqual(node.methods(), [['say', 'say', 'eth_chainId'], ['say'], ['say'], ['eth_chainId']])
      assert.deepEqual(await ask([call('c'), call('d')]), said('c', 'd'))
      assert.equal(node.posts.length, 6)
      assert.equal(stats()[0]!.failed, 0)
    })
  }

  test('a node that rejects single requests too gets batches again', async (t) => {
    let isDown = true
    const node = await serveNode(t, (posted, response, request) => {
      if (isDown) response.writeHead(400).end()
      else honest(echo)(posted, response, request)
    })
    const { ask } = rpcFor(t, [node.url])
    await assert.rejects(ask([call('a'), call('b')]), failing('unavailable'))
    isDown = false
    assert.deepEqual(await ask([call('a'), call('b')]), said('a', 'b'))
    assert.equal(node.posts.filter((posted) => Array.isArray(posted)).length, 2)
  })
})
