/**
 * A transaction in words, read back from the very bytes a wallet would sign. It knows nothing of what was meant, so it
 * shows what would happen, also where that is something else.
 */
import { formatEther } from 'viem/utils'
import { controller2023Abi, controller2025Abi, resolverAbi } from '../chain/abi.ts'
import type { Draft, Hex } from '../chain/chain.ts'
import type { Contracts } from '../chain/deployments.ts'
import { counted, durationInWords } from '../reading/durations.ts'
import { decodeExactly } from './exact.ts'
import { type EnsName, parseEnsName, withEth } from '../contract/names.ts'
import { nodeOf } from '../chain/namehash.ts'
import { describeRecordCall } from './record-calls.ts'

export type Decoded = {
  readonly function: string
  readonly contract: string
  readonly summary: string
  readonly arguments: Readonly<Record<string, string>>
}

type Told = Pick<Decoded, 'function' | 'summary' | 'arguments'>

/** The name is only used to recognise its hash: a call that is about another name says so. */
export function decodeTransaction(contracts: Contracts, transaction: Draft, name?: EnsName): Decoded {
  const { to, data, value } = transaction
  const { contract, tell } = recipientOf(contracts, to)
  const told = tell(data, name) ?? {
    function: data.length < 10 ? 'none' : data.slice(0, 10),
    summary: 'Calls something that is not known here: do not sign it unless you know what it is.',
    arguments: { data },
  }
  const sent = value > 0n ? { value: `${formatEther(value)} ether (${value} wei)` } : {}
  return { contract, ...told, arguments: { ...told.arguments, ...sent } }
}

type Teller = (data: Hex, name: EnsName | undefined) => Told | undefined

function recipientOf({ controllers, wrapper }: Contracts, to: Hex): { contract: string; tell: Teller } {
  const isAt = (address: Hex) => address.toLowerCase() === to.toLowerCase()
  if (isAt(controllers['2025'].address)) return { contract: 'ETH registrar controller of 2025', tell: tell2025 }
  if (isAt(controllers['2023'].address)) return { contract: 'ETH registrar controller of 2023', tell: tell2023 }
  const isOurResolver = isAt(controllers['2025'].resolver) || isAt(controllers['2023'].resolver)
  if (isOurResolver) return { contract: 'ENS public resolver', tell: tellResolver }
  if (isAt(wrapper)) return { contract: 'ENS name wrapper', tell: () => undefined }
  return { contract: `Resolver of the owner's choice at ${to}`, tell: tellResolver }
}

const COMMITS = 'Announces a registration without naming it.'

function tell2025(data: Hex): Told | undefined {
  const call = decodeExactly(controller2025Abi, data)
  switch (call?.functionName) {
    case 'commit':
      return { function: 'commit', summary: COMMITS, arguments: { commitment: call.args[0] } }
    case 'register': {
      const { reverseRecord, referrer, ...registration } = call.args[0]
      const more = {
        reverseRecord: reverseInWords(reverseRecord, registration.label),
        referrer: referrerInWords(referrer),
      }
      return tellRegistration(registration, more)
    }
    case 'renew': {
      const [label, duration, referrer] = call.args
      return tellRenewal(label, duration, { referrer: referrerInWords(referrer) })
    }
    default:
      return undefined
  }
}

function tell2023(data: Hex): Told | undefined {
  const call = decodeExactly(controller2023Abi, data)
  switch (call?.functionName) {
    case 'commit':
      return { function: 'commit', summary: COMMITS, arguments: { commitment: call.args[0] } }
    case 'register': {
      const [label, owner, duration, secret, resolver, data, reverseRecord, fuses] = call.args
      const more = {
        reverseRecord: reverseInWords(reverseRecord ? 1 : 0, label),
        ownerControlledFuses: fuses === 0 ? 'none' : `${fuses}: gives up rights over the name for good`,
      }
      return tellRegistration({ label, owner, duration, secret, resolver, data }, more)
    }
    case 'renew':
      return tellRenewal(call.args[0], call.args[1], {})
    default:
      return undefined
  }
}

type Registering = {
  readonly label: string
  readonly owner: Hex
  readonly duration: bigint
  readonly secret: Hex
  readonly resolver: Hex
  readonly data: readonly Hex[]
}

function tellRegistration(registration: Registering, more: Readonly<Record<string, string>>): Told {
  const { label, owner, duration, secret, resolver, data } = registration
  const name = parseEnsName(label)
  // The controller hashes the label as it stands; one that this service would not read has no name to compare with.
  const known = name.ok && name.name === label ? name.name : undefined
  const records = data.map((call, at) => [`data[${at}]`, describeRecordCall(call, known)] as const)
  return {
    function: 'register',
    summary: `Registers ${shown(label)} for ${owner}, for ${durationInWords(duration)}.`,
    arguments: {
      label: JSON.stringify(label),
      owner,
      duration: durationInWords(duration),
      secret,
      resolver,
      ...(records.length === 0 ? { data: 'none' } : Object.fromEntries(records)),
      ...more,
    },
  }
}

const tellRenewal = (label: string, duration: bigint, more: Readonly<Record<string, string>>): Told => ({
  function: 'renew',
  summary: `Renews ${shown(label)} for another ${durationInWords(duration)}, whoever holds it.`,
  arguments: { label: JSON.stringify(label), duration: durationInWords(duration), ...more },
})

function tellResolver(data: Hex, name: EnsName | undefined): Told | undefined {
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
  const isAllOfOne = name !== undefined && calls.every((each) => each.startsWith(nodeOf(name).slice(2), 10))
  const whose = isAllOfOne ? ` of ${withEth(name)}` : ''
  const summary = `Changes ${counted(calls.length, 'record')}${whose}${calls.length > 1 ? ' at once' : ''}.`
  return { function: 'multicall', summary, arguments: Object.fromEntries(described) }
}

const shown = (label: string): string => (/^[a-z0-9-]+$/.test(label) ? `${label}.eth` : `${JSON.stringify(label)}.eth`)

const referrerInWords = (referrer: Hex): string => (BigInt(referrer) === 0n ? 'none' : referrer)

/** It is the sender's, who need not be the owner. */
function reverseInWords(bits: number, label: string): string {
  const where = [bits & 1 ? 'on Ethereum' : '', bits & 2 ? 'on every chain without one of its own' : '']
  const places = where.filter((place) => place !== '').join(' and ')
  return places === '' ? 'none' : `makes ${shown(label)} the primary name of the sender ${places}`
}
