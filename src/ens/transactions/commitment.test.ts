import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addEnsContracts } from '@ensdomains/ensjs'
import { commitName, registerName, renewNames } from '@ensdomains/ensjs/wallet'
import fc from 'fast-check'
import { createWalletClient, custom, namehash } from 'viem'
import { mainnet } from 'viem/chains'
import { decodeFunctionData, encodeAbiParameters, getAddress, keccak256, parseAbiParameters, toBytes } from 'viem/utils'
import { controller2023Abi } from '../chain/abi.ts'
import type { Hex } from '../../kernel/hex.ts'
import {
  commitCall,
  computeCommitment,
  registerCall,
  createRegistration,
  renewCall,
  type RegistrationRequest,
} from './commitment.ts'
import { MAINNET } from '../chain/deployments.ts'
import { type EnsName, parseEnsName } from '../contract/names.ts'
import { nodeOf } from '../chain/namehash.ts'

/** ensjs only encodes calls here and never connects. */
const wallet = createWalletClient({
  chain: addEnsContracts(mainnet),
  account: MAINNET.registry,
  transport: custom({ request: () => Promise.reject(new Error('nothing may be asked')) }),
})

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each): Hex => `0x${Buffer.from(each).toString('hex')}`)
const label = fc
  .stringMatching(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/)
  .filter((text) => parseEnsName(text).ok)
  .map((text) => text as EnsName)
const request: fc.Arbitrary<RegistrationRequest> = fc.record({
  label,
  // A checksummed address has capitals, which must not reach the encoded bytes.
  owner: hex(20).map((address) => getAddress(address)),
  durationSeconds: fc.integer({ min: 2_419_200, max: 3_153_600_000 }),
  secret: hex(32),
  reverseRecord: fc.boolean(),
})

const theirs = ({ label, owner, durationSeconds, secret, reverseRecord }: RegistrationRequest) => ({
  name: `${label}.eth`,
  owner,
  duration: durationSeconds,
  secret,
  resolverAddress: MAINNET.controllers['2025'].resolver,
  // A new array each time: ensjs appends to the one it is given.
  records: { coins: [], texts: [] },
  ...(reverseRecord && { reverseRecord: 1 as const }),
})

test('commit, register and renew are byte for byte those of ensjs', () => {
  fc.assert(
    fc.property(request, (request) => {
      const registration = createRegistration(request, MAINNET.controllers['2025'])
      const commit = commitName.makeFunctionData(wallet, theirs(request))
      const register = registerName.makeFunctionData(wallet, { ...theirs(request), value: 0n })
      const renew = renewNames.makeFunctionData(wallet, {
        nameOrNames: `${request.label}.eth`,
        duration: request.durationSeconds,
        value: 0n,
      })
      assert.deepEqual(commitCall(registration), { to: commit.to, data: commit.data })
      assert.deepEqual(registerCall(registration), { to: register.to, data: register.data })
      const ours = renewCall(MAINNET.controllers['2025'], request.label, request.durationSeconds)
      assert.deepEqual(ours, { to: renew.to, data: renew.data })
    }),
    { numRuns: 200 },
  )
})

test('the 2023 controller gets its eight arguments and the commitment it computes itself', () => {
  const types = parseAbiParameters('bytes32, address, uint256, bytes32, address, bytes[], bool, uint16')
  fc.assert(
    fc.property(request, (request) => {
      const controller = MAINNET.controllers['2023']
      const registration = createRegistration(request, controller)
      const { to, data } = registerCall(registration)
      const { args } = decodeFunctionData({ abi: controller2023Abi, data })
      const [name, ...rest] = args as [string, Hex, bigint, Hex, Hex, readonly Hex[], boolean, number]
      assert.equal(to, controller.address)
      assert.deepEqual(
        [name, ...rest],
        [
          request.label,
          request.owner,
          BigInt(request.durationSeconds),
          request.secret,
          controller.resolver,
          registration.data,
          request.reverseRecord,
          0,
        ],
      )
      assert.equal(
        computeCommitment(registration),
        keccak256(encodeAbiParameters(types, [keccak256(toBytes(name)), ...rest])),
      )
      assert.equal(renewCall(controller, request.label, 1).data.slice(0, 10), '0xacf1a841')
    }),
    { numRuns: 100 },
  )
})

test('the case an address is written in does not change the commitment', () => {
  fc.assert(
    fc.property(request, fc.constantFrom(...Object.values(MAINNET.controllers)), (request, controller) => {
      const lower = { ...request, owner: request.owner.toLowerCase() as Hex }
      assert.equal(
        computeCommitment(createRegistration(request, controller)),
        computeCommitment(createRegistration(lower, controller)),
      )
    }),
    { numRuns: 50 },
  )
})

test('every part of a registration is part of its commitment', () => {
  const base: RegistrationRequest = {
    label: 'example' as EnsName,
    owner: MAINNET.registry,
    durationSeconds: 31_536_000,
    secret: `0x${'2b'.repeat(32)}`,
    reverseRecord: true,
  }
  const others: Partial<RegistrationRequest>[] = [
    { label: 'another' as EnsName },
    { owner: MAINNET.wrapper },
    { durationSeconds: 31_536_001 },
    { secret: `0x${'2c'.repeat(32)}` },
    { reverseRecord: false },
  ]
  for (const controller of Object.values(MAINNET.controllers)) {
    const commitments = [base, ...others.map((other) => ({ ...base, ...other }))].map((request) =>
      computeCommitment(createRegistration(request, controller)),
    )
    commitments.push(computeCommitment(createRegistration(base, { ...controller, resolver: MAINNET.wrapper })))
    assert.equal(new Set(commitments).size, others.length + 2)
  }
})

test('nodeOf equals the namehash of viem', () => {
  fc.assert(
    fc.property(label, (label) => assert.equal(nodeOf(label), namehash(`${label}.eth`))),
    { numRuns: 50 },
  )
})
