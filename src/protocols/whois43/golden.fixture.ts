import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RegistryAnswer } from '../../kernel/registration.ts'

export type GoldenAnswer = {
  readonly name: string
  readonly text: string
  readonly domain: string
  readonly tld: string
  readonly answer: RegistryAnswer
}

export const GOLDEN = join(import.meta.dirname, '../../../test/golden/whois')

/** Invented answers in the format of every registry family, with the expected result. */
export const loadGolden = (): GoldenAnswer[] =>
  readdirSync(GOLDEN)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => {
      const name = file.slice(0, -'.json'.length)
      const text = readFileSync(join(GOLDEN, `${name}.txt`), 'utf8')
      return {
        name,
        text,
        ...(JSON.parse(readFileSync(join(GOLDEN, file), 'utf8')) as Omit<GoldenAnswer, 'name' | 'text'>),
      }
    })
