import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRedirect, nextHop } from './redirect.ts'

const headers = {
  accept: 'application/rdap+json',
  'user-agent': 'onoma',
  authorization: 'Bearer key',
  'x-api-key': 'key',
  'content-type': 'text/plain',
}
const get = { url: new URL('https://a.example/x?q=1'), method: 'GET', headers, body: undefined }
const post = { ...get, method: 'POST', body: '{}' }

test('only the five statuses with another location are redirects', () => {
  assert.deepEqual([300, 301, 302, 303, 304, 305, 306, 307, 308, 309].filter(isRedirect), [301, 302, 303, 307, 308])
})

test('a location is resolved against the URL of the request', () => {
  assert.equal(nextHop(get, 302, '/y').url.href, 'https://a.example/y')
  assert.equal(nextHop(get, 302, '//b.example/y').url.href, 'https://b.example/y')
})

test('the same origin gets the same headers, another origin none that could be secret', () => {
  assert.deepEqual(nextHop(get, 302, '/y').headers, headers)
  for (const elsewhere of ['https://b.example/', 'https://a.example:8443/', 'https://sub.a.example/']) {
    assert.deepEqual(nextHop(get, 302, elsewhere).headers, { accept: headers.accept, 'user-agent': 'onoma' })
  }
})

test('a redirect may lead from http to https, not back', () => {
  assert.throws(() => nextHop(get, 302, 'http://a.example/'), /from https to http/)
  assert.equal(nextHop({ ...get, url: new URL('http://a.example/') }, 302, 'https://a.example/').url.protocol, 'https:')
})

test('a redirect without a location, to another scheme or with credentials is not followed', () => {
  for (const location of [
    undefined,
    'http://',
    'https://:80:80/',
    'file:///etc/passwd',
    'ftp://a.example/',
    'https://u:p@a.example/',
  ]) {
    assert.throws(() => nextHop(get, 302, location), { name: 'ForbiddenTargetError' }, String(location))
  }
})

test('a POST becomes a GET without a body if the status says so', () => {
  for (const status of [301, 302, 303]) {
    const { method, body, headers } = nextHop(post, status, '/y')
    assert.deepEqual([method, body, headers['content-type']], ['GET', undefined, undefined])
  }
  const { method, body } = nextHop(post, 307, '/y')
  assert.deepEqual([method, body], ['POST', '{}'])
})

test('a request body is not sent to another host', () => {
  assert.throws(() => nextHop(post, 308, 'https://b.example/'), /to another host/)
})
