/** The steps of a registration. Nothing is stored: the registration id carries what the second step needs. */
import { ApiError } from '../../kernel/errors.ts'
import type { Random } from '../../kernel/random.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { Chain } from '../chain/chain.ts'
import { commitCall, computeCommitment, registerCall, createRegistration, type Registration } from './commitment.ts'
import { type Contracts, registeringController } from '../chain/deployments.ts'
import { isRegistrable } from '../chain/expiry.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import {
  parseAddress,
  readForTransaction,
  TRANSACTION_KINDS,
  unauthorizedControllerMessage,
  prepare,
  preparationError,
  unavailableMessage,
} from './prepare.ts'
import { formatPrice, withBuffer, yearsToSeconds } from '../chain/pricing.ts'
import {
  commitmentAgesRead,
  readWithGasPrice,
  authorizationRead,
  type CommitmentAges,
  commitmentTimeRead,
  ethUsdRead,
  rentRead,
  nameStateRead,
} from '../chain/contract-reads.ts'
import type { RegistrationTokens } from './registration-token.ts'

type Needs = {
  readonly chain: Chain
  readonly contracts: Contracts
  readonly random: Random
  readonly tokens: RegistrationTokens
}

type CommitRequest = {
  readonly name: EnsName
  readonly owner: string
  readonly duration_years: number
  readonly set_reverse_record: boolean
}

const SECRET_BYTES = 32

export function createRegistrationFlow({ chain, contracts, random, tokens }: Needs) {
  const { registersWith } = contracts

  return {
    async check(name: EnsName, years: number, signal: AbortSignal) {
      const reads = [
        nameStateRead(contracts, name),
        rentRead(contracts, registersWith, name, yearsToSeconds(years)),
        ethUsdRead(contracts),
        commitmentAgesRead(contracts, registersWith),
        authorizationRead(contracts, registersWith),
      ] as const
      const { results, gasPrice } = await readWithGasPrice(chain, reads, signal)
      const [state, rent, rate, ages, isAllowed] = results
      const available = isRegistrable(state.phase)
      if (!available) return { name: withEth(name), available }
      if (!isAllowed) throw new ApiError('check_failed', unauthorizedControllerMessage)
      return {
        name: withEth(name),
        available,
        rent_price: formatPrice(rent, rate),
        gas_estimate: {
          commit_gas: TRANSACTION_KINDS.commit.usualGas,
          register_gas: TRANSACTION_KINDS.register.usualGas,
          gas_price_wei: gasPrice.toString(),
        },
        commit_wait: { min_seconds: ages.minSeconds, max_seconds: ages.maxSeconds },
      }
    },

    async prepareCommit(request: CommitRequest, signal: AbortSignal) {
      const owner = parseAddress(request.owner, 'owner', 'commit')
      if (BigInt(owner) === 0n) throw preparationError('commit', 'owner must not be the zero address.')
      const registration = createRegistration(
        {
          label: request.name,
          owner,
          durationSeconds: yearsToSeconds(request.duration_years),
          secret: toHex(random.bytes(SECRET_BYTES)),
          reverseRecord: request.set_reverse_record,
        },
        registeringController(contracts),
      )
      const reads = [
        nameStateRead(contracts, request.name),
        commitmentAgesRead(contracts, registersWith),
        authorizationRead(contracts, registersWith),
      ] as const
      const [state, ages, isAllowed] = await readForTransaction(chain, 'commit', reads, signal)
      if (!isRegistrable(state.phase)) throw preparationError('commit', unavailableMessage(request.name, state))
      if (!isAllowed) throw preparationError('commit', unauthorizedControllerMessage)
      const commit = {
        kind: 'commit',
        name: request.name,
        call: commitCall(registration),
        value: 0n,
        from: owner,
      } as const
      const transaction = await prepare(chain, contracts, commit, signal)
      return {
        registration_id: tokens.issue(registration),
        name: withEth(request.name),
        secret: registration.secret,
        commitment: computeCommitment(registration),
        transaction,
        min_wait_seconds: ages.minSeconds,
        max_wait_seconds: ages.maxSeconds,
      }
    },

    async prepareRegister(id: string, signal: AbortSignal) {
      const opened = tokens.open(id)
      if (!opened.ok) throw preparationError('register', TOKEN_PROBLEMS[opened.reason])
      const { registration } = opened
      const { label: name, owner, controller, kind, durationSeconds } = registration
      const committed = withCommittedController(contracts, registration)
      const reads = [
        nameStateRead(committed, name),
        rentRead(committed, kind, name, durationSeconds),
        commitmentAgesRead(committed, kind),
        authorizationRead(committed, kind),
        commitmentTimeRead(controller, computeCommitment(registration)),
      ] as const
      const [state, rent, ages, isAllowed, madeAt] = await readForTransaction(chain, 'register', reads, signal)
      if (!isRegistrable(state.phase)) throw preparationError('register', unavailableMessage(name, state))
      if (!isAllowed) throw preparationError('register', unauthorizedControllerMessage)
      const problem = commitmentProblem(madeAt, state.now, ages)
      if (problem !== undefined) throw preparationError('register', problem)
      const value = withBuffer(rent.base + rent.premium)
      const register = { kind: 'register', name, call: registerCall(registration), value, from: owner } as const
      return {
        registration_id: id,
        name: withEth(name),
        transaction: await prepare(chain, committed, register, signal),
        rent_price: formatPrice(rent),
        value_with_buffer: value.toString(),
      }
    },
  }
}

/** Only the controller and resolver in the commitment can use it, even if the settings have changed since. */
const withCommittedController = (contracts: Contracts, { kind, controller, resolver }: Registration): Contracts => ({
  ...contracts,
  controllers: { ...contracts.controllers, [kind]: { kind, address: controller, resolver } },
})

const TOKEN_PROBLEMS = {
  expired: 'registration_id is older than 24 hours; start again with prepare-commit.',
  unknown: 'registration_id is not valid; use the one prepare-commit returned, unchanged.',
} as const

/** Why a commitment cannot be used for registration now. Times are by the chain's clock. */
function commitmentProblem(
  madeAt: number,
  now: number,
  { minSeconds, maxSeconds }: CommitmentAges,
): string | undefined {
  if (madeAt === 0) {
    return 'The commitment is not on the chain: send the commit transaction and wait until it is confirmed.'
  }
  const left = madeAt + minSeconds - now
  if (left > 0) return `The commitment is too young: ${left} ${left === 1 ? 'second is' : 'seconds are'} left to wait.`
  if (madeAt + maxSeconds <= now) return 'The commitment is too old; start again with prepare-commit.'
  return undefined
}

const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
