import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../kernel/random.ts'
import { createBufferedRandom } from './buffered-random.ts'
import { createUdpSocketPool } from './udp-socket-pool.ts'

type Pending = { readonly id: number; next: Pending | null }

test('a server that refuses does not cost the queries to all others their socket, as on Windows it would', (t) => {
  const failed: unknown[] = []
  const pool = createUdpSocketPool<Pending>({
    random: createBufferedRandom(seededRandom(1)),
    onOpen() {},
    onMessage() {},
    onError: (socket) => failed.push(socket),
  })
  t.after(() => pool.close())
  const pooled = pool.socketFor(4, 0)
  pooled.socket.emit('error', Object.assign(new Error('recvmsg ECONNRESET'), { code: 'ECONNRESET' }))
  assert.deepEqual([pooled.closed, failed.length], [false, 0])
  pooled.socket.emit('error', Object.assign(new Error('bind EMFILE'), { code: 'EMFILE' }))
  assert.deepEqual([pooled.closed, failed.length], [true, 1])
})
