import { createHash } from 'node:crypto'
import { type Random, seededRandom } from '../../src/kernel/random.ts'

/** Deterministic random values: they depend only on the arguments, not on the order of calls. */
export const chanceOf = (seed: number, what: string, thing: string): Random =>
  seededRandom(
    createHash('sha256')
      .update(JSON.stringify(['names', seed, what, thing]))
      .digest()
      .readUInt32LE(),
  )

export const oneOf = <Thing>(things: readonly Thing[], random: Random): Thing => things[random.below(things.length)]!

export const hexOf = (random: Random, bytes: number): string => Buffer.from(random.bytes(bytes)).toString('hex')
