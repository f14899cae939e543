import { decodeFunctionResult, encodeFunctionData, parseAbi } from '../../../kernel/ethereum/abi.ts'
import type { RpcCall, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'

const ACCOUNT_KEYCHAIN: Hex = '0xaaaaaaaa00000000000000000000000000000000'
const ABI = parseAbi([
  'struct KeyInfo { uint8 signatureType; address keyId; uint64 expiry; bool enforceLimits; bool isRevoked; }',
  'function getKey(address account, address keyId) view returns (KeyInfo)',
])

/** Asks whether the account has authorized the access key. */
export const accessKeyCall = (account: Hex, keyId: Hex): RpcCall => ({
  method: 'eth_call',
  params: [{ to: ACCOUNT_KEYCHAIN, data: encodeFunctionData({ abi: ABI, args: [account, keyId] }) }, 'latest'],
})

/** When the key ends, in seconds since the epoch; 0 if it is unknown or revoked, null if the response is invalid. */
export function parseAccessKeyExpiry(outcome: RpcOutcome | undefined): bigint | null {
  if (!outcome?.ok) return null
  try {
    const { expiry, isRevoked } = decodeFunctionResult({ abi: ABI, data: outcome.result as Hex })
    return isRevoked ? 0n : expiry
  } catch {
    return null
  }
}

export const unknownAccessKey = () =>
  new PaymentRefused('verification-failed', 'The access key is not authorized by the payer, or has expired.')
