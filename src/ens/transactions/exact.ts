import type { Abi } from 'viem'
import { decodeFunctionData, encodeFunctionData } from 'viem/utils'
import type { Hex } from '../chain/chain.ts'

/** The call that bytes stand for; undefined as well where they are more, or other, than its arguments make. */
export function decodeExactly<const A extends Abi>(abi: A, data: Hex) {
  try {
    const call = decodeFunctionData({ abi, data })
    const again = encodeFunctionData({ abi, functionName: call.functionName, args: call.args } as never)
    return again.toLowerCase() === data.toLowerCase() ? call : undefined
  } catch {
    return undefined
  }
}
