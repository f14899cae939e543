import type { Abi } from 'viem'
import { decodeFunctionData, encodeFunctionData } from '../../kernel/ethereum/abi.ts'
import type { Hex } from '../../kernel/hex.ts'

/** Decodes call data; undefined unless encoding the result gives the same bytes, so that no extra data goes unnoticed. */
export function decodeExactly<const A extends Abi>(abi: A, data: Hex) {
  try {
    const call = decodeFunctionData({ abi, data })
    const again = encodeFunctionData({ abi, functionName: call.functionName, args: call.args } as never)
    return again.toLowerCase() === data.toLowerCase() ? call : undefined
  } catch {
    return undefined
  }
}
