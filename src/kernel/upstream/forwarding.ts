import { Agent } from 'undici'
import type { Connector } from './connector.ts'
import { proxyRefusal } from './proxy.ts'

type Headers = Readonly<Record<string, string>>

/** Where a request is sent instead of its host, and in which form. */
type Forwarded = {
  readonly agent: Agent
  readonly target: { readonly origin: string; readonly path: string; readonly headers: Headers }
  /** Throws if the answer is the proxy's own: it wants a password. */
  checkStatus(status: number): void
}

/** Sends requests for http URLs to the operator's proxy, in absolute form: many proxies tunnel to port 443 only. */
export type Forwarding = {
  /** Undefined if the request is not forwarded. Throws if its host is not allowed. */
  route(url: URL, headers: Headers): Forwarded | undefined
  destroy(): Promise<void>
}

export function createForwarding(
  connector: Pick<Connector, 'forwardingProxy' | 'connectToProxy' | 'refusal'>,
  options: Agent.Options,
): Forwarding {
  let agent: Agent | undefined
  return {
    route(url, headers) {
      const proxy = url.protocol === 'http:' ? connector.forwardingProxy(url) : undefined
      if (!proxy) return undefined
      const refusal = connector.refusal(url)
      if (refusal) throw refusal
      agent ??= new Agent({ ...options, connect: connector.connectToProxy, allowH2: false })
      const { protocol, host, authorization } = proxy
      return {
        agent,
        target: {
          origin: `${protocol}//${host}`,
          path: `${url.origin}${url.pathname}${url.search}`,
          headers: {
            ...headers,
            host: url.host,
            ...(authorization !== undefined && { 'proxy-authorization': authorization }),
          },
        },
        checkStatus(status) {
          if (status === 407) throw proxyRefusal(proxy, status, url.host)
        },
      }
    },
    async destroy() {
      await agent?.destroy()
    },
  }
}
