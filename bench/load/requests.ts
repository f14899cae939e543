import { type Random, seededRandom } from '../../src/kernel/random.ts'

export const TARGET = '/v1/tlds?category=top20'

/** A typical request as bytes. `forwardedFor` is the client address that a proxy would add. */
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

/** One in ten is IPv6, each in its own network. All are in the ranges reserved for benchmarks. */
const clientAddress = (index: number): string =>
  index % 10 === 9
    ? `2001:2:0:${(index % 65_536).toString(16)}::1`
    : `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`

/**
 * The same sequence of requests in every run. With addresses: first every address once, in shuffled order, then random
 * addresses.
 */
export function requestMix(addresses: number, seed: number): () => Buffer {
  if (addresses === 0) {
    const only = requestBytes()
    return () => only
  }
  const random = seededRandom(seed)
  const requests = Array.from({ length: addresses }, (_, index) => requestBytes(clientAddress(index)))
  shuffle(requests, random)
  let sent = 0
  return () => requests[sent < addresses ? sent++ : random.below(addresses)]!
}

function shuffle(list: unknown[], random: Random): void {
  for (let at = list.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    ;[list[at], list[other]] = [list[other], list[at]]
  }
}
