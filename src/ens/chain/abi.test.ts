import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as ensjs from '@ensdomains/ensjs/contracts'
import type { Abi } from 'viem'
import { toFunctionSelector, toFunctionSignature } from 'viem/utils'
import * as ours from './abi.ts'
import { MAINNET } from './deployments.ts'

type AbiItem = Abi[number]

/** Selector and signature of everything in an ABI that has one. Errors have selectors like functions. */
const selectorsOf = (abi: readonly AbiItem[]) =>
  abi
    .filter((item) => item.type === 'function' || item.type === 'error')
    .map((item) => {
      const signature = toFunctionSignature({ ...item, type: 'function', outputs: [], stateMutability: 'view' })
      return `${item.type} ${toFunctionSelector(signature)} ${signature}`
    })

const all = new Set(Object.values(ours).flatMap((abi) => selectorsOf(abi as readonly AbiItem[])))

test('every function and error that ensjs has is here with the same selector', () => {
  const snippets = [
    ensjs.ethRegistrarControllerErrors,
    ensjs.ethRegistrarControllerCommitSnippet,
    ensjs.ethRegistrarControllerCommitmentsSnippet,
    ensjs.ethRegistrarControllerRegisterSnippet,
    ensjs.ethRegistrarControllerRenewSnippet,
    ensjs.ethRegistrarControllerRentPriceSnippet,
    ensjs.legacyEthRegistrarControllerRenewSnippet,
    ensjs.registryOwnerSnippet,
    ensjs.registryResolverSnippet,
    ensjs.baseRegistrarNameExpiresSnippet,
    ensjs.baseRegistrarOwnerOfSnippet,
    ensjs.nameWrapperErrors,
    ensjs.nameWrapperOwnerOfSnippet,
    ensjs.nameWrapperGetDataSnippet,
    ensjs.publicResolverSingleAddrSnippet,
    ensjs.publicResolverMultiAddrSnippet,
    ensjs.publicResolverTextSnippet,
    ensjs.publicResolverContenthashSnippet,
    ensjs.publicResolverSetAddrSnippet,
    ensjs.publicResolverSetTextSnippet,
    ensjs.publicResolverSetContenthashSnippet,
    ensjs.publicResolverMulticallSnippet,
    ensjs.universalResolverErrors,
    ensjs.universalResolverResolveSnippet,
  ]
  const theirs = new Set(snippets.flatMap((snippet) => selectorsOf(snippet as readonly AbiItem[])))
  assert.ok(theirs.size > 50, `only ${theirs.size} selectors were compared`)
  assert.deepEqual([...theirs].filter((selector) => !all.has(selector)).toSorted(), [])
})

test('selectors that ensjs lacks are those of the deployed contracts', () => {
  const known: [string, string][] = [
    ['0x74694a2b', 'register(string,address,uint256,bytes32,address,bytes[],bool,uint16)'],
    ['0xacf1a841', 'renew(string,uint256)'],
    ['0x65a69dcf', 'makeCommitment(string,address,uint256,bytes32,address,bytes[],bool,uint16)'],
    ['0x8d839ffe', 'minCommitmentAge()'],
    ['0xce1e09c0', 'maxCommitmentAge()'],
    ['0xd3419bf3', 'prices()'],
    ['0xaeb8ce9b', 'available(string)'],
    ['0xda8c229e', 'controllers(address)'],
    ['0x50d25bcd', 'latestAnswer()'],
    ['0xd5fa2b00', 'setAddr(bytes32,address)'],
  ]
  for (const [selector, signature] of known) assert.ok(all.has(`function ${selector} ${signature}`), signature)
})

test('mainnet addresses are those of ensjs', () => {
  const theirs = ensjs.addresses[1]
  assert.deepEqual(
    [MAINNET.registry, MAINNET.registrar, MAINNET.wrapper, MAINNET.universalResolver, MAINNET.reverseRegistrar],
    [
      theirs.ensRegistry.address,
      theirs.ensBaseRegistrarImplementation.address,
      theirs.ensNameWrapper.address,
      theirs.ensUniversalResolver.address,
      theirs.ensReverseRegistrar.address,
    ],
  )
  const { '2025': current, '2023': wrapping } = MAINNET.controllers
  assert.deepEqual(
    [current.address, current.resolver, wrapping.address, wrapping.resolver],
    [
      theirs.ensEthRegistrarController.address,
      theirs.ensPublicResolver.address,
      theirs.wrappedEthRegistrarController.address,
      theirs.wrappedPublicResolver.address,
    ],
  )
})
