/** Records, expiry and renewal of registered names. */
import { ApiError } from '../../kernel/errors.ts'
import { once } from '../../kernel/once.ts'
import type { Chain } from '../chain/chain.ts'
import { renewCall } from './commitment.ts'
import { type Contracts, registeringController, renewingController } from '../chain/deployments.ts'
import { renewedExpiry, formatExpiry, isRegistrable, toIsoTime } from '../chain/expiry.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import { nodeOf } from '../chain/namehash.ts'
import {
  parseAddress,
  readForTransaction,
  unauthorizedControllerMessage,
  prepare,
  preparationError,
} from './prepare.ts'
import { formatPrice, renewalRent, withBuffer, yearsToSeconds } from '../chain/pricing.ts'
import {
  type ReadResults,
  readContracts,
  authorizationRead,
  type ContractRead,
  ethUsdRead,
  rentRead,
  type NameState,
  nameStateRead,
} from '../chain/contract-reads.ts'
import { parseRecordChanges, updateCall, type RequestedRecords } from './record-changes.ts'
import { type RecordsResult, createRecordsRead, TEXT_KEYS } from '../reading/records.ts'
import { revertReason } from './revert-reasons.ts'

type Needs = { readonly chain: Chain; readonly contracts: Contracts }

const allRecords = once(() => createRecordsRead(TEXT_KEYS))

export function createManagement({ chain, contracts }: Needs) {
  const renewalReads = (name: EnsName, seconds: number) => {
    const renewing = renewingController(contracts, false).kind
    const renewingWrapped = renewingController(contracts, true).kind
    return [
      nameStateRead(contracts, name),
      rentRead(contracts, renewing, name, seconds),
      rentRead(contracts, renewingWrapped, name, seconds),
      ethUsdRead(contracts),
      authorizationRead(contracts, renewing),
      authorizationRead(contracts, renewingWrapped),
    ] as const
  }

  /** Picks the rent and authorization of the controller that renews this name; a wrapped name has another one. */
  const selectRenewal = (answers: ReadResults<ReturnType<typeof renewalReads>>) => {
    const [state, rent, rentWrapped, rate, isAllowed, isAllowedWrapped] = answers
    return {
      state,
      rent: renewalRent(state.isWrapped ? rentWrapped : rent),
      rate,
      isAllowed: state.isWrapped ? isAllowedWrapped : isAllowed,
    }
  }

  return {
    async records(name: EnsName, signal: AbortSignal) {
      const reads = [nameStateRead(contracts, name), allRecordsRead(contracts, name)] as const
      const [state, reading] = await readContracts(chain, reads, signal)
      if (isRegistrable(state.phase)) throw new ApiError('records_failed', unregistered(name))
      if (reading.kind === 'unreadable' && state.resolver !== undefined) {
        throw new ApiError('records_failed', `The resolver of ${withEth(name)} reverted. ${revertReason(reading.data)}`)
      }
      const { address, text = {}, contenthash } = reading.kind === 'records' ? reading.records : {}
      return {
        name: withEth(name),
        node: nodeOf(name),
        resolver: state.resolver ?? '',
        addresses: address ? { ETH: address } : {},
        text: { ...text } as Record<string, string>,
        ...(contenthash && { contenthash }),
        ...(reading.kind === 'offchain' && { offchain: true as const }),
      }
    },

    async prepareUpdate(name: EnsName, owner: string, wanted: RequestedRecords, signal: AbortSignal) {
      const from = parseAddress(owner, 'owner', 'update')
      const reading = parseRecordChanges(wanted)
      if (!reading.ok) throw preparationError('update', reading.problem)
      const [state] = await readForTransaction(chain, 'update', [nameStateRead(contracts, name)], signal)
      if (isRegistrable(state.phase)) throw preparationError('update', unregistered(name))
      const resolver = state.resolver ?? registeringController(contracts).resolver
      const call = updateCall(resolver, name, reading.changes)
      const update = { kind: 'update', name, call, value: 0n, from } as const
      return {
        name: withEth(name),
        resolver,
        transaction: await prepare(chain, contracts, update, signal),
        changes: [...reading.changes],
        ...(state.resolver === undefined && { warning: noResolver(name) }),
      }
    },

    async expiry(name: EnsName, years: number, signal: AbortSignal) {
      const reads = renewalReads(name, yearsToSeconds(years))
      const { state, rent, rate } = selectRenewal(await readContracts(chain, reads, signal))
      const expiry = formatExpiry(state.expires, state.now)
      if (expiry === undefined) throw new ApiError('expiry_failed', unregistered(name))
      return { name: withEth(name), ...expiry, renewal_cost: formatPrice(rent, rate) }
    },

    async prepareRenewal(name: EnsName, years: number, signal: AbortSignal) {
      const seconds = yearsToSeconds(years)
      const answers = await readForTransaction(chain, 'renew', renewalReads(name, seconds), signal)
      const { state, rent, rate, isAllowed } = selectRenewal(answers)
      if (isRegistrable(state.phase)) throw preparationError('renew', notRenewable(name, state))
      if (!isAllowed) throw preparationError('renew', unauthorizedControllerMessage)
      const value = withBuffer(rent.base)
      const call = renewCall(renewingController(contracts, state.isWrapped), name, seconds)
      const renewal = { kind: 'renew', name, call, value } as const
      return {
        name: withEth(name),
        transaction: await prepare(chain, contracts, renewal, signal),
        rent_price: formatPrice(rent, rate),
        value_with_buffer: value.toString(),
        new_expiry: toIsoTime(renewedExpiry(state.expires, seconds)),
      }
    },
  }
}

const allRecordsRead = ({ universalResolver }: Contracts, name: EnsName): ContractRead<RecordsResult> => ({
  calls: [allRecords().call(universalResolver, name)],
  decode: ([returned]) => allRecords().decode(returned!),
})

const unregistered = (name: EnsName): string => `${withEth(name)} is not registered.`

const notRenewable = (name: EnsName, { phase }: NameState): string =>
  phase === 'past_grace'
    ? `${withEth(name)} is past its grace period and can no longer be renewed; register it again instead.`
    : unregistered(name)

const noResolver = (name: EnsName): string =>
  `${withEth(name)} has no resolver: these records will not be visible until the name's resolver is set to the one in this answer.`
