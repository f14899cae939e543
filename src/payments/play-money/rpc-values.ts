import type { Hex } from '../scheme.ts'
import { INVALID_PARAMS, RpcFault } from './rpc.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A JSON-RPC quantity. */
export const encodeQuantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

/** 32 bytes, as in the topics and data of events. */
export const encodeWord = (value: bigint | number | Hex): Hex => {
  const digits = typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)
  return `0x${digits.padStart(64, '0')}`
}

export const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`

const isAddress = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)

/** Returns the address in lower case. */
export function parseAddress(value: unknown): Hex {
  if (isAddress(value)) return value.toLowerCase() as Hex
  throw new RpcFault(INVALID_PARAMS, 'invalid argument: not an address')
}

export function parseBytes(value: unknown): Hex {
  if (typeof value === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/.test(value)) return value.toLowerCase() as Hex
  throw new RpcFault(INVALID_PARAMS, 'invalid argument: not bytes')
}

export function parseQuantity(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value)
  throw new RpcFault(INVALID_PARAMS, 'invalid argument: not a quantity')
}

export function parseObject(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new RpcFault(INVALID_PARAMS, 'invalid argument: not an object')
}
