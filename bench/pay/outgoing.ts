/**
 * Loaded into every contestant before its own code (`--import`): counts what the process asks of others on this machine,
 * where all nodes of the bench are, and tells it over the parent's channel. The list of registries that the service
 * fetches from elsewhere after its first minute has nothing to do with payments.
 */
import { subscribe } from 'node:diagnostics_channel'

export type OutgoingQuestion = { readonly ask: 'outgoing' }
export type Outgoing = { readonly outgoing: number }

let outgoing = 0
const count = (place: unknown) => {
  if (/\b(?:127\.0\.0\.1|localhost)\b/.test(String(place))) outgoing += 1
}
// undici, which is also what fetch is made of, and node:http.
subscribe('undici:request:create', (message) => count((message as { request: { origin: unknown } }).request.origin))
subscribe('http.client.request.start', (message) => count((message as { request: { host: unknown } }).request.host))

process.on('message', (message: Partial<OutgoingQuestion>) => {
  if (message.ask === 'outgoing') process.send?.({ outgoing } satisfies Outgoing)
})
// A server that was told to stop ends by itself: the channel must not keep it.
process.channel?.unref()
