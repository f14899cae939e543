import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rehearse } from './rehearsal.ts'

const logged = () => {
  const lines: string[] = []
  return { lines, log: { debug: (_: object, line: string) => void lines.push(line) } }
}

test('a rehearsal checks its names on loopback', async () => {
  const { lines, log } = logged()
  await rehearse(log, new AbortController().signal)
  assert.deepEqual(lines, [])
})

test('a rehearsal ends without a complaint when the service is asked', async () => {
  const { lines, log } = logged()
  const idle = new AbortController()
  const rehearsal = rehearse(log, idle.signal)
  idle.abort()
  await rehearsal
  assert.deepEqual(lines, [])
})
