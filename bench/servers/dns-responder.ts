/**
 * A minimal TLD name server: names that start with "taken" get a referral, all others NXDOMAIN. Responses are the question
 * plus prebuilt bytes, so that the client is the bottleneck.
 */
import { createSocket } from 'node:dgram'

const HEADER_BYTES = 12
/** Pointer to the question's name, NS, IN, TTL one day, length and `ns1.a.`. */
const REFERRAL = Buffer.from('c00c00020001000151800007036e73310161 00'.replace(' ', ''), 'hex')
/** SOA, IN, TTL 900 seconds, two names `a.` and five numbers. The owner, a pointer to the TLD, precedes it. */
const SOA = Buffer.from('00060001000003840020 016100 016100'.replaceAll(' ', '') + '00000384'.repeat(5), 'hex')
SOA.writeUInt16BE(SOA.length - 10, 8)

const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024, sendBufferSize: 4 * 1024 * 1024 })

socket.on('message', (query, from) => {
  // An empty datagram only finds out whether something listens here.
  if (query.length === 0) return
  const label = query[HEADER_BYTES]!
  const isTaken = query.toString('latin1', HEADER_BYTES + 1, HEADER_BYTES + 6) === 'taken'
  let end = HEADER_BYTES
  while (query[end]! > 0) end += query[end]! + 1
  end += 5
  const owner = Buffer.from([0xc0, HEADER_BYTES + 1 + label])
  const answer = Buffer.concat([query.subarray(0, end), ...(isTaken ? [REFERRAL] : [owner, SOA])])
  answer.writeUInt16BE(isTaken ? 0x8000 : 0x8403, 2)
  // One question, no answers, one authority record, no additional records.
  answer.writeUInt16BE(1, 8)
  answer.writeUInt16BE(0, 10)
  socket.send(answer, from.port, from.address)
})

socket.bind(0, '127.0.0.1', () => console.log(JSON.stringify({ port: socket.address().port })))
