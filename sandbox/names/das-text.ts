import { isRegistryScripted } from './scripted-outcomes.ts'
import type { Truth } from './truth.ts'

/** What the availability service of a registry answers, in the form of the real one. */
type Writing = (domain: string, isFree: boolean) => string

const label = (domain: string): string => domain.split('.')[0]!

const LINES: Readonly<Record<string, Writing>> = {
  be: (domain, isFree) =>
    `% .be DAS, simulated\r\n\r\nDomain:\t${domain}\r\nRC: 0\r\nStatus:\t${isFree ? 'AVAILABLE' : 'NOT AVAILABLE'}\r\n`,
  eu: (domain, isFree) => `Domain: ${label(domain)}\r\nStatus: ${isFree ? 'AVAILABLE' : 'NOT AVAILABLE'}\r\n`,
  it: (domain, isFree) => `Domain: ${domain}\r\nStatus: ${isFree ? 'AVAILABLE' : 'REGISTERED'}\r\n`,
  lt: (domain, isFree) => `% .lt DAS, simulated\nDomain: ${domain}\nStatus: ${isFree ? 'available' : 'registered'}\n`,
  ro: (domain, isFree) => `Domain: ${domain}\r\nStatus: ${isFree ? 'Available' : 'Registered'}\r\n`,
  ch: (_domain, isFree) => (isFree ? '1: Domain name is free\r\n' : '0: Domain name is not free\r\n'),
  li: (_domain, isFree) => (isFree ? '1: Domain name is free\r\n' : '0: Domain name is not free\r\n'),
  no: (domain, isFree) => `${domain} is ${isFree ? 'available' : 'delegated'}\r\n`,
  se: (domain, isFree) => `${isFree ? 'free' : 'occupied'} ${domain}\n`,
}

/** A name that scripts a failure of the registry gets no clear answer, so that WHOIS has to be asked. */
export function dasText(registry: string, { domain, label: name, state, isPremium }: Truth): string {
  if (isRegistryScripted(name) || isPremium) return 'Internal error.\r\n'
  return LINES[registry]!(domain, state === 'free')
}

/** The datagram of registro.br: a cookie to a client without one, else the status with the id of the query. */
export function isavailText(query: string, cookie: string, truthOf: (domain: string) => Truth | null): string {
  const [, given, , id = '0', domain = ''] = query.trim().split(' ')
  if (given !== cookie) return `CK ${cookie} ${id}\r\n`
  const truth = truthOf(domain)
  const status = truth === null || isRegistryScripted(truth.label) ? 8 : truth.state === 'free' ? 0 : 2
  return `CK ${cookie} ${id}\r\nST ${status} ${id}\r\n${domain}\r\n`
}

/** The datagram of DENIC (RFC 4993): the transaction of the query, and its status in XML. */
export function dchkReply(query: Buffer, truthOf: (domain: string) => Truth | null): Buffer | null {
  const domain = /entityName="([^"]+)"/.exec(query.toString('latin1'))?.[1] ?? ''
  const truth = truthOf(domain)
  if (truth === null || isRegistryScripted(truth.label)) return null
  const status = truth.state === 'free' ? 'free' : truth.isDelegated ? 'connect' : 'failed'
  const xml =
    '<?xml version="1.0"?><iris:response xmlns:iris="urn:ietf:params:xml:ns:iris1"><iris:resultSet><iris:answer>' +
    `<domain xmlns="urn:ietf:params:xml:ns:dchk1"><domainName>${domain}</domainName><status><${status}/></status></domain>` +
    '</iris:answer></iris:resultSet></iris:response>'
  return Buffer.concat([Buffer.from([0x20]), query.subarray(1, 3), Buffer.from(xml)])
}
