const SIGNS = '\0-0123456789abcdefghijklmnopqrstuvwxyz'

/** The first two characters of a name as one number; the second is nothing where there is none. */
export const startOf = (name: string): number => signOf(name, 0) * SIGNS.length + signOf(name, 1)

/** The numbers of all names that start so, first to last; null where no name can. */
export function startsBetween(text: string, whole: boolean): readonly [number, number] | null {
  const first = SIGNS.indexOf(text[0] ?? '')
  if (first < 1) return null
  if (whole && text.length === 1) return [first * SIGNS.length, first * SIGNS.length]
  if (text.length === 1) return [first * SIGNS.length, (first + 1) * SIGNS.length - 1]
  const second = SIGNS.indexOf(text[1]!)
  return second < 1 ? null : [first * SIGNS.length + second, first * SIGNS.length + second]
}

const signOf = (name: string, at: number): number => Math.max(0, SIGNS.indexOf(name[at] ?? '\0'))
