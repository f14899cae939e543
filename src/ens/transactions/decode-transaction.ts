/**
 * Describes a transaction in words, decoded from the bytes a wallet would sign and not from the request. So it shows
 * what would happen even if the bytes do not match the request.
 */
import { formatEther } from '../../kernel/ethereum/bytes.ts'
import { controller2023Abi, controller2025Abi, resolverAbi } from '../chain/abi.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { TransactionDraft } from '../chain/chain.ts'
import type { Contracts } from '../chain/deployments.ts'
import { pluralize, formatDuration } from './format-duration.ts'
import { decodeExactly } from './decode-exactly.ts'
import { type EnsName, parseEnsName, withEth } from '../contract/names.ts'
import { nodeOf } from '../chain/namehash.ts'
import { describeRecordCall } from './describe-record-call.ts'

export type Decoded = {
  readonly function: string
  readonly contract: string
  readonly summary: string
  readonly arguments: Readonly<Record<string, string>>
}

type DecodedCall = Pick<Decoded, 'function' | 'summary' | 'arguments'>

/** `name` is only used to recognise its node: a call about another name is described as such. */
export function decodeTransaction(contracts: Contracts, transaction: TransactionDraft, name?: EnsName): Decoded {
  const { to, data, value } = transaction
  const { contract, decode } = identifyRecipient(contracts, to)
  const call = decode(data, name) ?? {
    function: data.length < 10 ? 'none' : data.slice(0, 10),
    summary: 'Calls a function this service does not know. Do not sign it unless you know what it does.',
    arguments: { data },
  }
  const sent = value > 0n ? { value: `${formatEther(value)} ether (${value} wei)` } : {}
  return { contract, ...call, arguments: { ...call.arguments, ...sent } }
}

type CallDecoder = (data: Hex, name: EnsName | undefined) => DecodedCall | undefined

function identifyRecipient({ controllers, wrapper }: Contracts, to: Hex): { contract: string; decode: CallDecoder } {
  const isAt = (address: Hex) => address.toLowerCase() === to.toLowerCase()
  if (isAt(controllers['2025'].address)) return { contract: 'ETH registrar controller of 2025', decode: decode2025 }
  if (isAt(controllers['2023'].address)) return { contract: 'ETH registrar controller of 2023', decode: decode2023 }
  const isOurResolver = isAt(controllers['2025'].resolver) || isAt(controllers['2023'].resolver)
  if (isOurResolver) return { contract: 'ENS public resolver', decode: decodeResolverCall }
  if (isAt(wrapper)) return { contract: 'ENS name wrapper', decode: () => undefined }
  return { contract: `Resolver set by the owner, at ${to}`, decode: decodeResolverCall }
}

const COMMIT_SUMMARY = 'Commits to a registration without revealing the name.'

function decode2025(data: Hex): DecodedCall | undefined {
  const call = decodeExactly(controller2025Abi, data)
  switch (call?.functionName) {
    case 'commit':
      return { function: 'commit', summary: COMMIT_SUMMARY, arguments: { commitment: call.args[0] } }
    case 'register': {
      const { reverseRecord, referrer, ...registration } = call.args[0]
      const more = {
        reverseRecord: describeReverseRecord(reverseRecord, registration.label),
        referrer: describeReferrer(referrer),
      }
      return describeRegistration(registration, more)
    }
    case 'renew': {
      const [label, duration, referrer] = call.args
      return describeRenewal(label, duration, { referrer: describeReferrer(referrer) })
    }
    default:
      return undefined
  }
}

function decode2023(data: Hex): DecodedCall | undefined {
  const call = decodeExactly(controller2023Abi, data)
  switch (call?.functionName) {
    case 'commit':
      return { function: 'commit', summary: COMMIT_SUMMARY, arguments: { commitment: call.args[0] } }
    case 'register': {
      const [label, owner, duration, secret, resolver, data, reverseRecord, fuses] = call.args
      const more = {
        reverseRecord: describeReverseRecord(reverseRecord ? 1 : 0, label),
        ownerControlledFuses: fuses === 0 ? 'none' : `${fuses}: permanently gives up rights over the name`,
      }
      return describeRegistration({ label, owner, duration, secret, resolver, data }, more)
    }
    case 'renew':
      return describeRenewal(call.args[0], call.args[1], {})
    default:
      return undefined
  }
}

type RegistrationArguments = {
  readonly label: string
  readonly owner: Hex
  readonly duration: bigint
  readonly secret: Hex
  readonly resolver: Hex
  readonly data: readonly Hex[]
}

function describeRegistration(
  registration: RegistrationArguments,
  more: Readonly<Record<string, string>>,
): DecodedCall {
  const { label, owner, duration, secret, resolver, data } = registration
  const name = parseEnsName(label)
  // The controller hashes the label as given. A label that is not normalized has no name to compare the records with.
  const known = name.ok && name.name === label ? name.name : undefined
  const records = data.map((call, at) => [`data[${at}]`, describeRecordCall(call, known)] as const)
  return {
    function: 'register',
    summary: `Registers ${displayName(label)} for ${owner}, for ${formatDuration(duration)}.`,
    arguments: {
      label: JSON.stringify(label),
      owner,
      duration: formatDuration(duration),
      secret,
      resolver,
      ...(records.length === 0 ? { data: 'none' } : Object.fromEntries(records)),
      ...more,
    },
  }
}

const describeRenewal = (label: string, duration: bigint, more: Readonly<Record<string, string>>): DecodedCall => ({
  function: 'renew',
  summary: `Renews ${displayName(label)} for another ${formatDuration(duration)}, for its current owner.`,
  arguments: { label: JSON.stringify(label), duration: formatDuration(duration), ...more },
})

function decodeResolverCall(data: Hex, name: EnsName | undefined): DecodedCall | undefined {
  const call = decodeExactly(resolverAbi, data)
  if (call?.functionName !== 'multicall') {
    if (!call?.functionName.startsWith('set')) return undefined
    return {
      function: call.functionName,
      summary: 'Changes a record.',
      arguments: { record: describeRecordCall(data, name) },
    }
  }
  const [calls] = call.args
  const described = calls.map((each, at) => [`data[${at}]`, describeRecordCall(each, name)] as const)
  const isAllForName = name !== undefined && calls.every((each) => each.startsWith(nodeOf(name).slice(2), 10))
  const whose = isAllForName ? ` of ${withEth(name)}` : ''
  const summary = `Changes ${pluralize(calls.length, 'record')}${whose}${calls.length > 1 ? ' at once' : ''}.`
  return { function: 'multicall', summary, arguments: Object.fromEntries(described) }
}

const displayName = (label: string): string =>
  /^[a-z0-9-]+$/.test(label) ? `${label}.eth` : `${JSON.stringify(label)}.eth`

const describeReferrer = (referrer: Hex): string => (BigInt(referrer) === 0n ? 'none' : referrer)

/** The reverse record is set for the sender, who need not be the owner. */
function describeReverseRecord(bits: number, label: string): string {
  const where = [bits & 1 ? 'on Ethereum' : '', bits & 2 ? 'on every chain without its own record' : '']
  const places = where.filter((place) => place !== '').join(' and ')
  return places === '' ? 'none' : `makes ${displayName(label)} the primary name of the sender ${places}`
}
