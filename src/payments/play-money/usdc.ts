import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  parseAbi,
  toEventSelector,
} from '../../kernel/ethereum/abi.ts'
import { keccak256, stringToBytes } from '../../kernel/ethereum/bytes.ts'
import { recoverAddress } from '../../kernel/ethereum/recover-address.ts'
import { getSignPayload } from 'ox/TypedData'
import type { Hex } from '../scheme.ts'
import type { Event } from './blocks.ts'
import { createBalances, createReplayGuard, type Balances, revertWith } from './token.ts'
import { encodeWord, ZERO_ADDRESS } from './rpc-values.ts'

const ABI = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const
/** Half the order of the curve: only the lower of the two valid `s` values is accepted. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** The parts of Circle's token that payments need, with the same revert reasons. */
export type Usdc = {
  readonly address: Hex
  readonly balances: Balances
  /** Executes a call. Nothing changes before `commit`. Throws the revert. */
  run(sender: Hex, data: Hex, now: number): Promise<Execution>
}

export type Execution = { readonly returned: Hex; readonly events: readonly Event[]; commit(): void }

type Result = string | number | bigint | boolean
type Options = { readonly address: Hex; readonly chainId: number; readonly capacity: number }

export function createUsdc({ address: spelled, chainId, capacity }: Options): Usdc {
  const address = spelled.toLowerCase() as Hex
  const purses = createBalances()
  const used = createReplayGuard(capacity)
  const domain = { name: 'USD Coin', version: '2', chainId, verifyingContract: spelled }
  const separator = keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
      [textHash(DOMAIN_TYPE), textHash(domain.name), textHash(domain.version), BigInt(chainId), address],
    ),
  )

  const transfer = (from: Hex, to: Hex, value: bigint): { event: Event; commit(): void } => {
    if (to === ZERO_ADDRESS) throw revertWith('ERC20: transfer to the zero address')
    if (purses.balanceOf(from) < value) throw revertWith('ERC20: transfer amount exceeds balance')
    const event = { address, topics: [TRANSFER, encodeWord(from), encodeWord(to)], data: encodeWord(value) }
    return { event, commit: () => void purses.move(from, to, value) }
  }

  return {
    address,
    balances: purses,
    async run(sender, data, now) {
      const call = decode(data)
      const returning = (functionName: typeof call.functionName, result: Result): Execution => ({
        returned: encodeFunctionResult({ abi: ABI, functionName, result }),
        events: [],
        commit() {},
      })
      switch (call.functionName) {
        case 'name':
        case 'version':
          return returning(call.functionName, domain[call.functionName])
        case 'symbol':
          return returning('symbol', 'USDC')
        case 'decimals':
          return returning('decimals', 6)
        case 'totalSupply':
          return returning('totalSupply', purses.supply())
        case 'DOMAIN_SEPARATOR':
          return returning('DOMAIN_SEPARATOR', separator)
        case 'balanceOf':
          return returning('balanceOf', purses.balanceOf(call.args[0]))
        case 'authorizationState':
          return returning('authorizationState', used.has(nameOf(call.args[0], call.args[1])))
        case 'transfer': {
          const { event, commit } = transfer(sender, lower(call.args[0]), call.args[1])
          return { ...returning('transfer', true), events: [event], commit }
        }
        case 'transferWithAuthorization':
          break
      }
      const [payer, payee, value, validAfter, validBefore, nonce, first, r, s] = call.args
      const [from, to] = [lower(payer), lower(payee)]
      if (BigInt(now) <= validAfter) throw revertWith('FiatTokenV2: authorization is not yet valid')
      if (BigInt(now) >= validBefore) throw revertWith('FiatTokenV2: authorization is expired')
      const name = nameOf(from, nonce)
      if (used.has(name)) throw revertWith('FiatTokenV2: authorization is used or canceled')
      const message = { from: payer, to: payee, value, validAfter, validBefore, nonce }
      const digest = getSignPayload({ domain, types: TYPES, primaryType: 'TransferWithAuthorization', message })
      const signature = r === undefined || s === undefined ? (first as Hex) : packed(r, s, Number(first))
      if (signerOf(digest, signature) !== from) throw revertWith('FiatTokenV2: invalid signature')
      const { event, commit } = transfer(from, to, value)
      const authorization = { address, topics: [AUTHORIZATION_USED, encodeWord(from), nonce], data: '0x' as const }
      used.assertCapacity(now)
      return {
        returned: '0x',
        events: [authorization, event],
        commit() {
          used.add(name, Number(validBefore))
          commit()
        },
      }
    },
  }
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi: ABI, data })
  } catch {
    // An unknown function reverts without a reason.
    throw revertWith('')
  }
}

/** Like Circle's ECRecover: 65 bytes, s in the lower half, v 27 or 28. */
function signerOf(hash: Hex, signature: Hex): Hex {
  if (signature.length !== 132) throw revertWith('ECRecover: invalid signature length')
  if (BigInt(`0x${signature.slice(66, 130)}`) > MAX_S) throw revertWith("ECRecover: invalid signature 's' value")
  if (!/1[bc]$/i.test(signature)) throw revertWith("ECRecover: invalid signature 'v' value")
  try {
    return recoverAddress({ hash, signature })
  } catch {
    throw revertWith('ECRecover: invalid signature')
  }
}

const packed = (r: Hex, s: Hex, v: number): Hex => `0x${r.slice(2)}${s.slice(2)}${v.toString(16).padStart(2, '0')}`
const textHash = (text: string): Hex => keccak256(stringToBytes(text))
const lower = (value: string): Hex => value.toLowerCase() as Hex
const nameOf = (from: string, nonce: string): string => lower(`${from}${nonce}`)
