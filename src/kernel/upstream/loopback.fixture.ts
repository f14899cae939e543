import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { manualClock } from '../clock.ts'
import { UpstreamError } from '../errors.ts'
import { createUpstream, type Observation, type UpstreamOptions } from './client.ts'

/** Small real servers on loopback for the tests in this folder, stopped after the test. */
export const serve = (t: TestContext, listener: RequestListener): Promise<number> =>
  openForTest(t, createServer(listener))

export const serveTls = (t: TestContext, listener: RequestListener): Promise<number> =>
  openForTest(t, createTlsServer({ key: KEY, cert: CERTIFICATE }, listener))

/** A TCP server with a scripted conversation. */
export const serveRaw = (t: TestContext, talk: (socket: Socket) => void): Promise<number> =>
  openForTest(
    t,
    createTcpServer((socket) => talk(socket.on('error', () => {}))),
  )

/** A server that sends these bytes after the first bytes of a request. */
export const serveBytes = (t: TestContext, bytes: string): Promise<number> =>
  serveRaw(t, (socket) => socket.once('data', () => socket.write(bytes)))

/** Lets the server listen on a free port until the test ends. `sockets` gets its open connections. */
export async function openForTest(
  t: TestContext,
  server: Server | TcpServer,
  sockets = new Set<Socket>(),
): Promise<number> {
  server.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

/** An upstream with the default address policy; every name resolves to loopback. */
export function guardedUpstreamFor(t: TestContext, options: Partial<UpstreamOptions> = {}) {
  const clock = manualClock()
  const observations: Observation[] = []
  const upstream = createUpstream({
    name: 'shop',
    userAgent: 'onoma-test',
    clock,
    timeoutMs: 60_000,
    maxBytes: 100_000,
    connections: 4,
    maxQueue: 10,
    lookup: (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    observe: (observation) => observations.push(observation),
    ...options,
  })
  t.after(() => upstream.close())
  return { ...upstream, clock, observations }
}

/** An upstream that may connect to loopback only. */
export const upstreamFor = (t: TestContext, options: Partial<UpstreamOptions> = {}) =>
  guardedUpstreamFor(t, { allow: (address) => address === '127.0.0.1', ...options })

/** For `assert.rejects`: checks the failure, and the message if given. */
export const failing = (failure: string, message?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof UpstreamError, String(error))
  assert.equal(error.failure, failure)
  if (message) assert.match(error.message, message)
  return true
}

/** Valid for `upstream.test` from 2020 to 2120. It protects nothing: the key is public on purpose. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBgDCCASagAwIBAgIUJFF/QFP1gHnDs+PSfleKszvDPCEwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNdXBzdHJlYW0udGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIw
MDEwMTAwMDAwMFowGDEWMBQGA1UEAwwNdXBzdHJlYW0udGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABF8XPi3gGRE8bPPb4zpo4ccEW/tPfo0/9D5Kuv6/FtlC
7sJXMEwGqrXOR133DB6C8J2tU8DfoqnU5Cn10Bn+G7KjTDBKMA8GA1UdEwEB/wQF
MAMBAf8wGAYDVR0RBBEwD4INdXBzdHJlYW0udGVzdDAdBgNVHQ4EFgQUbfMHGTzX
MnR2bbThTOV1t/fK0dswCgYIKoZIzj0EAwIDSAAwRQIhAMoOgF6KB55PN50VmdOf
HH/DMz1kapGEV4cluVDe6VC6AiAR83KjstX7iL9CMbowS3lqPFqaEL+Ea9pH/f2U
FOwDCQ==
-----END CERTIFICATE-----
`
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgq6QAVlb/s2XTFkJJ
JKgLXXxwMiB15Wxb7hqcNgqMU/qhRANCAARfFz4t4BkRPGzz2+M6aOHHBFv7T36N
P/Q+Srr+vxbZQu7CVzBMBqq1zkdd9wwegvCdrVPA36Kp1OQp9dAZ/huy
-----END PRIVATE KEY-----
`
