/**
 * A minimal TLD name server: names that start with "taken" get a referral, all others NXDOMAIN. Responses are the question
 * plus prebuilt bytes, so that the client is the bottleneck.
 */
import { createSocket, type RemoteInfo } from 'node:dgram'

const HEADER_BYTES = 12
/** Pointer to the question's name, NS, IN, TTL one day, length and `ns1.a.`. */
const REFERRAL = Buffer.from('c00c00020001000151800007036e73310161 00'.replace(' ', ''), 'hex')
/** SOA, IN, TTL 900 seconds, two names `a.` and five numbers. The owner, a pointer to the TLD, precedes it. */
const SOA = Buffer.from('00060001000003840020 016100 016100'.replaceAll(' ', '') + '00000384'.repeat(5), 'hex')
SOA.writeUInt16BE(SOA.length - 10, 8)

const socket = createSocket({
  type: 'udp4',
  recvBufferSize: 4 * 1024 * 1024,
  sendBufferSize: 4 * 1024 * 1024,
  lookup: (ip, _options, callback) => callback(null, ip, 4),
})

type Query = { readonly bytes: Buffer; readonly from: RemoteInfo }
let queries: Query[] = []

/** All queries that have arrived are answered together, which costs the least for each. */
socket.on('message', (bytes, from) => {
  // An empty datagram only finds out whether something listens here.
  if (bytes.length > 0 && queries.push({ bytes, from }) === 1) setImmediate(answerAll)
})

function answerAll(): void {
  const all = queries
  queries = []
  for (const { bytes, from } of all) socket.send(answerTo(bytes), from.port, from.address)
}

function answerTo(query: Buffer): Buffer {
  const label = query[HEADER_BYTES]!
  const isTaken = query.toString('latin1', HEADER_BYTES + 1, HEADER_BYTES + 6) === 'taken'
  let end = HEADER_BYTES
  while (query[end]! > 0) end += query[end]! + 1
  end += 5
  const tail = isTaken ? REFERRAL : SOA
  const answer = Buffer.allocUnsafe(end + (isTaken ? 0 : 2) + tail.length)
  query.copy(answer, 0, 0, end)
  if (!isTaken) {
    answer[end++] = 0xc0
    answer[end++] = HEADER_BYTES + 1 + label
  }
  tail.copy(answer, end)
  answer.writeUInt16BE(isTaken ? 0x8000 : 0x8403, 2)
  // One question, no answers, one authority record, no additional records.
  answer.writeUInt16BE(1, 8)
  answer.writeUInt16BE(0, 10)
  return answer
}

socket.bind(0, '127.0.0.1', () => console.log(JSON.stringify({ port: socket.address().port })))
