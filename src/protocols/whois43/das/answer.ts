/**
 * What a domain availability service says. It is the registry's word only for `available`: all other names are asked
 * about over WHOIS or RDAP, which say more.
 */
export type DasAnswer = 'available' | 'not_available' | 'rate_limited' | 'unreadable'

/** A name as these services repeat it: in any case, with or without its TLD. */
export const isSameName = (text: string, domain: string): boolean => {
  const name = text.toLowerCase().replace(/\.$/, '')
  return name === domain || name === domain.split('.')[0]
}

export const MAX_ANSWER_BYTES = 4096
