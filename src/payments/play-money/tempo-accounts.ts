import { decodeFunctionData, encodeFunctionResult, parseAbi } from '../../kernel/ethereum/abi.ts'
import type { Hex } from '../scheme.ts'
import { REVERTED, RpcFault, TRANSACTION_REJECTED } from './rpc.ts'
import { EXPIRING_NONCE_KEY, type TempoTransaction } from './tempo-transaction.ts'

const NONCE_MANAGER: Hex = '0x4e4f4e4345000000000000000000000000000000'
const ACCOUNT_KEYCHAIN: Hex = '0xaaaaaaaa00000000000000000000000000000000'
/** What the chain stores for a key that does not expire. */
const NEVER = 2n ** 64n - 1n

const ABI = parseAbi([
  'struct KeyInfo { uint8 signatureType; address keyId; uint64 expiry; bool enforceLimits; bool isRevoked; }',
  'function getKey(address account, address keyId) view returns (KeyInfo)',
  'function getNonce(address account, uint256 nonceKey) view returns (uint64)',
])

/** Counted nonces and access keys of the accounts, and the contracts that tell them. Limits and scopes are not simulated. */
export type TempoAccounts = {
  nonceOf(account: Hex, nonceKey: bigint): bigint
  /** Throws RpcFault if the nonce is not the next one, or the access key is not authorized. */
  assertUsable(transaction: TempoTransaction, now: number): void
  /** Counts the nonce and keeps the key that the transaction authorizes. */
  commit(transaction: TempoTransaction): void
  assertKey(account: Hex, keyId: Hex, now: number): void
  revokeKey(account: Hex, keyId: Hex): void
  /** The result of a call to one of the contracts; undefined if it is to another address. */
  call(to: Hex, data: Hex): Hex | undefined
}

export function createTempoAccounts(): TempoAccounts {
  const nonces = new Map<string, bigint>()
  const keys = new Map<string, bigint>()
  const nonceOf = (account: Hex, nonceKey: bigint) => nonces.get(`${account} ${nonceKey}`) ?? 0n
  const keyName = (account: string, keyId: string) => `${account} ${keyId}`.toLowerCase()
  const expiryOf = (account: string, keyId: string) => keys.get(keyName(account, keyId)) ?? 0n

  const assertKey = (account: Hex, keyId: Hex, now: number) => {
    if (expiryOf(account, keyId) <= BigInt(now)) throw refused('keychain: access key does not exist or has expired')
  }
  return {
    nonceOf,
    assertKey,
    assertUsable({ from, nonceKey, nonce, accessKey, authorizedKey }, now) {
      if (nonceKey !== EXPIRING_NONCE_KEY) {
        const next = nonceOf(from, nonceKey)
        if (nonce < next) throw refused(`nonce too low: next nonce ${next}, tx nonce ${nonce}`)
        if (nonce > next) throw refused(`nonce too high: next nonce ${next}, tx nonce ${nonce}`)
      }
      if (accessKey !== undefined && accessKey !== authorizedKey?.keyId) assertKey(from, accessKey, now)
    },
    commit({ from, nonceKey, nonce, authorizedKey }) {
      if (nonceKey !== EXPIRING_NONCE_KEY) nonces.set(`${from} ${nonceKey}`, nonce + 1n)
      if (authorizedKey) {
        const { keyId, expiry } = authorizedKey
        keys.set(keyName(from, keyId), expiry === undefined ? NEVER : BigInt(expiry))
      }
    },
    revokeKey: (account, keyId) => void keys.delete(keyName(account, keyId)),
    call(to, data) {
      if (to !== NONCE_MANAGER && to !== ACCOUNT_KEYCHAIN) return undefined
      const call = decode(data)
      if (call.functionName === 'getNonce') {
        const [account, nonceKey] = call.args
        const result = nonceOf(account.toLowerCase() as Hex, nonceKey)
        return encodeFunctionResult({ abi: ABI, functionName: 'getNonce', result })
      }
      const [account, keyId] = call.args
      const result = {
        signatureType: 0,
        keyId,
        expiry: expiryOf(account, keyId),
        enforceLimits: false,
        isRevoked: false,
      }
      return encodeFunctionResult({ abi: ABI, functionName: 'getKey', result })
    },
  }
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi: ABI, data })
  } catch {
    throw new RpcFault(REVERTED, 'execution reverted', '0x')
  }
}

const refused = (message: string) => new RpcFault(TRANSACTION_REJECTED, message)
