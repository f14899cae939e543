import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import S3rver from 's3rver'
import { manualClock, systemClock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { secureRandom } from '../../../kernel/random.ts'
import { createUpstream, type Upstream } from '../../../kernel/upstream/client.ts'
import { s3Screenshots, type S3Options } from './s3.ts'

const BUCKET = 'pictures'
/** The keys this server accepts. */
const KEYS = { accessKey: 'S3RVER', secretKey: 'S3RVER' }
const forever = new AbortController().signal
const isFailure = (failure: string) => (error: unknown) => error instanceof UpstreamError && error.failure === failure

let folder: string
let server: S3rver
let endpoint: string
let upstream: Upstream

const open = (options: Partial<S3Options> = {}) =>
  s3Screenshots({
    upstream,
    endpoint,
    bucket: BUCKET,
    region: 'us-east-1',
    ...KEYS,
    secret: () => Buffer.from('one'),
    clock: systemClock,
    ...options,
  })

suite('screenshots in a bucket, of a real S3 server', () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-s3-'))
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: BUCKET }],
    })
    endpoint = `http://127.0.0.1:${(await server.run()).port}`
    upstream = createUpstream({
      name: 'screenshots',
      userAgent: 'onoma-test',
      clock: systemClock,
      allow: () => true,
      timeoutMs: 10_000,
      maxBytes: 1_000_000,
      connections: 4,
      maxQueue: 10,
    })
  })
  after(async () => {
    await upstream.close()
    server.httpServer.closeAllConnections()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a screenshot is returned unchanged; equal screenshots have one id', async () => {
    const screenshots = open()
    const jpeg = secureRandom.bytes(70_000)
    const id = await screenshots.put(jpeg, forever)
    assert.match(id, /^[0-9a-f]{64}$/)
    assert.deepEqual(Buffer.from((await screenshots.get(id, forever))!), Buffer.from(jpeg))
    assert.equal(await screenshots.put(jpeg, forever), id)
    assert.notEqual(await open({ secret: () => Buffer.from('two') }).put(jpeg, forever), id)
    await screenshots.sweep()
    assert.ok(await screenshots.get(id, forever))
  })

  test('an unknown id gives null, and an invalid id is never requested', async () => {
    assert.equal(await open().get('0'.repeat(64), forever), null)
    const asks: string[] = []
    const watched = {
      ...upstream,
      ask: (question: Parameters<Upstream['request']>[0]) => (
        asks.push(String(question.url)),
        upstream.request(question)
      ),
    }
    for (const text of ['', '..', '../other/key', 'A'.repeat(64), `${'0'.repeat(64)}?acl`, `${'0'.repeat(64)}\n`]) {
      assert.equal(await open({ upstream: watched }).get(text, forever), null)
    }
    assert.deepEqual(asks, [])
  })

  test('an unknown key is rejected, and the error contains neither key nor signature', async () => {
    const stranger = open({ accessKey: 'NOBODY', secretKey: 'not-the-secret' })
    for (const act of [() => stranger.put(Buffer.from('x'), forever), () => stranger.get('0'.repeat(64), forever)]) {
      await assert.rejects(act, (error: Error) => {
        assert.ok(isFailure('auth_error')(error), String(error))
        assert.doesNotMatch(`${error.message} ${JSON.stringify(error)}`, /secret|NOBODY|Signature/)
        return true
      })
    }
  })

  test('a missing bucket is an error on put, and null on get', async () => {
    const elsewhere = open({ bucket: 'nowhere' })
    await assert.rejects(elsewhere.put(Buffer.from('x'), forever), isFailure('unavailable'))
    assert.equal(await elsewhere.get('0'.repeat(64), forever), null)
  })

  test('a server that is down is an UpstreamError', async () => {
    const down = open({ endpoint: 'http://127.0.0.1:1' })
    await assert.rejects(down.put(Buffer.from('x'), forever), isFailure('unavailable'))
    await assert.rejects(down.get('0'.repeat(64), forever), isFailure('unavailable'))
  })

  test('an aborted request rejects at once', async () => {
    const gone = AbortSignal.abort(new Error('gone'))
    await assert.rejects(open().put(Buffer.from('x'), gone), /gone/)
    await assert.rejects(open().get('0'.repeat(64), gone), /gone/)
  })

  // The server does not verify signatures of this kind, so the test computes the signature itself.
  test('the request is a signed JPEG under its id, without other headers of ours', async () => {
    const seen: Seen[] = []
    const recorder = createServer(({ method = '', url = '', headers }, response) => {
      seen.push({ method, url, headers })
      response.end()
    }).listen(0, '127.0.0.1')
    await once(recorder, 'listening')
    try {
      const at = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`
      const bucket = open({
        endpoint: at,
        secretKey: 'a very secret key',
        clock: manualClock(Date.UTC(2026, 10, 5, 1, 2, 3, 4)),
      })
      const id = await bucket.put(Buffer.from('x'), forever)
      await bucket.get(id, forever)
      assert.deepEqual(
        seen.map(({ method, url }) => `${method} ${url}`),
        [`PUT /${BUCKET}/${id}.jpg`, `GET /${BUCKET}/${id}.jpg`],
      )
      assert.equal(seen[0]!.headers['content-type'], 'image/jpeg')
      assert.deepEqual(
        seen.map(({ headers }) => headers['x-amz-content-sha256']),
        [sha256('x'), sha256('')],
      )
      for (const one of seen) {
        assert.equal(one.headers['x-amz-date'], '20261105T010203Z')
        assert.ok(one.headers.authorization!.endsWith(`Signature=${signatureOf(one, 'a very secret key')}`))
        assert.doesNotMatch(JSON.stringify(one.headers), /very secret/)
      }
    } finally {
      recorder.closeAllConnections()
      recorder.close()
      await once(recorder, 'close')
    }
  })
})

type Seen = { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Signature version 4, from what arrived. */
function signatureOf({ method, url, headers }: Seen, secretKey: string): string {
  const [, scope = '', signed = ''] = /Credential=\w+\/(\S+), SignedHeaders=(\S+),/.exec(headers.authorization!) ?? []
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  const request = [method, url, '', lines.join(''), signed, headers['x-amz-content-sha256']].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n')
  const key = scope.split('/').reduce((key: string | Buffer, part) => hmac(key, part), `AWS4${secretKey}`)
  return hmac(key, text).toString('hex')
}
