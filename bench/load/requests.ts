import { type Random, seededRandom } from '../../src/kernel/random.ts'

export const TARGET = '/v1/tlds?category=top20'

/** What a usual client sends, as bytes; `forwardedFor` where a proxy would tell whom it asks for. */
function requestBytes(forwardedFor?: string): Buffer {
  const lines = [
    `GET ${TARGET} HTTP/1.1`,
    'Host: 127.0.0.1',
    'User-Agent: onoma-bench/1',
    'Accept: application/json',
    'Accept-Encoding: gzip, br',
    ...(forwardedFor === undefined ? [] : [`X-Forwarded-For: ${forwardedFor}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
}

/** One in ten speaks IPv6, each from a network of its own. All are of the ranges set aside for measurements. */
const clientAddress = (index: number): string =>
  index % 10 === 9
    ? `2001:2:0:${(index % 65_536).toString(16)}::1`
    : `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`

/**
 * The same sequence of requests at every run. With addresses, every one of them asks once, in a shuffled order, and
 * from then on they ask at random.
 */
export function requestMix(addresses: number, seed: number): () => Buffer {
  if (addresses === 0) {
    const only = requestBytes()
    return () => only
  }
  const random = seededRandom(seed)
  const requests = Array.from({ length: addresses }, (_, index) => requestBytes(clientAddress(index)))
  shuffle(requests, random)
  let asked = 0
  return () => requests[asked < addresses ? asked++ : random.below(addresses)]!
}

function shuffle(list: unknown[], random: Random): void {
  for (let at = list.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    ;[list[at], list[other]] = [list[other], list[at]]
  }
}
