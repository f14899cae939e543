import type { LookupFunction, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ProxyError, type ProxyServer } from '../../../kernel/upstream/proxy.ts'
import { check, type Checked, type Destination, type Manner, type Rules } from './destination.ts'
import { dial, failureOf } from './dial.ts'
import type { OpenPass } from './pass.ts'
import { dialProxy, siteFailureOf } from './proxied.ts'

/** `spent`: the pass allows no further connection. */
export type Unreached = Exclude<Checked['kind'], 'open' | 'proxied'> | ReturnType<typeof failureOf> | 'spent'

type Connector = {
  readonly rules: Rules
  readonly connectTimeoutMs: number
  /** DNS lookup of the operator's proxy. */
  readonly proxyLookup: LookupFunction
}

export type Connection = {
  readonly socket: Socket
  /** The proxy that the socket ends at, and that forwards requests; undefined if it leads to the destination. */
  readonly proxy?: ProxyServer
}

/** A connection to the destination, or why it failed: a ProxyError if that is the fault of the operator's proxy. */
export async function connectTo(
  { rules, connectTimeoutMs, proxyLookup }: Connector,
  { destination, manner }: { readonly destination: Destination; readonly manner: Manner },
  pass: OpenPass,
  signal = pass.signal,
): Promise<Connection | Unreached | ProxyError> {
  const leave = pass.enter(destination)
  if (!leave) return 'spent'
  try {
    const checked = await check(destination, rules, signal, manner)
    if (checked.kind === 'refused') pass.refuse()
    if (checked.kind !== 'open' && checked.kind !== 'proxied') {
      leave()
      return checked.kind
    }
    const proxy = checked.kind === 'proxied' ? checked.proxy : undefined
    const isForwarded = proxy !== undefined && manner === 'request'
    const target = isForwarded ? undefined : destination
    const socket = await (checked.kind === 'open'
      ? dial(checked, connectTimeoutMs, signal)
      : dialProxy({ proxy: checked.proxy, lookup: proxyLookup, target }, connectTimeoutMs, signal))
    socket.once('close', leave)
    pass.hold(socket)
    // Whether a proxy that forwards reaches the host is seen from its answer.
    if (isForwarded) return { socket, proxy }
    pass.reach(destination)
    return { socket }
  } catch (error) {
    leave()
    if (!(error instanceof ProxyError)) return failureOf(error)
    const failure = siteFailureOf(error)
    if (failure) return failure
    pass.blameProxy(destination.host, error)
    return error
  }
}

/** Connects on behalf of a client; aborted if the client disconnects. */
export async function connectFor(
  connector: Connector,
  client: Duplex,
  asked: { readonly destination: Destination; readonly manner: Manner },
  pass: OpenPass,
): Promise<Connection | null> {
  pass.hold(client)
  const gone = new AbortController()
  const hangUp = () => gone.abort()
  client.once('close', hangUp)
  const connection = await connectTo(connector, asked, pass, AbortSignal.any([pass.signal, gone.signal]))
  client.off('close', hangUp)
  return typeof connection === 'string' || connection instanceof ProxyError ? null : connection
}
