import { truthOf } from '../../sandbox/names/truth.ts'

export const SEED = 20_261_115

/** Whether "available" is the right verdict; reserved names are not available. */
export const isFree = (domain: string): boolean => truthOf(domain, SEED).state === 'free'

/** Labels without a scripted behaviour of the sandbox, unless the prefix selects one. */
function* labels(prefix: string): Generator<string, never> {
  for (let at = 1; ; at++) yield `${prefix}mira${String(at).padStart(4, '0')}`
}

/** `each` names under each TLD, half of them free, in random order. */
export function halfFree(tlds: readonly string[], each: number, prefix = ''): string[] {
  return tlds.flatMap((tld) => {
    const room = { free: Math.ceil(each / 2), taken: Math.floor(each / 2) }
    const chosen: string[] = []
    for (const label of labels(prefix)) {
      const domain = `${label}.${tld}`
      const kind = isFree(domain) ? 'free' : 'taken'
      if (room[kind]-- > 0) chosen.push(domain)
      if (chosen.length === each) break
    }
    return chosen
  })
}

/** `each` names under each TLD with a prefix that scripts their behaviour in the sandbox. */
export const scripted = (tlds: readonly string[], each: number, prefix: string): string[] =>
  tlds.flatMap((tld) =>
    labels(prefix)
      .take(each)
      .map((label) => `${label}.${tld}`)
      .toArray(),
  )

/** A label that is free under about half of the TLDs. */
export function evenLabel(tlds: readonly string[]): string {
  for (const label of labels('')) {
    const free = tlds.filter((tld) => isFree(`${label}.${tld}`)).length
    if (Math.abs(free - tlds.length / 2) <= 1) return label
  }
  throw new Error('No label is free under half of the TLDs.')
}
