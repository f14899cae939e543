/**
 * Loaded into every contestant before its own code (`--import`): counts requests to loopback, where all nodes of the bench
 * are, and reports them over the parent's channel. Requests elsewhere, like the service's download of the RDAP bootstrap,
 * are not counted.
 */
import { subscribe } from 'node:diagnostics_channel'

export type OutgoingRequest = { readonly ask: 'outgoing' }
export type Outgoing = { readonly outgoing: number }

let outgoing = 0
const count = (place: unknown) => {
  if (/\b(?:127\.0\.0\.1|localhost)\b/.test(String(place))) outgoing += 1
}
// undici, which fetch uses, and node:http.
subscribe('undici:request:create', (message) => count((message as { request: { origin: unknown } }).request.origin))
subscribe('http.client.request.start', (message) => count((message as { request: { host: unknown } }).request.host))

process.on('message', (message: Partial<OutgoingRequest>) => {
  if (message.ask === 'outgoing') process.send?.({ outgoing } satisfies Outgoing)
})
// The channel must not keep a stopped server alive.
process.channel?.unref()
