/**
 * A client is named by what one customer gets: an IPv4 address, or the /64 of an IPv6 address (`2001:db8:1:2::/64`).
 * The owner of a /48 has 65,536 of these, so a /48 together gets at most `CLIENTS_PER_NETWORK` times what one client gets.
 */
export const CLIENTS_PER_NETWORK = 10

const SUFFIX = '::/64'

/** The /48 of an IPv6 client; undefined for every other client. */
export function networkOf(client: string): string | undefined {
  if (!client.endsWith(SUFFIX)) return undefined
  return `${client.slice(0, client.lastIndexOf(':', client.length - SUFFIX.length - 1))}::/48`
}
