import type { Attack } from './attack.ts'

/** The file of each attack, in the order of the report; its name is also the argument of `bench:hostile`. */
const FILES = [
  'bulk-non-ascii',
  'legacy-loops',
  'checks-at-a-slow-registry',
  'checks-from-six-addresses',
  'slow-readers',
  'many-connections',
  'documents',
  'tool-lists',
  'silent-upstreams',
  'refusing-upstreams',
  'one-dead-registry',
] as const

export type AttackFile = (typeof FILES)[number]

export const attackFiles: readonly AttackFile[] = FILES

export async function loadAttack(file: string): Promise<Attack> {
  if (!(FILES as readonly string[]).includes(file)) {
    throw new Error(`There is no attack "${file}"; choose from ${FILES.join(', ')}.`)
  }
  const { attack } = (await import(new URL(`${file}.ts`, import.meta.url).href)) as { attack: Attack }
  return attack
}
