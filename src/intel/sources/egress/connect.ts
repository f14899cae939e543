import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { check, type Checked, type Destination, type Rules } from './destination.ts'
import { dial, failureOf } from './dial.ts'
import type { OpenPass } from './pass.ts'

/** `spent`: the pass allows no further connection. */
export type Unreached = Exclude<Checked['kind'], 'open'> | ReturnType<typeof failureOf> | 'spent'

type Connector = { readonly rules: Rules; readonly connectTimeoutMs: number }

/** A connection to the destination, or why it failed. */
export async function connectTo(
  { rules, connectTimeoutMs }: Connector,
  destination: Destination,
  pass: OpenPass,
  signal = pass.signal,
): Promise<Socket | Unreached> {
  const leave = pass.enter(destination)
  if (!leave) return 'spent'
  try {
    const checked = await check(destination, rules, signal)
    if (checked.kind === 'refused') pass.refuse()
    if (checked.kind !== 'open') {
      leave()
      return checked.kind
    }
    const upstream = await dial(checked, connectTimeoutMs, signal)
    upstream.once('close', leave)
    pass.hold(upstream)
    pass.reach(destination)
    return upstream
  } catch (error) {
    leave()
    return failureOf(error)
  }
}

/** Connects on behalf of a client; aborted if the client disconnects. */
export async function connectFor(
  connector: Connector,
  client: Duplex,
  destination: Destination,
  pass: OpenPass,
): Promise<Socket | null> {
  pass.hold(client)
  const gone = new AbortController()
  const hangUp = () => gone.abort()
  client.once('close', hangUp)
  const upstream = await connectTo(connector, destination, pass, AbortSignal.any([pass.signal, gone.signal]))
  client.off('close', hangUp)
  return typeof upstream === 'string' ? null : upstream
}
