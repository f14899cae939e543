import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { failing, serve, upstreamFor } from './loopback.fixture.ts'

test('a silent host costs one request its timeout; the next fail at once, until a probe is answered', async (t) => {
  let isUp = false
  let asked = 0
  const seen = new EventTarget()
  const port = await serve(t, (_request, response) => {
    asked++
    seen.dispatchEvent(new Event('asked'))
    if (isUp) response.end('yes')
  })
  const { request, clock } = upstreamFor(t, { failsFast: true })
  const url = `http://127.0.0.1:${port}/`
  // The timeout runs on real time, the breaker on the clock: let the request seem to have taken a second.
  const slow = assert.rejects(request({ url, timeoutMs: 40 }), failing('timeout', /within 40 ms/))
  clock.advance(1000)
  await slow
  clock.advance(100)
  isUp = true
  const probed = once(seen, 'asked')
  for (let at = 0; at < 5; at++) await assert.rejects(request({ url }), failing('timeout', /has not been answering/))
  await probed
  assert.equal(asked, 2)
  // The answer of the probe is on its way.
  for (;;) {
    const reply = await request({ url }).catch(() => undefined)
    if (reply) break
    await new Promise(setImmediate)
  }
  assert.equal(asked, 3)
})

test('a host that refuses connections is asked every time: it costs no time', async (t) => {
  const port = await serve(t, (_request, response) => response.end('yes'))
  const { request, clock } = upstreamFor(t, { failsFast: true })
  for (let at = 0; at < 5; at++) {
    await assert.rejects(request({ url: 'http://127.0.0.1:1/' }), failing('unavailable', /could not be asked/))
    clock.advance(1000)
  }
  assert.equal((await request({ url: `http://127.0.0.1:${port}/` })).status, 200)
})
