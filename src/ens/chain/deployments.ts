/** The deployed ENS contracts, and how an operator's file overrides their addresses. */
import { getAddress, isAddress } from '../../kernel/ethereum/bytes.ts'
import * as z from 'zod'
import { closestMatch } from '../../kernel/closest-match.ts'
import type { Hex } from '../../kernel/hex.ts'

/** Which ABI a controller has: the one of 2025 takes one struct, the one of 2023 eight arguments. */
export type ControllerKind = '2025' | '2023'

/** A controller and the resolver that trusts it to write records. They only work as a pair. */
export type Controller = { readonly kind: ControllerKind; readonly address: Hex; readonly resolver: Hex }

export type Contracts = {
  readonly registry: Hex
  readonly registrar: Hex
  readonly wrapper: Hex
  readonly universalResolver: Hex
  readonly reverseRegistrar: Hex
  readonly multicall3: Hex
  /** Chainlink ETH/USD price feed. */
  readonly ethUsdFeed: Hex
  /** Wrapped names are always renewed with the 2023 controller: only it updates the wrapper's expiry, too. */
  readonly controllers: { readonly [Kind in ControllerKind]: Controller & { readonly kind: Kind } }
  /** The controller that registers names and renews unwrapped ones. */
  readonly registersWith: ControllerKind
}

/** ENSIP-9 coin type of Ethereum. */
export const COIN_TYPE_ETH = 60n

export const MAINNET: Contracts = {
  registry: '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e',
  registrar: '0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85',
  wrapper: '0xD4416b13d2b3a9aBae7AcD5D6C2BbDBE25686401',
  universalResolver: '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe',
  reverseRegistrar: '0xa58E81fe9b61B5c3fE2AFD33CF304c454AbFc7Cb',
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
  ethUsdFeed: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
  controllers: {
    '2025': {
      kind: '2025',
      address: '0x59E16fcCd424Cc24e280Be16E11Bcd56fb0CE547',
      resolver: '0xF29100983E058B709F3D539b0c765937B804AC15',
    },
    '2023': {
      kind: '2023',
      address: '0x253553366Da8546fC250F225fe3d25d0C782303b',
      resolver: '0x231b0Ee14048e9dCcD1d247744d114a4EB5E8E63',
    },
  },
  registersWith: '2025',
}

export const registeringController = (contracts: Contracts): Controller =>
  contracts.controllers[contracts.registersWith]

/** The controller that renews a name. The 2025 controller does not extend the wrapper's expiry: a wrapped name would lose its owner. */
export const renewingController = (contracts: Contracts, isWrapped: boolean): Controller =>
  isWrapped ? contracts.controllers['2023'] : registeringController(contracts)

const address = z.string().transform((text, context): Hex => {
  const problem = addressProblem(text)
  if (problem === undefined) return getAddress(text)
  context.issues.push({ code: 'custom', message: problem, input: text })
  return z.NEVER
})

/** What is wrong with an Ethereum address, as the rest of a sentence that starts with the field's name. */
export function addressProblem(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return 'must be an Ethereum address: 0x and 40 hexadecimal digits.'
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (isMixed && !isAddress(text)) {
    return 'does not match its EIP-55 checksum, so a digit is probably wrong; copy it again.'
  }
  return undefined
}

const contractAddress = address.refine((text) => BigInt(text) !== 0n, 'must not be the zero address.')
const controller = z.strictObject({ address: contractAddress, resolver: contractAddress })
const Override = z
  .strictObject({
    registry: contractAddress,
    registrar: contractAddress,
    wrapper: contractAddress,
    universalResolver: contractAddress,
    reverseRegistrar: contractAddress,
    multicall3: contractAddress,
    ethUsdFeed: contractAddress,
    controllers: z.strictObject({ '2025': controller, '2023': controller }).partial(),
    registersWith: z.enum(['2025', '2023']),
  })
  .partial()

export type ParsedContracts =
  | { readonly ok: true; readonly contracts: Contracts }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Merges the operator's file over the mainnet addresses. */
export function parseContracts(text: string): ParsedContracts {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { ok: false, problems: ['it is not JSON.'] }
  }
  const parsed = Override.safeParse(json, { reportInput: true })
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.flatMap(problemsOf) }
  const { controllers, ...others } = parsed.data
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
  const merged = {
    '2025': { ...MAINNET.controllers['2025'], ...controllers?.['2025'] },
    '2023': { ...MAINNET.controllers['2023'], ...controllers?.['2023'] },
  }
  return { ok: true, contracts: { ...MAINNET, ...given, controllers: merged } }
}

const KNOWN_KEYS = [...Object.keys(MAINNET), 'address', 'resolver', '2025', '2023']

function problemsOf(issue: z.core.$ZodIssue): string[] {
  const where = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const guess = closestMatch(key, KNOWN_KEYS)
      return `${where === '' ? '' : `${where}.`}${key} is not a known key${guess === undefined ? '.' : `; did you mean ${guess}?`}`
    })
  }
  const isHalfAPair = issue.path.length === 3 && issue.code === 'invalid_type' && issue.input === undefined
  if (isHalfAPair) {
    return [
      `${where} is missing: give address and resolver together, because a resolver trusts only its own controller.`,
    ]
  }
  if (issue.code === 'invalid_value') return [`${where} must be one of ${issue.values.map(String).join(', ')}.`]
  if (issue.code === 'invalid_type') {
    return [
      `${where === '' ? 'it' : where} must be ${issue.expected === 'object' ? 'an object' : `a ${issue.expected}`}.`,
    ]
  }
  return [`${where} ${issue.message}`]
}
