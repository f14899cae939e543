import type { DasAnswer } from './answer.ts'

/** The service of registro.br, over UDP. The first reply to a client is a cookie, with which the query is repeated. */
export const NO_COOKIE = '00000000000000000000'

export const formatIsavail = (domain: string, { cookie, id }: { cookie: string; id: string }): string =>
  `2 ${cookie} 1 ${id} ${domain}`

/** The cookie of a reply that has nothing else. */
export function parseCookie(text: string): string | undefined {
  return /^CK ([A-Za-z0-9]{8,64})(?: \d+)?\s*$/.exec(text)?.[1]
}

/** 0 is free; tickets (1) and release processes (5 to 7, 9) are not. A reply without our id may be anybody's. */
export function parseIsavail(text: string, { id, domain }: { id: string; domain: string }): DasAnswer {
  const lines = text.split(/\r?\n/, 20)
  const status = lines.map((line) => /^ST (\d) (\d+)\s*$/.exec(line)).find((match) => match !== null)
  if (status?.[2] !== id) return 'unreadable'
  const named = lines.filter((line) => /^[a-z0-9.-]+\.br\b/i.test(line))
  if (named.some((line) => line.split('|')[0]!.trim().toLowerCase() !== domain)) return 'unreadable'
  if (status[1] === '0') return 'available'
  return status[1] === '4' || status[1] === '8' ? 'unreadable' : 'not_available'
}
