import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { seededRandom } from '../../kernel/random.ts'
import { parseServerAddress, type ServerAddress } from './server-address.ts'
import { createServerBook } from './server-book.ts'

const [one, two, three] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(parseServerAddress) as [
  ServerAddress,
  ServerAddress,
  ServerAddress,
]
const six = parseServerAddress('2001:db8::1')

function open() {
  const clock = manualClock()
  const book = createServerBook({ clock, random: seededRandom(1) })
  const chosen = (servers: readonly ServerAddress[], times = 200) => {
    const counts = new Map<ServerAddress, number>(servers.map((server) => [server, 0]))
    for (let count = 0; count < times; count++) {
      const server = book.choose(servers, false)
      counts.set(server, counts.get(server)! + 1)
    }
    return (server: ServerAddress) => counts.get(server)!
  }
  return { book, clock, chosen }
}

test('strangers are all tried', () => {
  const { chosen } = open()
  const count = chosen([one, two, three])
  for (const server of [one, two, three]) assert.ok(count(server) > 30)
})

test('fast servers get most of the questions, slow ones a few, so that they may improve', () => {
  const { book, chosen } = open()
  book.answered(one, 10)
  book.answered(two, 12)
  book.answered(three, 200)
  const count = chosen([one, two, three], 1000)
  assert.ok(count(one) > count(two) && count(two) > 100 && count(three) < 100 && count(three) > 0)
})

test('who stayed silent is left alone for longer and longer, but asked where there is nobody else', () => {
  const { book, clock, chosen } = open()
  book.silent(one, 300)
  assert.equal(chosen([one, two])(one), 0)
  assert.equal(book.choose([one], false), one)
  clock.advance(1000)
  assert.notEqual(chosen([one, two])(one), 0)
  book.silent(one, 300)
  clock.advance(1000)
  assert.equal(chosen([one, two])(one), 0)
  book.answered(one, 1)
  assert.notEqual(chosen([one, two])(one), 0)
})

test('who cannot help is left alone for a while', () => {
  const { book, clock, chosen } = open()
  book.useless(one)
  assert.equal(chosen([one, two])(one), 0)
  clock.advance(5000)
  assert.notEqual(chosen([one, two])(one), 0)
})

test('in order means the first that is well', () => {
  const { book } = open()
  book.answered(one, 500)
  book.answered(two, 1)
  assert.equal(book.choose([one, two, three], true), one)
  book.silent(one, 500)
  assert.equal(book.choose([one, two, three], true), two)
})

test('IPv6 waits until it has worked once, or IPv4 does not', () => {
  const { book, chosen } = open()
  assert.equal(chosen([one, six])(six), 0)
  assert.equal(book.choose([six], false), six)
  book.unreachable(one)
  assert.equal(chosen([one, two, six])(six), 200)
  book.answered(one, 50)
  book.answered(six, 5)
  assert.ok(chosen([one, six])(six) > 100)
})

test('IPv6 that has fallen silent everywhere has to prove itself again', () => {
  const { book, clock, chosen } = open()
  book.answered(six, 1)
  const others = Array.from({ length: 8 }, (_, at) => parseServerAddress(`2001:db8::2:${at}`))
  for (const server of others) book.silent(server, 300)
  assert.equal(chosen([one, six])(six), 0)
  clock.advance(60_000)
  assert.equal(chosen([one, six])(six), 0)
})

test('it forgets the oldest rather than grow without end', () => {
  const { book } = open()
  for (let count = 0; count < 9000; count++) {
    book.answered(parseServerAddress(`10.0.${count >> 8}.${count & 255}`), 1)
  }
  assert.equal(book.size, 8192)
})
