import { isIPv4 } from 'node:net'
import { parseProxy, type ProxySettings } from '../../kernel/upstream/proxy.ts'
import type { Kind } from './kinds.ts'
import * as kinds from './kinds.ts'
import { optional } from './setting.ts'

const proxyUrl: Kind<string> = {
  expected: 'the URL of an HTTP proxy, such as http://user:password@proxy.example.org:3128',
  read(value) {
    try {
      parseProxy(value)
      return value
    } catch {
      return undefined
    }
  },
}

const isThisMachine = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))

/** An empty list is off. */
const dohUrls: Kind<readonly string[]> = {
  expected:
    'https URLs separated by commas, such as https://dns.example.org/dns-query (http on this machine only), or off',
  read(value) {
    if (value.toLowerCase() === 'off') return []
    const urls = value.split(',').map((text) => URL.parse(text.trim()))
    const isUsable = (url: URL | null): url is URL =>
      url !== null &&
      (url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url))) &&
      url.username === '' &&
      url.password === '' &&
      url.hash === ''
    return urls.every(isUsable) ? urls.map(({ href }) => href) : undefined
  },
}

/** How the outside is reached where a direct connection, or port 53, is closed. */
export const NETWORK_SETTINGS = {
  ONOMA_DOH_URLS: optional(dohUrls, {
    unset: 'Cloudflare and Google if ONOMA_DNS_SERVERS is not set, else none',
    meaning:
      'Resolvers over HTTPS (RFC 8484), comma-separated, asked where resolvers cannot be reached on port 53; off for none.',
  }),
  HTTPS_PROXY: optional(proxyUrl, {
    unset: 'HTTP_PROXY',
    meaning: 'HTTP proxy for https URLs, with user and password if it wants them. As `https_proxy` it wins.',
  }),
  HTTP_PROXY: optional(proxyUrl, {
    unset: 'direct connections',
    meaning: 'HTTP proxy for http URLs, and for https URLs without HTTPS_PROXY. As `http_proxy` it wins.',
  }),
  NO_PROXY: optional(kinds.text, {
    unset: 'this machine only',
    meaning:
      'Hosts reached without the proxy, comma-separated: names with all below them, host:port, or *. As `no_proxy` it wins.',
  }),
} as const

type Env = Readonly<Record<string, string | undefined>>

/** The environment with the proxies' names in lower case, which win, under the names of the settings. */
export function withProxyNames(env: Env): Env {
  const renamed = PROXY_NAMES.flatMap((name) => {
    const text = env[name.toLowerCase()]
    return text === undefined ? [] : [[name, text] as const]
  })
  return { ...env, ...Object.fromEntries(renamed) }
}

const PROXY_NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY']

/** The name of the setting that a variable of the environment is about. */
export const settingName = (variable: string): string =>
  PROXY_NAMES.includes(variable.toUpperCase()) ? variable.toUpperCase() : variable

type Values = {
  readonly HTTPS_PROXY: string | null
  readonly HTTP_PROXY: string | null
  readonly NO_PROXY: string | null
  readonly ONOMA_DOH_URLS: readonly string[] | null
  readonly ONOMA_DNS_SERVERS: readonly string[] | null
  readonly ONOMA_SANDBOX: boolean
}

/** Null without a proxy. */
export const proxySettings = ({
  HTTPS_PROXY: https,
  HTTP_PROXY: http,
  NO_PROXY: except,
}: Values): ProxySettings | null =>
  https === null && http === null ? null : Object.freeze({ https, http, except: except ?? '' })

/** Both are run by large networks, for everybody, and support all record types. */
const DEFAULT_DOH_URLS = ['https://cloudflare-dns.com/dns-query', 'https://dns.google/dns-query']

/** An operator who named resolvers wants no other to see the names, and the sandbox must not leave this machine. */
export function resolversOverHttps(values: Values): readonly string[] {
  if (values.ONOMA_SANDBOX) return []
  return values.ONOMA_DOH_URLS ?? (values.ONOMA_DNS_SERVERS === null ? DEFAULT_DOH_URLS : [])
}
