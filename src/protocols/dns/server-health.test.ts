import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { seededRandom } from '../../kernel/random.ts'
import { parseServerAddress, type ServerAddress } from './server-address.ts'
import { createServerHealth } from './server-health.ts'

const [one, two, three] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(parseServerAddress) as [
  ServerAddress,
  ServerAddress,
  ServerAddress,
]
const six = parseServerAddress('2001:db8::1')

function open() {
  const clock = manualClock()
  const health = createServerHealth({ clock, random: seededRandom(1) })
  const chosen = (servers: readonly ServerAddress[], times = 200) => {
    const counts = new Map<ServerAddress, number>(servers.map((server) => [server, 0]))
    for (let count = 0; count < times; count++) {
      const server = health.choose(servers, false)
      counts.set(server, counts.get(server)! + 1)
    }
    return (server: ServerAddress) => counts.get(server)!
  }
  return { health, clock, chosen }
}

test('servers without a record are all tried', () => {
  const { chosen } = open()
  const count = chosen([one, two, three])
  for (const server of [one, two, three]) assert.ok(count(server) > 30)
})

test('fast servers get most of the queries, slow ones a few, so that recovery is noticed', () => {
  const { health, chosen } = open()
  health.recordAnswer(one, 10)
  health.recordAnswer(two, 12)
  health.recordAnswer(three, 200)
  const count = chosen([one, two, three], 1000)
  assert.ok(count(one) > count(two) && count(two) > 100 && count(three) < 100 && count(three) > 0)
})

test('a server that times out is avoided with exponential backoff, but used if there is no other', () => {
  const { health, clock, chosen } = open()
  health.recordTimeout(one, 300)
  assert.equal(chosen([one, two])(one), 0)
  assert.equal(health.choose([one], false), one)
  clock.advance(1000)
  assert.notEqual(chosen([one, two])(one), 0)
  health.recordTimeout(one, 300)
  clock.advance(1000)
  assert.equal(chosen([one, two])(one), 0)
  health.recordAnswer(one, 1)
  assert.notEqual(chosen([one, two])(one), 0)
})

test('a failing server is avoided for a while', () => {
  const { health, clock, chosen } = open()
  health.recordFailure(one)
  assert.equal(chosen([one, two])(one), 0)
  clock.advance(5000)
  assert.notEqual(chosen([one, two])(one), 0)
})

test('inOrder picks the first healthy server', () => {
  const { health } = open()
  health.recordAnswer(one, 500)
  health.recordAnswer(two, 1)
  assert.equal(health.choose([one, two, three], true), one)
  health.recordTimeout(one, 500)
  assert.equal(health.choose([one, two, three], true), two)
})

test('IPv6 is used once it has worked, or when IPv4 fails', () => {
  const { health, chosen } = open()
  assert.equal(chosen([one, six])(six), 0)
  assert.equal(health.choose([six], false), six)
  health.recordUnreachable(one)
  assert.equal(chosen([one, two, six])(six), 200)
  health.recordAnswer(one, 50)
  health.recordAnswer(six, 5)
  assert.ok(chosen([one, six])(six) > 100)
})

test('after timeouts on all IPv6 servers, IPv6 must work again before it is preferred', () => {
  const { health, clock, chosen } = open()
  health.recordAnswer(six, 1)
  const others = Array.from({ length: 8 }, (_, at) => parseServerAddress(`2001:db8::2:${at}`))
  for (const server of others) health.recordTimeout(server, 300)
  assert.equal(chosen([one, six])(six), 0)
  clock.advance(60_000)
  assert.equal(chosen([one, six])(six), 0)
})

test('the oldest entry is evicted when the table is full', () => {
  const { health } = open()
  for (let count = 0; count < 9000; count++) {
    health.recordAnswer(parseServerAddress(`10.0.${count >> 8}.${count & 255}`), 1)
  }
  assert.equal(health.size, 8192)
})
