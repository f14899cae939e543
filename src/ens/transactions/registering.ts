/** Registration, step by step. Nothing is stored: what the second step needs travels in the registration id. */
import { ApiError } from '../../kernel/errors.ts'
import type { Random } from '../../kernel/random.ts'
import type { Chain, Hex } from '../chain/chain.ts'
import { commitCall, commitmentOf, registerCall, registrationOf } from './commitment.ts'
import { type Contracts, registeringController } from '../chain/deployments.ts'
import { isAvailable } from '../chain/expiry.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import {
  addressOf,
  askForTransaction,
  DEEDS,
  noAuthoritySentence,
  prepare,
  refusal,
  takenSentence,
} from './preparing.ts'
import { priceOf, withBuffer, yearsToSeconds } from '../chain/pricing.ts'
import {
  agesQuestion,
  askWithGasPrice,
  authorityQuestion,
  type CommitmentAges,
  commitmentQuestion,
  rateQuestion,
  rentQuestion,
  standingQuestion,
} from '../chain/calls.ts'
import type { RegistrationTokens } from './registration-token.ts'

type Needs = {
  readonly chain: Chain
  readonly contracts: Contracts
  readonly random: Random
  readonly tokens: RegistrationTokens
}

type Wish = {
  readonly name: EnsName
  readonly owner: string
  readonly duration_years: number
  readonly set_reverse_record: boolean
}

const SECRET_BYTES = 32

export function createRegistering({ chain, contracts, random, tokens }: Needs) {
  const { registersWith } = contracts

  return {
    async check(name: EnsName, years: number, signal: AbortSignal) {
      const questions = [
        standingQuestion(contracts, name),
        rentQuestion(contracts, registersWith, name, yearsToSeconds(years)),
        rateQuestion(contracts),
        agesQuestion(contracts, registersWith),
        authorityQuestion(contracts, registersWith),
      ] as const
      const { answers, gasPrice } = await askWithGasPrice(chain, questions, signal)
      const [standing, rent, rate, ages, isAllowed] = answers
      const available = isAvailable(standing.tenure)
      if (!available) return { name: withEth(name), available }
      if (!isAllowed) throw new ApiError('check_failed', noAuthoritySentence)
      return {
        name: withEth(name),
        available,
        rent_price: priceOf(rent, rate),
        gas_estimate: {
          commit_gas: DEEDS.commit.usualGas,
          register_gas: DEEDS.register.usualGas,
          gas_price_wei: gasPrice.toString(),
        },
        commit_wait: { min_seconds: ages.least, max_seconds: ages.most },
      }
    },

    async prepareCommit(wish: Wish, signal: AbortSignal) {
      const owner = addressOf(wish.owner, 'owner', 'commit')
      if (BigInt(owner) === 0n) throw refusal('commit', 'owner must not be the zero address.')
      const registration = registrationOf(
        {
          label: wish.name,
          owner,
          durationSeconds: yearsToSeconds(wish.duration_years),
          secret: hexOf(random.bytes(SECRET_BYTES)),
          reverseRecord: wish.set_reverse_record,
        },
        registeringController(contracts),
      )
      const questions = [
        standingQuestion(contracts, wish.name),
        agesQuestion(contracts, registersWith),
        authorityQuestion(contracts, registersWith),
      ] as const
      const [standing, ages, isAllowed] = await askForTransaction(chain, 'commit', questions, signal)
      if (!isAvailable(standing.tenure)) throw refusal('commit', takenSentence(wish.name, standing))
      if (!isAllowed) throw refusal('commit', noAuthoritySentence)
      const commit = {
        deed: 'commit',
        name: wish.name,
        call: commitCall(registration),
        value: 0n,
        from: owner,
      } as const
      const transaction = await prepare(chain, contracts, commit, signal)
      return {
        registration_id: tokens.issue(registration),
        name: withEth(wish.name),
        secret: registration.secret,
        commitment: commitmentOf(registration),
        transaction,
        min_wait_seconds: ages.least,
        max_wait_seconds: ages.most,
      }
    },

    async prepareRegister(id: string, signal: AbortSignal) {
      const opened = tokens.open(id)
      if (!opened.ok) throw refusal('register', TOKEN_PROBLEMS[opened.why])
      const { registration } = opened
      const { label: name, owner, controller, kind, durationSeconds } = registration
      // The commitment was made for these two; whatever the settings say by now, no other pair can take it.
      const frozen: Contracts = {
        ...contracts,
        controllers: {
          ...contracts.controllers,
          [kind]: { kind, address: controller, resolver: registration.resolver },
        },
      }
      const questions = [
        standingQuestion(frozen, name),
        rentQuestion(frozen, kind, name, durationSeconds),
        agesQuestion(frozen, kind),
        authorityQuestion(frozen, kind),
        commitmentQuestion(controller, commitmentOf(registration)),
      ] as const
      const [standing, rent, ages, isAllowed, madeAt] = await askForTransaction(chain, 'register', questions, signal)
      if (!isAvailable(standing.tenure)) throw refusal('register', takenSentence(name, standing))
      if (!isAllowed) throw refusal('register', noAuthoritySentence)
      const problem = commitmentProblem(madeAt, standing.now, ages)
      if (problem !== undefined) throw refusal('register', problem)
      const value = withBuffer(rent.base + rent.premium)
      const register = { deed: 'register', name, call: registerCall(registration), value, from: owner } as const
      return {
        registration_id: id,
        name: withEth(name),
        transaction: await prepare(chain, frozen, register, signal),
        rent_price: priceOf(rent),
        value_with_buffer: value.toString(),
      }
    },
  }
}

const TOKEN_PROBLEMS = {
  expired: 'registration_id is older than 24 hours; begin again with prepare-commit.',
  unknown: 'registration_id is not one of ours; use the one prepare-commit returned, unchanged.',
} as const

/** What stands between a commitment and its registration. Times are the chain's. */
function commitmentProblem(madeAt: number, now: number, { least, most }: CommitmentAges): string | undefined {
  if (madeAt === 0) {
    return 'The commitment is not on the chain: send the commit transaction and wait until it is confirmed.'
  }
  const left = madeAt + least - now
  if (left > 0) return `The commitment is too young: ${left} ${left === 1 ? 'second is' : 'seconds are'} left to wait.`
  if (madeAt + most <= now) return 'The commitment is too old; begin again with prepare-commit.'
  return undefined
}

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
