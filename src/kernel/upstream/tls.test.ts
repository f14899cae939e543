import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CERTIFICATE, serve, serveTls, upstreamFor } from './loopback.fixture.ts'

const trusting = { ca: CERTIFICATE }

test('https uses the name of the URL and the address that was checked', async (t) => {
  const port = await serveTls(t, (request, response) => void response.end(request.headers.host))
  const { request } = upstreamFor(t, trusting)
  assert.equal((await request({ url: `https://upstream.test:${port}/` })).text(), `upstream.test:${port}`)
})

test('a certificate for another name is unavailable', async (t) => {
  const port = await serveTls(t, (_request, response) => void response.end())
  const { request } = upstreamFor(t, trusting)
  await assert.rejects(request({ url: `https://other.test:${port}/` }), { failure: 'unavailable', untrusted: true })
})

test('an untrusted certificate is unavailable', async (t) => {
  const port = await serveTls(t, (_request, response) => void response.end())
  const { request } = upstreamFor(t)
  await assert.rejects(request({ url: `https://upstream.test:${port}/` }), { failure: 'unavailable', untrusted: true })
})

test('a server that does not speak TLS is unavailable', async (t) => {
  const port = await serve(t, (_request, response) => void response.end())
  const { request } = upstreamFor(t, trusting)
  await assert.rejects(request({ url: `https://upstream.test:${port}/` }), { failure: 'unavailable', untrusted: false })
})

test('a redirect from https to http is not followed', async (t) => {
  let hits = 0
  const plain = await serve(t, (_request, response) => void (hits++, response.end()))
  const port = await serveTls(t, (_request, response) => {
    response.writeHead(301, { location: `http://upstream.test:${plain}/` }).end()
  })
  const { request } = upstreamFor(t, trusting)
  await assert.rejects(request({ url: `https://upstream.test:${port}/`, redirects: 3 }), {
    failure: 'unavailable',
    message: `upstream.test:${port}: it redirects from https to http`,
  })
  assert.equal(hits, 0)
})
