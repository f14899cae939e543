import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSecureOrigin } from './origin.ts'

test('challenges are sent over https, or on the same machine', () => {
  const secure = [
    'https://api.example',
    'http://127.0.0.1:8080',
    'http://[::1]',
    'http://localhost:80',
    'http://a.localhost',
  ]
  const insecure = [
    'http://api.example',
    'http://192.168.1.7:8080',
    'http://127.example',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'http://[::2]',
  ]
  assert.deepEqual(secure.filter(isSecureOrigin), secure)
  assert.deepEqual(insecure.filter(isSecureOrigin), [])
})
