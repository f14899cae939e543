import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { addEnsContracts } from '@ensdomains/ensjs'
import { getExpiry, getOwner, getPrice, getWrapperData } from '@ensdomains/ensjs/public'
import { commitName, registerName, renewNames } from '@ensdomains/ensjs/wallet'
import {
  type Account,
  type BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  namehash,
  parseAbi,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { mainnet } from 'viem/chains'
import { NEIGHBOUR, WALLET } from './accounts.ts'
import { MAINNET } from './addresses.ts'
import { type Chain, startChain } from './start.ts'

const DAY = 86_400
const YEAR = 365 * DAY
const { resolver, controller, wrappedController } = MAINNET
const ensMainnet = addEnsContracts(mainnet)
const wallet = privateKeyToAccount(WALLET.privateKey)
const neighbour = privateKeyToAccount(NEIGHBOUR.privateKey)
/** Bit flags: 1 for Ethereum, 2 for all chains without their own primary name. */
const BOTH_REVERSE_RECORDS = 3
const secret: Hex = `0x${'5e'.repeat(32)}`

const CONTROLLER = parseAbi([
  'struct Registration { string label; address owner; uint256 duration; bytes32 secret; address resolver; bytes[] data; uint8 reverseRecord; bytes32 referrer; }',
  'function makeCommitment(Registration registration) pure returns (bytes32)',
  'function commit(bytes32 commitment)',
  'function register(Registration registration) payable',
  'error CommitmentNotFound(bytes32 commitment)',
  'error CommitmentTooNew(bytes32 commitment, uint256 minimum, uint256 current)',
  'error CommitmentTooOld(bytes32 commitment, uint256 maximum, uint256 current)',
  'error DurationTooShort(uint256 duration)',
  'error InsufficientValue()',
  'error NameNotAvailable(string name)',
  'error ResolverRequiredForReverseRecord()',
  'error ResolverRequiredWhenDataSupplied()',
  'error UnexpiredCommitmentExists(bytes32 commitment)',
])

type Registration = {
  readonly label: string
  readonly owner: Hex
  readonly duration: bigint
  readonly secret: Hex
  readonly resolver: Hex
  readonly data: readonly Hex[]
  readonly reverseRecord: number
  readonly referrer: Hex
}

const registrationOf = (label: string): Registration => ({
  label,
  owner: WALLET.address,
  duration: BigInt(YEAR),
  secret,
  resolver,
  data: [],
  reverseRecord: 0,
  referrer: zeroHash,
})

const clientFor = (url: string) => createPublicClient({ chain: ensMainnet, transport: http(url) })

suite('registering on the chain of the sandbox', () => {
  let chain: Chain
  let client: ReturnType<typeof clientFor>
  let snapshot: unknown

  before(async () => {
    chain = await startChain()
    client = clientFor(chain.url)
    snapshot = await chain.rpc('evm_snapshot')
  })
  beforeEach(async () => {
    await chain.rpc('evm_revert', [snapshot])
    snapshot = await chain.rpc('evm_snapshot')
  })
  after(() => chain.stop())

  const walletOf = (account: Account) => createWalletClient({ account, chain: ensMainnet, transport: http(chain.url) })
  const onController = { address: controller, abi: CONTROLLER } as const
  const commitmentOf = (wanted: Registration) =>
    client.readContract({ ...onController, functionName: 'makeCommitment', args: [wanted] })
  const commit = async (wanted: Registration) => {
    const args = [await commitmentOf(wanted)] as const
    await receiptOf(await walletOf(wallet).writeContract({ ...onController, functionName: 'commit', args }))
  }
  /** Simulates the registration without sending it. */
  const tryToRegister = (wanted: Registration, value = 10n ** 18n) =>
    client.simulateContract({ ...onController, account: wallet, functionName: 'register', args: [wanted], value })
  const reverts = (tried: Promise<unknown>, errorName: string) =>
    assert.rejects(tried, (error: BaseError) => {
      const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
      assert.equal((reverted as ContractFunctionRevertedError | null)?.data?.errorName, errorName, error.message)
      return true
    })
  const receiptOf = async (hash: Hex) => {
    const receipt = await client.getTransactionReceipt({ hash })
    assert.equal(receipt.status, 'success')
    return receipt
  }

  test('ensjs can register a name, and the controller refunds the excess', async () => {
    const params = {
      name: 'brand-new.eth',
      owner: WALLET.address,
      duration: YEAR,
      secret,
      resolverAddress: resolver,
      records: {
        coins: [{ coin: 'ETH', value: WALLET.address }],
        texts: [{ key: 'url', value: 'https://new.example' }],
      },
      reverseRecord: BOTH_REVERSE_RECORDS,
    }
    const fundsBefore = await client.getBalance({ address: controller })
    await receiptOf(await commitName(walletOf(wallet), params))
    await chain.increaseTime(60)
    const { base, premium } = await getPrice(client, { nameOrNames: params.name, duration: YEAR })
    assert.equal(premium, 0n)
    const before = await client.getBalance(wallet)
    const value = (base * 110n) / 100n
    const { gasUsed, effectiveGasPrice } = await receiptOf(await registerName(walletOf(wallet), { ...params, value }))
    assert.equal(before - (await client.getBalance(wallet)), base + gasUsed * effectiveGasPrice)
    assert.equal(await client.getBalance({ address: controller }), fundsBefore + base)

    assert.equal((await getOwner(client, { name: params.name }))?.owner, WALLET.address)
    assert.equal(await client.getEnsAddress({ name: params.name }), WALLET.address)
    assert.equal(await client.getEnsText({ name: params.name, key: 'url' }), 'https://new.example')
    assert.equal(await client.getEnsName(wallet), params.name)
    const onAllChains = await client.readContract({
      address: MAINNET.defaultReverseRegistrar,
      abi: parseAbi(['function nameForAddr(address) view returns (string)']),
      functionName: 'nameForAddr',
      args: [WALLET.address],
    })
    assert.equal(onAllChains, params.name)
  })

  test('a commitment is valid after one minute, for one day', async () => {
    const wanted = registrationOf('commitment')
    await reverts(tryToRegister(wanted), 'CommitmentNotFound')
    await commit(wanted)
    await reverts(tryToRegister(wanted), 'CommitmentTooNew')
    await reverts(commit(wanted), 'UnexpiredCommitmentExists')
    await chain.increaseTime(60)
    await tryToRegister(wanted)
    await chain.increaseTime(DAY)
    await reverts(tryToRegister(wanted), 'CommitmentTooOld')
  })

  test('an invalid registration reverts with the right error', async () => {
    for (const label of ['taken', 'wrapped', 'grace', 'ab']) {
      await reverts(tryToRegister(registrationOf(label)), 'NameNotAvailable')
    }
    const wanted = registrationOf('reasons')
    await reverts(tryToRegister(wanted, 1n), 'InsufficientValue')
    await reverts(commitmentOf({ ...wanted, duration: 28n * 86_400n - 1n }), 'DurationTooShort')
    await reverts(
      commitmentOf({ ...wanted, resolver: zeroAddress, reverseRecord: 1 }),
      'ResolverRequiredForReverseRecord',
    )
    const data = ['0x12345678'] as const
    await reverts(commitmentOf({ ...wanted, resolver: zeroAddress, data }), 'ResolverRequiredWhenDataSupplied')
  })

  test('a renewal extends the old expiry, also in the grace period, and has no premium', async () => {
    const { base } = await getPrice(client, { nameOrNames: 'grace.eth', duration: YEAR })
    const before = await client.getBalance(neighbour)
    // Any account may renew a name.
    const hash = await renewNames(walletOf(neighbour), { nameOrNames: 'grace.eth', duration: YEAR, value: base * 2n })
    const { gasUsed, effectiveGasPrice } = await receiptOf(hash)
    assert.equal(before - (await client.getBalance(neighbour)), base + gasUsed * effectiveGasPrice)
    const expiry = await getExpiry(client, { name: 'grace.eth' })
    assert.equal(expiry?.expiry.value, BigInt(chain.names['grace.eth'].expires + YEAR))
    assert.equal(expiry.status, 'active')
  })

  test('only the controller of 2023 also extends a name in the NameWrapper', async () => {
    const wrapperExpiry = async () => (await getWrapperData(client, { name: 'wrapped.eth' }))?.expiry?.value
    const old = await wrapperExpiry()
    const renew = (abi: ReturnType<typeof parseAbi>, to: Hex, more: readonly unknown[]) =>
      walletOf(wallet).sendTransaction({
        to,
        value: 10n ** 18n,
        data: encodeFunctionData({ abi, functionName: 'renew', args: ['wrapped', BigInt(YEAR), ...more] }),
      })
    await receiptOf(await renew(parseAbi(['function renew(string, uint256, bytes32) payable']), controller, [zeroHash]))
    assert.equal(await wrapperExpiry(), old)
    await receiptOf(await renew(parseAbi(['function renew(string, uint256) payable']), wrappedController, []))
    const { expires } = chain.names['wrapped.eth']
    assert.equal(await wrapperExpiry(), BigInt(expires + 2 * YEAR + 90 * DAY))
  })

  test('an expired name becomes available after the grace period, and costs its premium', async () => {
    const wanted = registrationOf('vault')
    await chain.increaseTime(901 * DAY)
    assert.equal((await getExpiry(client, { name: 'vault.eth' }))?.status, 'gracePeriod')
    await reverts(tryToRegister(wanted), 'NameNotAvailable')
    await chain.increaseTime(89 * DAY + 15 * DAY)
    await commit(wanted)
    await chain.increaseTime(60)
    const { base, premium } = await getPrice(client, { nameOrNames: 'vault.eth', duration: YEAR })
    assert.ok(premium > 100n * base)
    await reverts(tryToRegister(wanted, base), 'InsufficientValue')
    const paid = { functionName: 'register', args: [wanted], value: base + premium } as const
    await receiptOf(await walletOf(wallet).writeContract({ ...onController, ...paid }))
    assert.equal((await getOwner(client, { name: 'vault.eth' }))?.owner, WALLET.address)
    // The records of the previous owner stay until the new owner changes them.
    const records = parseAbi(['function addr(bytes32) view returns (address)'])
    const args = [namehash('vault.eth')] as const
    assert.equal(
      await client.readContract({ address: resolver, abi: records, functionName: 'addr', args }),
      NEIGHBOUR.address,
    )
  })
})
