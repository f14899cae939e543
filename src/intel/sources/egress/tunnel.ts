import type { Duplex } from 'node:stream'
import type { OpenPass } from './pass.ts'

type Ends = {
  readonly client: Duplex
  readonly upstream: Duplex
  /** Bytes the client sent right after its CONNECT request. */
  readonly head: Buffer
  readonly pass: OpenPass
}

/** Copies bytes both ways until either end closes or the pass reaches its byte limit. */
export function tunnel({ client, upstream, head, pass }: Ends): void {
  const end = () => {
    client.destroy()
    upstream.destroy()
  }
  for (const side of [client, upstream]) {
    side.on('data', (bytes: Buffer) => pass.spend(bytes.length))
    side.on('error', end)
    side.once('close', end)
  }
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0 && pass.spend(head.length)) upstream.write(head)
  client.pipe(upstream)
  upstream.pipe(client)
}
