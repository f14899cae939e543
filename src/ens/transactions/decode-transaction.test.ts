import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeFunctionData } from 'viem/utils'
import { resolverAbi } from '../chain/abi.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { Call } from '../chain/chain.ts'
import {
  commitCall,
  computeCommitment,
  registerCall,
  createRegistration,
  renewCall,
  type RegistrationRequest,
} from './commitment.ts'
import { MAINNET } from '../chain/deployments.ts'
import { decodeTransaction } from './decode-transaction.ts'
import { formatDuration } from './format-duration.ts'
import type { EnsName } from '../contract/names.ts'
import { nodeOf } from '../chain/namehash.ts'
import { parseRecordChanges, updateCall } from './record-changes.ts'

const NAME = 'example' as EnsName
const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const CONTENT: Hex = `0xe30101701220${'11'.repeat(32)}`
const { '2025': current, '2023': wrapping } = MAINNET.controllers

const request: RegistrationRequest = {
  label: NAME,
  owner: OWNER,
  durationSeconds: 63_072_000,
  secret: `0x${'2b'.repeat(32)}`,
  reverseRecord: true,
}
const decode = (call: Call, value = 0n, name?: EnsName) => decodeTransaction(MAINNET, { ...call, value }, name)

test('a commit shows only its commitment', () => {
  const registration = createRegistration(request, current)
  assert.deepEqual(decode(commitCall(registration)), {
    function: 'commit',
    contract: 'ETH registrar controller of 2025',
    summary: 'Commits to a registration without revealing the name.',
    arguments: { commitment: computeCommitment(registration) },
  })
})

test('a registration shows name, owner, duration, records, reverse record and value', () => {
  assert.deepEqual(decode(registerCall(createRegistration(request, current)), 11n * 10n ** 15n), {
    function: 'register',
    contract: 'ETH registrar controller of 2025',
    summary: `Registers example.eth for ${OWNER}, for 2 years (63072000 seconds).`,
    arguments: {
      label: '"example"',
      owner: OWNER,
      duration: '2 years (63072000 seconds)',
      secret: request.secret,
      resolver: current.resolver,
      'data[0]': `set the ETH address of example.eth to ${OWNER}`,
      reverseRecord: 'makes example.eth the primary name of the sender on Ethereum',
      referrer: 'none',
      value: '0.011 ether (11000000000000000 wei)',
    },
  })
})

test('calls of the 2023 controller are decoded by its own ABI', () => {
  const decoded = decode(registerCall(createRegistration({ ...request, reverseRecord: false }, wrapping)))
  assert.equal(decoded.contract, 'ETH registrar controller of 2023')
  assert.deepEqual(
    [decoded.arguments['data'], decoded.arguments['reverseRecord'], decoded.arguments['ownerControlledFuses']],
    ['none', 'none', 'none'],
  )
  assert.equal(
    decode(renewCall(wrapping, NAME, 31_536_000)).summary,
    'Renews example.eth for another 1 year (31536000 seconds), for its current owner.',
  )
  assert.equal(decode(renewCall(current, NAME, 31_536_000)).arguments['referrer'], 'none')
})

test('the description follows the bytes, not the request', () => {
  const registration = createRegistration(request, current)
  const stranger = createRegistration({ ...request, label: 'another' as EnsName, owner: MAINNET.wrapper }, current)
  const decoded = decode(registerCall({ ...registration, data: stranger.data }))
  assert.equal(
    decoded.arguments['data[0]'],
    `set the ETH address of the name with the hash ${nodeOf('another' as EnsName)} to ${MAINNET.wrapper}`,
  )
  const misdirected = decode({ ...registerCall(registration), to: wrapping.address })
  assert.match(misdirected.summary, /does not know/)
})

test('each record of an update is described', () => {
  const reading = parseRecordChanges({
    addresses: { ETH: '' },
    text: { url: 'https://example.com', email: '' },
    contenthash: CONTENT,
  })
  assert.ok(reading.ok)
  const call = updateCall(current.resolver, NAME, reading.changes)
  const content = 'ipfs://bafybeiarceirceirceirceirceirceirceirceirceirceirceirceirce'
  assert.deepEqual(decode(call, 0n, NAME), {
    function: 'multicall',
    contract: 'ENS public resolver',
    summary: 'Changes 4 records of example.eth at once.',
    arguments: {
      'data[0]': `set the content hash of example.eth to ${content} (${CONTENT})`,
      'data[1]': 'set the text url of example.eth to "https://example.com"',
      'data[2]': 'clear the text email of example.eth',
      'data[3]': 'clear the ETH address of example.eth',
    },
  })
  const elsewhere = decode({ ...call, to: OWNER }, 0n, 'another' as EnsName)
  assert.equal(elsewhere.contract, `Resolver set by the owner, at ${OWNER}`)
  assert.equal(elsewhere.summary, 'Changes 4 records at once.', 'they are not of the name that was asked for')
  assert.match(elsewhere.arguments['data[2]'] ?? '', /the name with the hash 0x/)
})

test('a single change, an older setAddr and an unknown call are described as such', () => {
  const node = nodeOf(NAME)
  const older = encodeFunctionData({ abi: resolverAbi, functionName: 'setAddr', args: [node, OWNER] })
  assert.deepEqual(decode({ to: current.resolver, data: older }, 0n, NAME).arguments, {
    record: `set the ETH address of example.eth to ${OWNER}`,
  })
  const bitcoin = encodeFunctionData({ abi: resolverAbi, functionName: 'setAddr', args: [node, 0n, '0x1234'] })
  const inside = encodeFunctionData({ abi: resolverAbi, functionName: 'multicall', args: [[bitcoin, '0xdeadbeef']] })
  assert.deepEqual(decode({ to: current.resolver, data: inside }, 0n, NAME).arguments, {
    'data[0]': 'set the address for coin 0 of example.eth to 0x1234',
    'data[1]': 'call a function this service does not know: 0xdeadbeef',
  })
  for (const to of [current.address, wrapping.address, current.resolver, MAINNET.wrapper])
    assert.deepEqual(decode({ to, data: '0xdeadbeef' }), {
      function: '0xdeadbeef',
      contract: decode({ to, data: '0x' }).contract,
      summary: 'Calls a function this service does not know. Do not sign it unless you know what it does.',
      arguments: { data: '0xdeadbeef' },
    })
})

test('call data with extra bytes is not decoded', () => {
  const { to, data } = renewCall(current, NAME, 31_536_000)
  assert.match(decode({ to, data: `${data}00` }).summary, /does not know/)
})

test('any bytes can be described', () => {
  const known = [
    commitCall(createRegistration(request, current)),
    registerCall(createRegistration(request, current)),
    registerCall(createRegistration(request, wrapping)),
    renewCall(current, NAME, 1),
  ]
  fc.assert(
    fc.property(fc.constantFrom(...known), fc.nat(600), fc.uint8Array({ maxLength: 40 }), ({ to, data }, cut, tail) => {
      const changed: Hex = `0x${data.slice(2, 2 + cut * 2)}${Buffer.from(tail).toString('hex')}`
      const decoded = decode({ to, data: changed }, 1n)
      for (const text of [decoded.function, decoded.summary, ...Object.values(decoded.arguments)]) {
        assert.equal(typeof text, 'string')
      }
    }),
    { numRuns: 500 },
  )
})

test('a duration is given in the largest unit that divides it, and in seconds', () => {
  const rows: [bigint, string][] = [
    [0n, '0 seconds'],
    [1n, '1 second'],
    [86_400n, '1 day (86400 seconds)'],
    [2_419_200n, '28 days (2419200 seconds)'],
    [31_536_000n, '1 year (31536000 seconds)'],
    [3_153_600_000n, '100 years (3153600000 seconds)'],
    [31_536_001n, '31536001 seconds'],
  ]
  for (const [seconds, words] of rows) assert.equal(formatDuration(seconds), words)
})
