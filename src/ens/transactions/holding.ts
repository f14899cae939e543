/** What the holder of a name does: read and change its records, see when it ends, renew it. */
import { ApiError } from '../../kernel/errors.ts'
import type { Chain } from '../chain/chain.ts'
import { renewCall } from './commitment.ts'
import { type Contracts, registeringController, renewingController } from '../chain/deployments.ts'
import { expiryAfter, expiryOf, isAvailable, isoOf } from '../chain/expiry.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import { nodeOf } from '../chain/namehash.ts'
import { addressOf, askForTransaction, noAuthoritySentence, prepare, refusal } from './preparing.ts'
import { priceOf, renewalRent, withBuffer, yearsToSeconds } from '../chain/pricing.ts'
import {
  type Answers,
  askTogether,
  authorityQuestion,
  type Question,
  rateQuestion,
  rentQuestion,
  type Standing,
  standingQuestion,
} from '../chain/calls.ts'
import { readChanges, updateCall, type WantedRecords } from './record-changes.ts'
import { type RecordsReading, recordsQuestion, TEXT_KEYS } from '../reading/records.ts'
import { reasonOf } from './reasons.ts'

type Needs = { readonly chain: Chain; readonly contracts: Contracts }

const ALL_RECORDS = recordsQuestion(TEXT_KEYS)

export function createHolding({ chain, contracts }: Needs) {
  const renewalQuestions = (name: EnsName, seconds: number) => {
    const renewing = renewingController(contracts, false).kind
    const renewingWrapped = renewingController(contracts, true).kind
    return [
      standingQuestion(contracts, name),
      rentQuestion(contracts, renewing, name, seconds),
      rentQuestion(contracts, renewingWrapped, name, seconds),
      rateQuestion(contracts),
      authorityQuestion(contracts, renewing),
      authorityQuestion(contracts, renewingWrapped),
    ] as const
  }

  /** All a renewal depends on, which differs for a wrapped name. */
  const renewalOf = (answers: Answers<ReturnType<typeof renewalQuestions>>) => {
    const [standing, rent, rentWrapped, rate, isAllowed, isAllowedWrapped] = answers
    return {
      standing,
      rent: renewalRent(standing.isWrapped ? rentWrapped : rent),
      rate,
      isAllowed: standing.isWrapped ? isAllowedWrapped : isAllowed,
    }
  }

  return {
    async records(name: EnsName, signal: AbortSignal) {
      const questions = [standingQuestion(contracts, name), allRecordsQuestion(contracts, name)] as const
      const [standing, reading] = await askTogether(chain, questions, signal)
      if (isAvailable(standing.tenure)) throw new ApiError('records_failed', unregistered(name))
      if (reading.kind === 'unreadable' && standing.resolver !== undefined) {
        throw new ApiError(
          'records_failed',
          `The resolver of ${withEth(name)} refuses to answer. ${reasonOf(reading.data)}`,
        )
      }
      const { address, text = {}, contenthash } = reading.kind === 'records' ? reading.records : {}
      return {
        name: withEth(name),
        node: nodeOf(name),
        resolver: standing.resolver ?? '',
        addresses: address ? { ETH: address } : {},
        text: { ...text } as Record<string, string>,
        ...(contenthash && { contenthash }),
        ...(reading.kind === 'offchain' && { offchain: true as const }),
      }
    },

    async prepareUpdate(name: EnsName, owner: string, wanted: WantedRecords, signal: AbortSignal) {
      const from = addressOf(owner, 'owner', 'update')
      const reading = readChanges(wanted)
      if (!reading.ok) throw refusal('update', reading.problem)
      const [standing] = await askForTransaction(chain, 'update', [standingQuestion(contracts, name)], signal)
      if (isAvailable(standing.tenure)) throw refusal('update', unregistered(name))
      const resolver = standing.resolver ?? registeringController(contracts).resolver
      const call = updateCall(resolver, name, reading.changes)
      const update = { deed: 'update', name, call, value: 0n, from } as const
      return {
        name: withEth(name),
        resolver,
        transaction: await prepare(chain, contracts, update, signal),
        changes: [...reading.changes],
        ...(standing.resolver === undefined && { warning: noResolver(name) }),
      }
    },

    async expiry(name: EnsName, years: number, signal: AbortSignal) {
      const questions = renewalQuestions(name, yearsToSeconds(years))
      const { standing, rent, rate } = renewalOf(await askTogether(chain, questions, signal))
      const expiry = expiryOf(standing.expires, standing.now)
      if (expiry === undefined) throw new ApiError('expiry_failed', unregistered(name))
      return { name: withEth(name), ...expiry, renewal_cost: priceOf(rent, rate) }
    },

    async prepareRenewal(name: EnsName, years: number, signal: AbortSignal) {
      const seconds = yearsToSeconds(years)
      const answers = await askForTransaction(chain, 'renew', renewalQuestions(name, seconds), signal)
      const { standing, rent, rate, isAllowed } = renewalOf(answers)
      if (isAvailable(standing.tenure)) throw refusal('renew', notRenewable(name, standing))
      if (!isAllowed) throw refusal('renew', noAuthoritySentence)
      const value = withBuffer(rent.base)
      const call = renewCall(renewingController(contracts, standing.isWrapped), name, seconds)
      const renewal = { deed: 'renew', name, call, value } as const
      return {
        name: withEth(name),
        transaction: await prepare(chain, contracts, renewal, signal),
        rent_price: priceOf(rent, rate),
        value_with_buffer: value.toString(),
        new_expiry: isoOf(expiryAfter(standing.expires, seconds)),
      }
    },
  }
}

const allRecordsQuestion = ({ universalResolver }: Contracts, name: EnsName): Question<RecordsReading> => ({
  calls: [ALL_RECORDS.call(universalResolver, name)],
  read: ([returned]) => ALL_RECORDS.read(returned!),
})

const unregistered = (name: EnsName): string => `${withEth(name)} is not registered.`

const notRenewable = (name: EnsName, { tenure }: Standing): string =>
  tenure === 'past_grace'
    ? `${withEth(name)} is past its grace period and can no longer be renewed; it can be registered anew.`
    : unregistered(name)

const noResolver = (name: EnsName): string =>
  `${withEth(name)} has no resolver: these records will not be seen until the name points at the one they are set at.`
