import { isIP } from 'node:net'

/** The address of a WHOIS server. */
export type WhoisServer = {
  /** Lower case: a name, or an address without brackets. */
  readonly host: string
  readonly port: number
}

/** Parses `whois.example`, `whois.example:4343`, `192.0.2.1:43` or `[2001:db8::1]:43`; undefined if invalid. */
export function parseServer(text: string, defaultPort: number): WhoisServer | undefined {
  const match = /^(?:\[([\da-f:.]{2,45})\]|([a-z\d.-]{1,253}))(?::(\d{1,5}))?$/i.exec(text.trim())
  if (!match) return undefined
  const [, ipv6, name = '', portText] = match
  const port = portText === undefined ? defaultPort : Number(portText)
  if (port < 1 || port > 65_535) return undefined
  if (ipv6 !== undefined) return isIP(ipv6) === 6 ? { host: ipv6.toLowerCase(), port } : undefined
  return isIP(name) === 4 || isHostName(name) ? { host: name.toLowerCase(), port } : undefined
}

/** A host name of at least two labels. The last label has letters, so it cannot be an IP address. */
export function isHostName(text: string): boolean {
  const labels = text.split('.')
  if (labels.length < 2 || text.length > 253) return false
  return (
    labels.every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label)) &&
    /^(?:[a-z]{2,}|xn--.*)$/i.test(labels.at(-1)!)
  )
}

export const formatServer = ({ host, port }: WhoisServer): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Omits the default port, as in a URL. */
export const formatHost = (server: WhoisServer, usualPort: number): string =>
  server.port === usualPort ? formatServer(server).replace(/:\d+$/, '') : formatServer(server)
