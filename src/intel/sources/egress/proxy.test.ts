import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { suite, test, type TestContext } from 'node:test'
import { secureRandom } from '../../../kernel/random.ts'
import { dial } from './dial.ts'
import { type Admission, type Egress, startEgress } from './proxy.ts'

const LIMITS = { maxBytes: 100_000, maxOpen: 4, maxConnections: 8 }

async function listen(t: TestContext, server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  server.listen(0, host)
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

/** A proxy for which `site.example` is a local test server and every other name resolves to loopback. */
async function start(t: TestContext, server: Server) {
  const port = await listen(t, server)
  let asked = 0
  const egress = await startEgress({
    random: secureRandom,
    ports: [80, 443, port],
    resolve: async () => {
      asked += 1
      return ['127.0.0.1']
    },
    reach: (host, at) => (host === 'site.example' && at === 80 ? { address: '127.0.0.1', port } : undefined),
  })
  t.after(() => egress.close())
  return { egress, port, asked: () => asked }
}

const credentials = ({ username, password }: Admission) =>
  `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString('base64')}\r\n`

/** Everything the proxy sends in reply to these bytes until it closes the connection. */
async function say(egress: Egress, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(egress.url).port), '127.0.0.1')
  socket.write(bytes)
  return text(socket).catch(() => '')
}

const get = (url: string, headers = '') => `GET ${url} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`
const site = (listener: RequestListener) => createServer(listener)
const hello: RequestListener = (_request, response) => void response.end('hello')

suite('the egress proxy', () => {
  test('requests without a pass, with a wrong one or a closed one are rejected', async (t) => {
    let visits = 0
    const server = site((_request, response) => {
      visits += 1
      response.end()
    })
    const { egress } = await start(t, server)
    const old = egress.admit(LIMITS)
    old.close()
    for (const pass of ['', 'Proxy-Authorization: Basic eDp5\r\n', credentials(old)]) {
      assert.match(await say(egress, get('http://site.example/', pass)), /^HTTP\/1\.1 407 /)
      assert.match(await say(egress, `CONNECT site.example:80 HTTP/1.1\r\n${pass}\r\n`), /^HTTP\/1\.1 407 /)
    }
    assert.equal(visits, 0)
  })

  test('with a pass a request is forwarded, without the proxy headers', async (t) => {
    const server = site(({ headers, url }, response) => {
      response.setHeader('keep-alive', 'timeout=5')
      response.setHeader('proxy-authenticate', 'Basic')
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      response.end(JSON.stringify({ url, ...headers }))
    })
    const { egress } = await start(t, server)
    const pass = egress.admit(LIMITS)
    const extra = `${credentials(pass)}X-Mine: 1\r\nX-Hop: 1\r\nConnection: x-hop\r\nProxy-Connection: keep-alive\r\n`
    const answer = await say(egress, get('http://site.example/a?b', extra))
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
    assert.match(answer, /set-cookie: a=1\r\nset-cookie: b=2\r\n/i)
    assert.doesNotMatch(answer.split('\r\n\r\n')[0]!, /proxy-authenticate|timeout=5/i)
    assert.deepEqual(JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)), {
      url: '/a?b',
      host: 'site.example',
      'x-mine': '1',
      connection: 'close',
    })
    assert.deepEqual([...pass.hosts], ['site.example'])
    assert.ok(pass.bytes > 0)
    assert.ok(pass.hasReached({ host: 'site.example', port: 80 }))
    assert.ok(!pass.hasReached({ host: 'site.example', port: 443 }))
  })

  test('a tunnel copies bytes both ways and counts them', async (t) => {
    const { egress } = await start(
      t,
      createTcpServer((socket) => socket.pipe(socket)),
    )
    const pass = egress.admit(LIMITS)
    const client = connect(Number(new URL(egress.url).port), '127.0.0.1')
    client.write(`CONNECT site.example:80 HTTP/1.1\r\n${credentials(pass)}\r\nearly`)
    const heard: string[] = []
    client.setEncoding('latin1').on('data', (bytes: string) => {
      heard.push(bytes)
      if (heard.join('').endsWith('early')) client.write('late')
      if (heard.join('').endsWith('late')) client.end()
    })
    await once(client, 'close')
    assert.equal(heard.join(''), 'HTTP/1.1 200 Connection Established\r\n\r\nearlylate')
    assert.equal(pass.bytes, 18)
  })

  for (const host of ['127.0.0.1', 'localhost', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]', 'private.example']) {
    test(`${host} is not reached, neither as a page nor as a tunnel`, async (t) => {
      let visits = 0
      const server = createTcpServer(() => (visits += 1))
      const { egress, port } = await start(t, server)
      const pass = egress.admit(LIMITS)
      assert.equal(await say(egress, get(`http://${host}:${port}/`, credentials(pass))), '')
      const tunnel = `CONNECT ${host}:${port} HTTP/1.1\r\n${credentials(pass)}\r\n`
      assert.match(await say(egress, tunnel), /^HTTP\/1\.1 502 /)
      assert.match(String(await pass.probe({ host, port })), /^(refused|unknown)$/)
      assert.equal(visits, 0)
      assert.equal(pass.hasReached({ host, port }), false)
    })
  }

  test('every connection resolves the host anew and uses that result', async (t) => {
    const { egress, port, asked } = await start(t, site(hello))
    const pass = egress.admit(LIMITS)
    await say(egress, get(`http://rebinding.example:${port}/`, credentials(pass)))
    await say(egress, get(`http://rebinding.example:${port}/`, credentials(pass)))
    assert.equal(asked(), 2)
    assert.equal(pass.refused, 2)
  })

  test('other schemes, other forms and URLs with credentials are refused', async (t) => {
    const { egress } = await start(t, site(hello))
    const pass = egress.admit({ ...LIMITS, maxConnections: 100 })
    for (const url of [
      'https://site.example/',
      'ftp://site.example/',
      '/',
      '*',
      'http://u:p@site.example/',
      'http:///',
    ]) {
      assert.doesNotMatch(await say(egress, get(url, credentials(pass))), /hello/, url)
    }
    assert.match(await say(egress, get('http://site.example/', credentials(pass))), /hello/)
  })

  test('exceeding the byte limit closes the pass', async (t) => {
    const endless: RequestListener = (_request, response) => {
      const flood = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', flood)
      flood()
    }
    const { egress } = await start(t, site(endless))
    const pass = egress.admit(LIMITS)
    await say(egress, get('http://site.example/', credentials(pass)))
    assert.ok(pass.bytes > LIMITS.maxBytes && pass.bytes < LIMITS.maxBytes + 1_000_000)
    assert.match(await say(egress, get('http://site.example/', credentials(pass))), / 407 /)
  })

  test('connections beyond the concurrent limit and the total limit are refused', async (t) => {
    let open = 0
    const full = Promise.withResolvers<void>()
    const waiting = createTcpServer(() => ++open === LIMITS.maxOpen && full.resolve())
    const { egress } = await start(t, waiting)
    const pass = egress.admit(LIMITS)
    const answers = Array.from({ length: 6 }, () => say(egress, get('http://site.example/', credentials(pass))))
    let refused = 0
    const turnedAway = Promise.withResolvers<void>()
    for (const answer of answers) void answer.then(() => ++refused === 2 && turnedAway.resolve())
    // Two are refused at once; the others wait for a server that does not respond.
    await Promise.all([full.promise, turnedAway.promise])
    assert.deepEqual([open, refused], [4, 2])
    pass.close()
    assert.deepEqual(await Promise.all(answers), Array<string>(6).fill(''))

    const other = egress.admit({ ...LIMITS, maxConnections: 2 })
    const site = { host: 'site.example', port: 80 }
    assert.deepEqual([await other.probe(site), await other.probe(site), await other.probe(site)], [null, null, 'spent'])
  })

  test('endless interim responses are aborted', async (t) => {
    const flood = createTcpServer((socket) => {
      const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(100)
      const pour = () => {
        while (!socket.destroyed && socket.write(interim));
      }
      socket.on('drain', pour).once('data', pour)
    })
    const { egress } = await start(t, flood)
    assert.equal(await say(egress, get('http://site.example/', credentials(egress.admit(LIMITS)))), '')
  })

  test('closing the proxy closes all its connections', async (t) => {
    const { egress } = await start(t, createTcpServer())
    const pass = egress.admit(LIMITS)
    const answer = say(egress, `CONNECT site.example:80 HTTP/1.1\r\n${credentials(pass)}\r\n`)
    assert.equal(await pass.probe({ host: 'site.example', port: 80 }), null)
    await egress.close()
    await answer
  })
})

suite('dial', () => {
  test('connects to the given address, whatever the name resolves to', async (t) => {
    let from: string | undefined
    const port = await listen(
      t,
      createTcpServer((socket) => (from = socket.resume().localAddress)),
      '127.0.0.5',
    )
    const signal = AbortSignal.timeout(10_000)
    const socket = await dial({ addresses: ['127.0.0.5'], port }, 5000, signal)
    assert.equal(socket.remoteAddress, '127.0.0.5')
    socket.write('x')
    await once(socket.end(), 'close')
    assert.equal(from, '127.0.0.5')
    await assert.rejects(dial({ addresses: ['127.0.0.6'], port }, 5000, signal))
    await assert.rejects(dial({ addresses: ['127.0.0.5'], port }, 5000, AbortSignal.abort()))
  })
})
