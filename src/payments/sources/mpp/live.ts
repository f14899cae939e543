import { decodeFunctionResult, parseAbi, toFunctionSelector } from '../../../kernel/ethereum/abi.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { EthereumRpc, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import type { Hex } from '../../scheme.ts'
import { isDevelopmentAddress } from '../development-addresses.ts'
import { TEMPO_CHAIN_ID, TEMPO_USDC } from './scheme.ts'

type Setup = {
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly urls: readonly string[]
  readonly secrets: readonly string[]
  readonly recipient: string
  readonly currency?: Hex
  readonly chainId?: number
}

/** Checks the settings and the node before real money is accepted. One sentence per problem, with what to do about it. */
export async function checkMppLive(setup: Setup): Promise<string[]> {
  const { rpc, currency = TEMPO_USDC, chainId = TEMPO_CHAIN_ID } = setup
  const problems = checkMppSettings(setup)
  // The response of a node without https could be forged, so it is not asked.
  if (setup.urls.length === 0 || setup.urls.some((url) => checkUrl(url) !== undefined)) return problems
  const ask = (name: string) => ({
    method: 'eth_call',
    params: [{ to: currency, data: toFunctionSelector(`${name}()`) }, 'latest'],
  })
  const calls = [
    { method: 'eth_chainId', params: [] },
    { method: 'web3_clientVersion', params: [] },
    ask('currency'),
    ask('decimals'),
  ]
  try {
    const [chain, version, money, decimals] = await rpc.ask(calls)
    const served = textOf(chain)
    if (served === undefined || Number(served) !== chainId) {
      problems.push(`The Tempo node does not serve chain ${chainId}. Check ONOMA_MPP_RPC_URLS.`)
    }
    if (textOf(version)?.startsWith('onoma-simulated')) {
      problems.push('The Tempo node is simulated. Set ONOMA_MPP_RPC_URLS to a real node.')
    }
    if (valueOf(money, 'currency') !== 'USD' || valueOf(decimals, 'decimals') !== 6) {
      problems.push(`The token ${currency} is not a dollar with six decimals on Tempo. Check ONOMA_MPP_CURRENCY.`)
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    problems.push(`The Tempo node cannot be used: ${error.message}. Check ONOMA_MPP_RPC_URLS.`)
  }
  return problems
}

const MIN_SECRET_BYTES = 32

/** Problems of the settings themselves, which no waiting mends. */
export function checkMppSettings({ urls, secrets, recipient }: Omit<Setup, 'rpc'>): string[] {
  const wrong: string[] = []
  if (urls.length === 0) wrong.push('No Tempo node is set. Set ONOMA_MPP_RPC_URLS to the https URL of one.')
  wrong.push(...new Set(urls.map(checkUrl).filter((sentence) => sentence !== undefined)))
  const isShort = (secret: string) => Buffer.byteLength(secret) < MIN_SECRET_BYTES
  if (secrets.length === 0 || secrets.some(isShort)) {
    wrong.push(
      'Every MPP secret needs at least 32 bytes. Set ONOMA_KEYS, for example to 32 random bytes in hexadecimal.',
    )
  }
  if (!/^0x[0-9a-f]{40}$/i.test(recipient) || BigInt(recipient) === 0n) {
    wrong.push('The recipient of MPP is missing or invalid. Set ONOMA_PAY_TO to your address on Tempo.')
  } else if (isDevelopmentAddress(recipient)) {
    wrong.push('The recipient of MPP is a development or burn address. Set ONOMA_PAY_TO to your own.')
  } else if (recipient.toLowerCase().startsWith('0x20c000000000000000000000')) {
    wrong.push('The recipient of MPP is a token, which accepts no transfers. Set ONOMA_PAY_TO to your own address.')
  }
  return wrong
}

/** The URL itself is not repeated: it may carry a key. */
function checkUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:') return 'The URL of the Tempo node is not https. Check ONOMA_MPP_RPC_URLS.'
  const host = url.hostname.replaceAll(/[[\]]|\.$/g, '')
  const isHere =
    /^(?:127\.|0\.0\.0\.0$|::1?$|::ffff:7f)/.test(host) || host === 'localhost' || host.endsWith('.localhost')
  return isHere ? 'The Tempo node is on this machine. Set ONOMA_MPP_RPC_URLS to one of the real network.' : undefined
}

const ABI = parseAbi(['function currency() view returns (string)', 'function decimals() view returns (uint8)'])

const textOf = (outcome: RpcOutcome | undefined): string | undefined =>
  outcome?.ok && typeof outcome.result === 'string' ? outcome.result : undefined

function valueOf(outcome: RpcOutcome | undefined, functionName: 'currency' | 'decimals'): unknown {
  try {
    return decodeFunctionResult({ abi: ABI, functionName, data: textOf(outcome) as Hex })
  } catch {
    return undefined
  }
}
