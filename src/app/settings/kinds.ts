import { BlockList, isIP } from 'node:net'
import { isAddress } from '../../kernel/ethereum/bytes.ts'
import { parseServerAddress } from '../../protocols/dns/server-address.ts'

/** How the text of a setting is parsed, and the words for what is expected. */
export type Kind<Value> = {
  /** Completes the sentence "PORT must be …". */
  readonly expected: string
  /** The value; undefined if the text is not valid. */
  read(text: string): Value | undefined
}

export const text: Kind<string> = {
  expected: 'a text without control characters',
  read: (value) => (/^\P{Cc}+$/u.test(value) ? value : undefined),
}

export const wholeNumber = (from: number, to: number): Kind<number> => ({
  expected: `a whole number from ${from} to ${to}`,
  read(value) {
    if (!/^\d{1,9}$/.test(value)) return undefined
    const number = Number(value)
    return number >= from && number <= to ? number : undefined
  },
})

export const share: Kind<number> = {
  expected: 'a number above 0 and at most 1, such as 0.25',
  read(value) {
    const number = /^\d(?:\.\d{1,6})?$/.test(value) ? Number(value) : 0
    return number > 0 && number <= 1 ? number : undefined
  },
}

/** The largest number a structured header can carry (RFC 9651): a larger limit is never reached, and means the same. */
const MAX_RATE_LIMIT = 999_999_999_999_999

/** Null means off. */
export const rateLimit: Kind<number | null> = {
  expected: 'a whole number of at least 1, or off',
  read(value) {
    if (value.toLowerCase() === 'off') return null
    const number = /^\d{1,300}$/.test(value) ? Number(value) : 0
    return number >= 1 ? Math.min(number, MAX_RATE_LIMIT) : undefined
  },
}

export const port = wholeNumber(0, 65_535)

export const optionalPort: Kind<number | null> = {
  expected: 'a port from 1 to 65535, or 0 to turn it off',
  read(value) {
    const number = port.read(value)
    return number === 0 ? null : number
  },
}

export const oneOf = <const Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  expected: `one of ${words.join(', ')}`,
  read: (value) => words.find((word) => word === value.toLowerCase()),
})

/** Different words, separated by commas. */
export const someOf = <const Word extends string>(...words: readonly Word[]): Kind<readonly Word[]> => ({
  expected: `different ones of ${words.join(', ')}, separated by commas`,
  read(value) {
    const chosen = value.split(',').map((one) => words.find((word) => word === one.trim().toLowerCase()))
    return chosen.every((word) => word !== undefined) && new Set(chosen).size === chosen.length ? chosen : undefined
  },
})

export const onOrOff: Kind<boolean> = {
  expected: 'on or off',
  read(value) {
    const word = value.toLowerCase()
    return word === 'on' ? true : word === 'off' ? false : undefined
  },
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i

/** An address to listen on; brackets around an IPv6 address are removed. */
export const host: Kind<string> = {
  expected: 'an IP address or a host name, without scheme and port',
  read(value) {
    const bare = value.startsWith('[') && value.endsWith(']') ? value.slice(1, -1) : value
    if (isIP(bare) !== 0) return bare
    // Digits and dots only is a mistyped IPv4 address, never a host name.
    return HOST_NAME.test(value) && !/^[\d.]+$/.test(value) ? value : undefined
  },
}

export const baseUrl: Kind<string> = {
  expected: 'an http or https URL without user, password, query and fragment, such as https://names.example.org',
  read(value) {
    if (!URL.canParse(value)) return undefined
    const url = new URL(value)
    const web = url.protocol === 'http:' || url.protocol === 'https:'
    if (!web || url.username !== '' || url.password !== '' || /[?#]/.test(value)) return undefined
    return url.href.replace(/\/+$/, '')
  },
}

/** Null means off. */
export const urlOrOff: Kind<string | null> = {
  expected: `${baseUrl.expected}, or off`,
  read: (value) => (value.toLowerCase() === 'off' ? null : baseUrl.read(value)),
}

export const ipAddress: Kind<string> = {
  expected: 'an IP address',
  read: (value) => (isIP(value) === 0 ? undefined : value),
}

/** Goes into a header, between parentheses. */
export const contact: Kind<string> = {
  expected: 'a mail address or an http or https URL, without spaces and parentheses',
  read(value) {
    if (!/^[!-'*-~]{3,200}$/.test(value)) return undefined
    return /^[^@/]+@[^@/]+$/.test(value) || /^https?:$/.test(URL.parse(value)?.protocol ?? '') ? value : undefined
  },
}

export const addressRanges: Kind<readonly string[]> = {
  expected: 'IP addresses or CIDR ranges separated by commas, such as 10.0.0.0/8,fd00::/8',
  read(value) {
    const ranges = value.split(',').map((range) => range.trim())
    return ranges.every(isAddressRange) ? ranges : undefined
  },
}

function isAddressRange(range: string): boolean {
  const match = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(range)
  const family = isIP(match?.[1] ?? '')
  if (family === 0) return false
  if (match?.[2] === undefined) return true
  try {
    // BlockList holds the ranges later, so it validates the prefix length here.
    new BlockList().addSubnet(match[1]!, Number(match[2]), family === 4 ? 'ipv4' : 'ipv6')
    return true
  } catch {
    return false
  }
}

/** Where metrics are served: loopback unless a host is named; null is off. */
export const metricsAddress: Kind<{ readonly host: string; readonly port: number } | null> = {
  expected: 'on, off, a port, or host:port',
  read(value) {
    const word = value.toLowerCase()
    if (word === 'off') return null
    if (word === 'on') return { host: '127.0.0.1', port: 9464 }
    const match = /^(?:(.+):)?(\d{1,5})$/.exec(value)
    const number = match && port.read(match[2]!)
    // An IPv6 address without brackets is ambiguous: its last group could be the port.
    if (number === undefined || number === null || isIP(value) === 6) return undefined
    const address = match?.[1] === undefined ? '127.0.0.1' : isIP(match[1]) === 6 ? undefined : host.read(match[1])
    return address === undefined ? undefined : { host: address, port: number }
  },
}

export const serverAddresses: Kind<readonly string[]> = {
  expected: 'addresses of name servers separated by commas, such as 192.0.2.1,192.0.2.2:5300',
  read(value) {
    const addresses = value.split(',').map((address) => address.trim())
    try {
      for (const address of addresses) parseServerAddress(address)
      return addresses
    } catch {
      return undefined
    }
  },
}

/** JSON-RPC providers often put an API key into the URL. */
export const rpcUrls: Kind<readonly string[]> = {
  expected: 'http or https URLs separated by commas',
  read(value) {
    const urls = value.split(',').map((url) => url.trim())
    const isWeb = (url: string) => /^https?:$/.test(URL.parse(url)?.protocol ?? '')
    return urls.every(isWeb) ? urls : undefined
  },
}

const MIN_KEY_LENGTH = 16

export const secretKeys: Kind<readonly string[]> = {
  expected: `keys of at least ${MIN_KEY_LENGTH} characters separated by commas, such as those \`openssl rand -hex 32\` makes`,
  read(value) {
    const keys = value.split(',').map((key) => key.trim())
    return keys.every((key) => key.length >= MIN_KEY_LENGTH) ? keys : undefined
  },
}

export const ethereumAddress: Kind<`0x${string}`> = {
  expected: 'an Ethereum address: 0x and 40 hexadecimal digits, with the capitals of its checksum or none',
  read: (value) => (isAddress(value) ? value : undefined),
}

export const ethereumAddresses: Kind<readonly `0x${string}`[]> = {
  expected: 'Ethereum addresses separated by commas, with the capitals of their checksum or none',
  read(value) {
    const addresses = value.split(',').map((address) => address.trim())
    return addresses.every((address) => isAddress(address)) ? addresses : undefined
  },
}

export const privateKey: Kind<`0x${string}`> = {
  expected: 'a private key: 0x and 64 hexadecimal digits',
  read: (value) => (/^0x[0-9a-f]{64}$/i.test(value) ? (value as `0x${string}`) : undefined),
}

/** Of the Coinbase Developer Platform. In one line, `\\n` stands for the line breaks of PEM. */
export const cdpKeySecret: Kind<string> = {
  expected: 'base64 of 64 bytes (Ed25519), or a P-256 key in PEM',
  read: (value) =>
    /^[A-Za-z0-9+/]{86}==$/.test(value) || /^-----BEGIN [A-Z ]*PRIVATE KEY-----[\sA-Za-z0-9+/=\\-]+$/.test(value)
      ? value
      : undefined,
}

/** A URL with a placeholder, which is not allowed in the host. */
const template = (placeholder: string, what: string, [a, b]: readonly [string, string]): Kind<string> => ({
  expected: `an http or https URL with ${placeholder} where the ${what} goes, in its path or query`,
  read(value) {
    const [one, other] = [a, b].map((filling) => URL.parse(value.replaceAll(placeholder, filling)))
    if (!one || !other || !/^https?:$/.test(one.protocol) || !value.includes(placeholder)) return undefined
    return one.origin === other.origin && one.username === '' && one.password === '' ? value : undefined
  },
})

export const linkTemplate = template('{domain}', 'name', ['a.example', 'b.example'])
export const serialTemplate = template('{serial}', 'number', ['70000001', '70000002'])

export const httpHeader: Kind<{ readonly name: string; readonly value: string }> = {
  expected: 'a header, such as Authorization: Bearer abc',
  read(line) {
    const [, name, value] = /^([\w-]{1,100}):\s*([\x20-\x7e]{1,4000})$/.exec(line) ?? []
    return name !== undefined && value !== undefined ? { name: name.toLowerCase(), value: value.trim() } : undefined
  },
}

/** Location of a feed. Credentials before an @ are rejected: put a key into a header or the query. */
export const feedLocation: Kind<string> = {
  expected: 'an http or https URL without user and password, or the path of a file',
  read(value) {
    if (!/^\P{Cc}+$/u.test(value)) return undefined
    if (!/^\w+:\/\//.test(value)) return value
    const url = URL.parse(value)
    return url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? value : undefined
  },
}
