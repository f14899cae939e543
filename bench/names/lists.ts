import { truthOf } from '../../sandbox/names/truth.ts'

export const SEED = 20_261_115

/** Whether the verdict "available" would be right; reserved names are not for anybody. */
export const isFree = (domain: string): boolean => truthOf(domain, SEED).state === 'free'

/** No name here starts with a word that scripts what happens, unless the prefix is one. */
function* labels(prefix: string): Generator<string, never> {
  for (let at = 1; ; at++) yield `${prefix}mira${String(at).padStart(4, '0')}`
}

/** So many names under each TLD, half of them free, mixed as they come. */
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

/** So many names under each TLD that start with a word which says what they are. */
export const scripted = (tlds: readonly string[], each: number, prefix: string): string[] =>
  tlds.flatMap((tld) =>
    labels(prefix)
      .take(each)
      .map((label) => `${label}.${tld}`)
      .toArray(),
  )

/** A label of which about half the domains are free. */
export function evenLabel(tlds: readonly string[]): string {
  for (const label of labels('')) {
    const free = tlds.filter((tld) => isFree(`${label}.${tld}`)).length
    if (Math.abs(free - tlds.length / 2) <= 1) return label
  }
  throw new Error('There is no such label.')
}
