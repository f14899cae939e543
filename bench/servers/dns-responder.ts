/**
 * The name server of a TLD as far as a bench needs one: names that start with "taken" are referred, all others do not
 * exist. Answers are made of the question and bytes kept ready, so that it is the client that is measured.
 */
import { createSocket } from 'node:dgram'

const HEADER = 12
/** Pointer to the question's name, NS, IN, one day, `ns1.a.` and its length. */
const REFERRAL = Buffer.from('c00c00020001000151800007036e73310161 00'.replace(' ', ''), 'hex')
/** SOA, IN, 900 seconds, two names `a.` and five numbers; the owner, a pointer to the TLD, comes before it. */
const SOA = Buffer.from('00060001000003840020 016100 016100'.replaceAll(' ', '') + '00000384'.repeat(5), 'hex')
SOA.writeUInt16BE(SOA.length - 10, 8)

const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024, sendBufferSize: 4 * 1024 * 1024 })

socket.on('message', (query, from) => {
  const label = query[HEADER]!
  const isTaken = query.toString('latin1', HEADER + 1, HEADER + 6) === 'taken'
  let end = HEADER
  while (query[end]! > 0) end += query[end]! + 1
  end += 5
  const owner = Buffer.from([0xc0, HEADER + 1 + label])
  const answer = Buffer.concat([query.subarray(0, end), ...(isTaken ? [REFERRAL] : [owner, SOA])])
  answer.writeUInt16BE(isTaken ? 0x8000 : 0x8403, 2)
  // One question, no answers, one record of authority, nothing besides.
  answer.writeUInt16BE(1, 8)
  answer.writeUInt16BE(0, 10)
  socket.send(answer, from.port, from.address)
})

socket.bind(0, '127.0.0.1', () => console.log(JSON.stringify({ port: socket.address().port })))
