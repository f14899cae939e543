// needs: nginx
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { suite, test, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startDoor, type DoorOptions } from './support/door.ts'
import { fixed, testRoutes } from './support/routes.ts'
import { serverFor } from './support/servers/for-suites.ts'
import { startNginx } from './support/servers/nginx.ts'

const { skip, address: program } = serverFor('nginx')

/** The source address of nginx: any address in 127/8 works. */
const NGINX = '127.0.0.9'
const ALICE = '127.0.1.1'
const BOB = '127.0.1.2'

/** A service behind nginx; both are stopped after the test. */
async function startBehindNginx(context: TestContext, options: DoorOptions = {}) {
  const door = await startDoor(testRoutes, options)
  context.after(() => door.stop())
  const nginx = await proxyTo(context, door.port)
  return { door, nginx }
}

async function proxyTo(context: TestContext, port: number): Promise<string> {
  const nginx = await startNginx(
    program,
    (listen) => `
  upstream service { server 127.0.0.1:${port}; keepalive 4; }
  server {
    listen 127.0.0.1:${listen};
    large_client_header_buffers 4 64k;
    location / {
      proxy_pass http://service;
      proxy_bind ${NGINX};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }`,
  )
  context.after(() => nginx.stop())
  return nginx.address
}

type RequestOptions = { from?: string; method?: string; headers?: OutgoingHttpHeaders }

async function ask(url: string, { from = ALICE, method = 'GET', headers = {} }: RequestOptions = {}) {
  const sent = request(url, { method, headers, localAddress: from, agent: false }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) }
}

suite('behind nginx', { skip }, () => {
  test('behind a trusted proxy each client has its own rate limit', async (context) => {
    const { nginx } = await startBehindNginx(context, { rateLimit: 2, trustedProxies: [`${NGINX}/32`] })
    const statuses: (number | undefined)[] = []
    for (const from of [ALICE, ALICE, ALICE, BOB]) statuses.push((await ask(`${nginx}/v1/limited`, { from })).status)
    assert.deepEqual(statuses, [200, 200, 429, 200])
  })

  test('behind an untrusted proxy all clients share the rate limit of the proxy', async (context) => {
    const { nginx, door } = await startBehindNginx(context, { rateLimit: 2, trustedProxies: ['127.0.0.8/32'] })
    const statuses: (number | undefined)[] = []
    for (const from of [ALICE, BOB, '127.0.1.3']) statuses.push((await ask(`${nginx}/v1/limited`, { from })).status)
    assert.deepEqual(statuses, [200, 200, 429])
    const direct = await ask(`${door.url}/v1/limited`, { from: ALICE })
    assert.equal(direct.status, 200, 'a client that bypasses the proxy has its own rate limit')
  })

  test('a client cannot change its address with X-Forwarded-For through the proxy', async (context) => {
    const { nginx } = await startBehindNginx(context, { rateLimit: 3, trustedProxies: [`${NGINX}/32`] })
    const claims = ['203.0.113.1', '203.0.113.2, 198.51.100.7', NGINX, `203.0.113.3, ${NGINX}`]
    const statuses: (number | undefined)[] = []
    for (const claim of claims) {
      statuses.push((await ask(`${nginx}/v1/limited`, { headers: { 'X-Forwarded-For': claim } })).status)
    }
    assert.deepEqual(statuses, [200, 200, 200, 429])
    const bob = await ask(`${nginx}/v1/limited`, { from: BOB, headers: { 'X-Forwarded-For': ALICE } })
    assert.equal(bob.status, 200, 'nor can a client use up the rate limit of another')
  })

  test('X-Forwarded-For of a client that bypasses the proxy is ignored', async (context) => {
    const { door } = await startBehindNginx(context, { rateLimit: 1, trustedProxies: [`${NGINX}/32`] })
    const first = await ask(`${door.url}/v1/limited`, { headers: { 'X-Forwarded-For': '203.0.113.1' } })
    const second = await ask(`${door.url}/v1/limited`, { headers: { 'X-Forwarded-For': '203.0.113.2' } })
    assert.deepEqual([first.status, second.status], [200, 429])
  })

  test('nginx reuses its connection to the service', async (context) => {
    const door = await startDoor(testRoutes)
    context.after(() => door.stop())
    let connections = 0
    const relay = createServer((socket) => {
      connections += 1
      const onward = connect(door.port, '127.0.0.1')
      socket.pipe(onward).pipe(socket)
      socket.on('error', () => onward.destroy())
      onward.on('error', () => socket.destroy())
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const nginx = await proxyTo(context, (relay.address() as AddressInfo).port)
    context.after(() => void relay.close())
    for (let count = 0; count < 20; count += 1) assert.equal((await ask(`${nginx}/v1/kept`)).status, 200)
    assert.equal(connections, 1)
  })

  test('HEAD answers with the headers of GET and no body', async (context) => {
    const { nginx } = await startBehindNginx(context)
    const get = await ask(`${nginx}/v1/kept`)
    const head = await ask(`${nginx}/v1/kept`, { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(head.bytes.length, 0)
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
      assert.ok(get.headers[name], `GET has no ${name}`)
      assert.equal(head.headers[name], get.headers[name])
    }
  })

  test('a client with a current ETag gets 304', async (context) => {
    const { nginx } = await startBehindNginx(context)
    const { etag } = (await ask(`${nginx}/v1/kept`)).headers
    const again = await ask(`${nginx}/v1/kept`, { headers: { 'If-None-Match': etag } })
    assert.equal(again.status, 304)
    assert.equal(again.bytes.length, 0)
    assert.equal(again.headers.etag, etag)
    assert.equal((await ask(`${nginx}/v1/kept`, { headers: { 'If-None-Match': '"other"' } })).status, 200)
  })

  test('a compressed answer passes through unchanged', async (context) => {
    const { nginx } = await startBehindNginx(context)
    const { headers, bytes } = await ask(`${nginx}/v1/kept`, { headers: { 'Accept-Encoding': 'gzip' } })
    assert.equal(headers['content-encoding'], 'gzip')
    assert.match(headers.vary ?? '', /Accept-Encoding/)
    assert.deepEqual(JSON.parse(gunzipSync(bytes).toString()), fixed)
  })

  test('headers that nginx accepts but the service does not are rejected with 431', async (context) => {
    const { nginx } = await startBehindNginx(context)
    const { status } = await ask(`${nginx}/v1/kept`, { headers: { 'X-Large': 'x'.repeat(32_000) } })
    assert.equal(status, 431)
    assert.equal((await ask(`${nginx}/v1/kept`)).status, 200, 'the next request is served')
  })
})
