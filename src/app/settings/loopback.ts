import { isIP } from 'node:net'

/** Whether only this machine can reach a host. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** The host of a URL, without the brackets of an IPv6 address. */
export const hostnameOf = (url: string): string => new URL(url).hostname.replaceAll(/[[\]]/g, '')
