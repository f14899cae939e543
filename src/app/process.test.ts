import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeSettings, onNpmGone, stopSignals } from './process.ts'

test('every system has a signal that a supervisor can send and one for Ctrl-C', () => {
  assert.deepEqual(stopSignals('linux'), ['SIGINT', 'SIGTERM'])
  assert.deepEqual(stopSignals('darwin'), ['SIGINT', 'SIGTERM'])
  assert.deepEqual(stopSignals('win32'), ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'])
})

test('the environment wins over the .env file, and on Windows names have no capitals', () => {
  const file = { PORT: '1', ONOMA_METRICS: 'off' }
  assert.deepEqual(mergeSettings(file, { PORT: '2', Path: 'x' }, 'linux'), { ...file, PORT: '2', Path: 'x' })
  assert.deepEqual(mergeSettings(file, { Port: '2', Path: 'x' }, 'win32'), { ...file, PORT: '2', PATH: 'x' })
})

test('only a service that npm has started ends when its parent does', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let parent = 10
  const ended: string[] = []
  for (const env of [{}, { npm_lifecycle_event: 'start' }])
    onNpmGone(() => ended.push(env.npm_lifecycle_event ?? 'alone'), { env, parent: () => parent })
  t.mock.timers.tick(1000)
  assert.deepEqual(ended, [])
  parent = 1
  t.mock.timers.tick(1000)
  assert.deepEqual(ended, ['start'])
})
