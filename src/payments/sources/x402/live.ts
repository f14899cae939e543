import type { EthereumRpc, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import type { Hex } from '../../scheme.ts'
import { failNode, viewCall } from './chain.ts'
import { isDevelopmentAddress } from '../development-addresses.ts'
import type { createFacilitator } from './facilitator.ts'
import { type GasCap, maxCostWei } from './fees.ts'
import { parsePrivateKey } from './key-settler.ts'
import type { Network, Token } from './network.ts'
import { DOMAIN_SEPARATOR_CALL, computeDomainSeparator } from './transfer.ts'

type Needs = {
  readonly network: Network
  readonly token: Token
  readonly payTo: Hex
  readonly rpc: Pick<EthereumRpc, 'ask' | 'verify'>
  readonly rpcUrls: readonly string[]
  readonly settlement:
    | { readonly key: Hex; readonly gasCap: GasCap }
    | { readonly url: string; readonly facilitator: Pick<ReturnType<typeof createFacilitator>, 'supports'> }
  readonly signal: AbortSignal
}

/** The key must hold the gas for payments of this many millionths of a dollar, at the highest price of gas. */
const GAS_RESERVE_MICROS = 1_000_000n

/** Problems of the settings themselves, which no waiting mends. One sentence each, with what to do about it. */
export function checkX402Settings(needs: Pick<Needs, 'rpcUrls' | 'settlement' | 'payTo' | 'token'>): string[] {
  const { settlement } = needs
  return [...checkUrls(needs), ...checkRecipient(needs), ...('key' in settlement ? checkKey(settlement.key) : [])]
}

/** Checks the settings and what they name before real money is accepted. */
export async function checkX402Live(needs: Needs): Promise<string[]> {
  const problems = checkX402Settings(needs)
  const found = await Promise.all([checkChain(needs), checkSettlement(needs)])
  return [...new Set([...problems, ...found.flat()])]
}

function checkKey(key: Hex): string[] {
  try {
    const { address } = parsePrivateKey(key)
    return isDevelopmentAddress(address) ? [DEVELOPMENT_KEY] : []
  } catch (error) {
    return [`Settlement cannot be checked: ${messageOf(error)}`]
  }
}

const DEVELOPMENT_KEY = 'The settlement key is a public development key; create a new one.'

function checkUrls({ rpcUrls, settlement }: Pick<Needs, 'rpcUrls' | 'settlement'>): string[] {
  const urls = rpcUrls.map((url) => ['a JSON-RPC URL for Base', url] as const)
  const all = 'url' in settlement ? [...urls, ['the facilitator URL', settlement.url] as const] : urls
  if (rpcUrls.length === 0) return ['No JSON-RPC URL for Base is set; name at least one.']
  return all.flatMap(([what, text]) => {
    const url = URL.parse(text)
    // The URL is not repeated: it may carry a key.
    if (!url) return [`The setting for ${what} is not a URL; write it like https://node.example.`]
    if (isLoopback(url.hostname))
      return [`The setting for ${what} points to this machine; real money needs a public one.`]
    return url.protocol === 'https:' ? [] : [`The setting for ${what} must begin with https://.`]
  })
}

const LOOPBACK = /^(?:.*\.)?localhost\.?$|^127\.|^0\.0\.0\.0$|^\[::1?\]$|^\[::ffff:7f/i

const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)

function checkRecipient({ payTo, token }: Pick<Needs, 'payTo' | 'token'>): string[] {
  if (BigInt(payTo) === 0n) return ['Payments would go to the zero address; set the address that receives them.']
  if (payTo.toLowerCase() === token.address.toLowerCase()) {
    return ['Payments would go to the USDC contract itself, which refuses them; set an address of your own.']
  }
  if (!isDevelopmentAddress(payTo)) return []
  return ['Payments would go to a development or burn address that is not yours; set one of your own.']
}

async function checkChain({ network, token, rpc, signal }: Needs): Promise<string[]> {
  try {
    await rpc.verify()
    const calls = [{ method: 'eth_getCode', params: [token.address, 'latest'] }, viewCall(token, DOMAIN_SEPARATOR_CALL)]
    const [code, domain] = await rpc.ask(calls, { signal })
    if (textOf(code) === '0x') {
      return [`There is no contract at ${token.address} on chain ${network.chainId}; set the address of USDC there.`]
    }
    if (textOf(code) === '' || textOf(domain) === '')
      return ['The Base node does not answer calls to USDC; use another node.']
    if (textOf(domain) === computeDomainSeparator(network, token)) return []
    const { address, name, version } = token
    const sentence = `The contract at ${address} is not "${name}" version ${version} on chain ${network.chainId}`
    return [`${sentence}, so no signature would be valid; check the token in the settings.`]
  } catch (error) {
    return [`The Base node cannot be checked: ${messageOf(error)}`]
  }
}

async function checkSettlement(needs: Needs): Promise<string[]> {
  const { settlement, network, signal } = needs
  try {
    if ('key' in settlement) return await checkSettlementKey(settlement, needs)
    if (await settlement.facilitator.supports(signal)) return []
    return [`The facilitator does not settle "exact" payments on ${network.id}; use another, or a settlement key.`]
  } catch (error) {
    return [`Settlement cannot be checked: ${messageOf(error)}`]
  }
}

async function checkSettlementKey(
  { key, gasCap }: { readonly key: Hex; readonly gasCap: GasCap },
  { rpc, signal }: Needs,
): Promise<string[]> {
  const { address } = parsePrivateKey(key)
  if (isDevelopmentAddress(address)) return [DEVELOPMENT_KEY]
  const [balance] = await rpc.ask([{ method: 'eth_getBalance', params: [address, 'latest'] }], { signal })
  const wei = BigInt(textOf(balance) || '0x0')
  const needed = maxCostWei(gasCap, GAS_RESERVE_MICROS)
  if (wei >= needed) return []
  return [`The settlement key has ${wei} wei for gas and needs ${needed}; send ether on Base to ${address}.`]
}

/** In wei. Throws UpstreamError. */
export async function fetchBalance(rpc: Pick<EthereumRpc, 'ask'>, address: Hex): Promise<bigint> {
  const [balance] = await rpc.ask([{ method: 'eth_getBalance', params: [address, 'latest'] }])
  return BigInt(textOf(balance) || failNode('it did not tell a balance'))
}

const textOf = (outcome: RpcOutcome | undefined): string =>
  outcome?.ok && typeof outcome.result === 'string' ? outcome.result.toLowerCase() : ''

/** Our own errors only: they name no URL and no key. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : 'for an unknown reason'
  return message.endsWith('.') ? message : `${message}.`
}
