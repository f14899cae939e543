import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createPublicClient, http, namehash, parseAbi, toHex } from 'viem'
import { mainnet } from 'viem/chains'
import { packetToBytes } from 'viem/ens'
import { ADMIN } from './accounts.ts'
import { SANDBOX_ADDRESSES, MAINNET } from './addresses.ts'
import { type Chain, startChain } from './start.ts'

const clientFor = (url: string) => createPublicClient({ chain: mainnet, transport: http(url) })

suite('ENS on the chain of the sandbox', () => {
  let chain: Chain
  let client: ReturnType<typeof clientFor>

  before(async () => {
    chain = await startChain()
    client = clientFor(chain.url)
  })
  after(() => chain.stop())

  test('every contract is at its address and connected with the others', async () => {
    for (const address of [...Object.values(MAINNET), ...Object.values(SANDBOX_ADDRESSES)]) {
      const code = await client.getCode({ address })
      assert.ok((code ?? '0x').length > 200, `nothing at ${address}`)
    }
    const view = async (address: `0x${string}`, signature: string, args: readonly unknown[] = []) =>
      client.readContract({ address, abi: parseAbi([signature]), functionName: /(\w+)\(/.exec(signature)![1]!, args })
    const address = (name: string) => `function ${name}() view returns (address)`
    const owner = 'function owner(bytes32) view returns (address)'
    const controllers = 'function controllers(address) view returns (bool)'
    const { registry, registrar, nameWrapper, reverseRegistrar, controller, wrappedController } = MAINNET

    assert.equal(await view(registry, owner, [namehash('eth')]), registrar)
    assert.equal(await view(registry, owner, [namehash('addr.reverse')]), reverseRegistrar)
    for (const trusted of [controller, wrappedController, nameWrapper]) {
      assert.equal(await view(registrar, controllers, [trusted]), true, `the registrar distrusts ${trusted}`)
    }
    assert.equal(await view(nameWrapper, controllers, [wrappedController]), true)
    assert.equal(await view(nameWrapper, controllers, [controller]), false)
    for (const trusted of [controller, wrappedController]) {
      assert.equal(await view(reverseRegistrar, controllers, [trusted]), true)
    }
    assert.equal(await view(reverseRegistrar, address('defaultResolver')), MAINNET.resolver)
    for (const from of [controller, wrappedController]) {
      const prices = (await view(from, address('prices'))) as `0x${string}`
      assert.equal(await view(prices, address('usdOracle')), MAINNET.ethUsdFeed)
      assert.equal(await view(from, 'function minCommitmentAge() view returns (uint256)'), 60n)
      assert.equal(await view(from, 'function maxCommitmentAge() view returns (uint256)'), 86_400n)
    }
    assert.equal(await view(MAINNET.ethUsdFeed, 'function latestAnswer() view returns (int256)'), 234_567_000_000n)
    assert.equal(await view(registrar, address('owner')), ADMIN.address)
    assert.equal(
      await view(MAINNET.multicall, 'function getBlockNumber() view returns (uint256)'),
      await client.getBlockNumber(),
    )
  })

  test('the Universal Resolver reverts with the errors of the real one', async () => {
    const abi = parseAbi([
      'function resolve(bytes name, bytes data) view returns (bytes, address)',
      'error ResolverNotFound(bytes name)',
      'error UnsupportedResolverProfile(bytes4 selector)',
      'error DNSDecodingFailed(bytes dns)',
    ])
    const resolve = (name: `0x${string}`, data: `0x${string}`) =>
      client.readContract({ address: MAINNET.universalResolver, abi, functionName: 'resolve', args: [name, data] })
    const reverts = (call: Promise<unknown>, errorName: string) =>
      assert.rejects(call, ({ cause }: Error & { cause: { data?: { errorName: string } } }) => {
        assert.equal(cause.data?.errorName, errorName)
        return true
      })
    const dns = (name: string) => toHex(packetToBytes(name))
    await reverts(resolve(dns('bare.eth'), '0x3b3b57de'), 'ResolverNotFound')
    await reverts(resolve(dns('below.taken.eth'), '0x3b3b57de'), 'ResolverNotFound')
    await reverts(resolve(dns('taken.eth'), '0x12345678'), 'UnsupportedResolverProfile')
    await reverts(resolve('0x05746164', '0x3b3b57de'), 'DNSDecodingFailed')
  })
})
