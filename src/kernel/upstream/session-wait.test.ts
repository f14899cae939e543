import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { createSessionWait } from './session-wait.ts'

const ORIGIN = 'https://upstream.test'

test('further connections to an origin wait for its session, those to others do not', async () => {
  const wait = createSessionWait()
  const socket = new EventEmitter()
  const done = new EventEmitter()
  const acts: string[] = []
  wait.begin(ORIGIN, socket as TLSSocket)
  wait.whenOver(ORIGIN, () => acts.push('waited'))
  wait.whenOver(ORIGIN, () => done.emit('over'))
  wait.whenOver('https://other.test', () => acts.push('other'))
  assert.deepEqual(acts, ['other'])
  socket.emit('session')
  await once(done, 'over')
  assert.deepEqual(acts, ['other', 'waited'])
  wait.whenOver(ORIGIN, () => acts.push('after'))
  assert.deepEqual(acts, ['other', 'waited', 'after'])
  assert.deepEqual(socket.eventNames(), [])
})

test('a server that sends no session, or closes the connection, holds up nobody', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const wait = createSessionWait()
  let acts = 0
  wait.begin(ORIGIN, new EventEmitter() as TLSSocket)
  wait.whenOver(ORIGIN, () => acts++)
  t.mock.timers.tick(10)
  assert.equal(acts, 1)
  const closed = new EventEmitter()
  wait.begin(ORIGIN, closed as TLSSocket)
  wait.whenOver(ORIGIN, () => acts++)
  closed.emit('close')
  assert.equal(acts, 2)
})
