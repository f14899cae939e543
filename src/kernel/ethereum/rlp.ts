import { fromHex, toHex } from 'ox/Rlp'
import type { Hex } from '../hex.ts'

export type Rlp = Hex | readonly Rlp[]

/** Throws unless the bytes are the one encoding of their content: chains reject any other, and ox ignores trailing bytes. */
export function decodeRlp(bytes: Hex): Rlp {
  const decoded: Rlp = toHex(bytes)
  if (encodeRlp(decoded) !== bytes.toLowerCase()) throw new Error('The bytes are not canonical RLP.')
  return decoded
}

export const encodeRlp = (items: Rlp): Hex => fromHex(items as Hex[])
