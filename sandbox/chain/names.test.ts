import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { addEnsContracts } from '@ensdomains/ensjs'
import {
  getAvailable,
  getExpiry,
  getName,
  getOwner,
  getPrice,
  getRecords,
  getWrapperData,
} from '@ensdomains/ensjs/public'
import { createPublicClient, createWalletClient, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { mainnet } from 'viem/chains'
import { systemClock } from '../../src/kernel/clock.ts'
import { NEIGHBOUR, WALLET } from './accounts.ts'
import { SANDBOX_ADDRESSES, MAINNET } from './addresses.ts'
import { type Chain, startChain } from './start.ts'

const DAY = 86_400
const YEAR = 365 * DAY
const USD_PER_ETHER = 2345.67

const usd = (wei: bigint) => (Number(wei) / 1e18) * USD_PER_ETHER
const near = (value: number, wanted: number, share = 1e-4) =>
  assert.ok(Math.abs(value - wanted) <= wanted * share, `${value} is not near ${wanted}`)
const clientFor = (url: string) => createPublicClient({ chain: addEnsContracts(mainnet), transport: http(url) })

suite('the initial names on the chain of the sandbox', () => {
  let chain: Chain
  let client: ReturnType<typeof clientFor>

  before(async () => {
    chain = await startChain()
    client = clientFor(chain.url)
  })
  after(() => chain.stop())

  const walletOf = ({ privateKey }: typeof WALLET | typeof NEIGHBOUR) =>
    createWalletClient({ account: privateKeyToAccount(privateKey), chain: mainnet, transport: http(chain.url) })

  test('ensjs finds every name with its owner, expiry and availability', async () => {
    for (const { name, owner, expires, wrapped } of Object.values(chain.names)) {
      const expiry = await getExpiry(client, { name })
      assert.equal(expiry?.expiry.value, BigInt(expires), name)
      const days = (expires - systemClock.now() / 1000) / DAY
      assert.equal(expiry.status, days > 0 ? 'active' : days > -90 ? 'gracePeriod' : 'expired', name)
      const found = await getOwner(client, { name })
      assert.equal(found?.owner, owner, name)
      assert.equal(found.ownershipLevel, wrapped ? 'nameWrapper' : 'registrar', name)
      assert.equal(await getAvailable(client, { name }), days < -90, name)
    }
    const data = await getWrapperData(client, { name: 'wrapped.eth' })
    // In the wrapper a name expires when the grace period ends.
    assert.equal(data?.expiry?.value, BigInt(chain.names['wrapped.eth'].expires + 90 * DAY))
    assert.equal(await getAvailable(client, { name: 'unheard-of.eth' }), true)
    assert.equal(await getOwner(client, { name: 'unheard-of.eth' }), null)
  })

  test('ensjs and viem read the records of every name', async () => {
    for (const { name, records, resolver } of Object.values(chain.names)) {
      if (resolver !== MAINNET.resolver && resolver !== MAINNET.wrappedResolver) continue
      const texts = Object.entries(records.text ?? {}).map(([key, value]) => ({ key, value }))
      const found = await getRecords(client, {
        name,
        texts: [...texts.map(({ key }) => key), 'nobody.set.this'],
        coins: ['ETH'],
        contentHash: true,
      })
      assert.equal(found.resolverAddress, resolver)
      assert.deepEqual(found.texts, texts)
      assert.equal(found.coins[0]?.value, records.address)
      assert.equal(found.contentHash?.protocolType, records.contenthash && 'ipfs')
      assert.equal(await client.getEnsAddress({ name }), records.address ?? null)
    }
  })

  test('the wallet has a primary name, and a name that does not point back is no primary name', async () => {
    assert.equal(await client.getEnsName({ address: WALLET.address }), 'taken.eth')
    assert.deepEqual((await getName(client, { address: WALLET.address }))?.name, 'taken.eth')
    assert.equal(await client.getEnsName({ address: NEIGHBOUR.address }), null)
    await walletOf(NEIGHBOUR).writeContract({
      address: MAINNET.reverseRegistrar,
      abi: parseAbi(['function setName(string name)']),
      functionName: 'setName',
      args: ['taken.eth'],
    })
    // Setting a reverse record is not enough: the name must point back.
    await assert.rejects(client.getEnsName({ address: NEIGHBOUR.address, strict: true }), /ReverseAddressMismatch/)
  })

  test('the price of a name depends on its length', async () => {
    const prices = { abc: 640, abcd: 160, abcde: 5, 'a-much-longer-name': 5, ünï: 640, '👍👍👍👍': 160 }
    for (const [label, wanted] of Object.entries(prices)) {
      const { base, premium } = await getPrice(client, { nameOrNames: `${label}.eth`, duration: YEAR })
      near(usd(base), wanted, 1e-9)
      assert.equal(premium, 0n)
    }
  })

  test('an expired name has a premium that halves every day and ends after 21 days', async () => {
    const premiumOf = async (name: string) => (await getPrice(client, { nameOrNames: name, duration: YEAR })).premium
    const { timestamp } = await client.getBlock()
    const days = (Number(timestamp) - chain.names['premium.eth'].expires) / DAY - 90
    assert.ok(days >= 3.5 && days < 3.6)
    near(usd(await premiumOf('premium.eth')), 1e8 * 0.5 ** days - 1e8 * 0.5 ** 21)
    for (const name of ['lapsed.eth', 'grace.eth', 'taken.eth']) assert.equal(await premiumOf(name), 0n)

    const { abi, address } = {
      abi: parseAbi(['function decayedPremium(uint256 start, uint256 elapsed) view returns (uint256)']),
      address: SANDBOX_ADDRESSES.priceOracle,
    }
    const start = 100_000_000n * 10n ** 18n
    for (const elapsed of [0, 1, 43_200, 86_399, 86_400, 200_000, 1_000_000, 21 * DAY]) {
      const args = [start, BigInt(elapsed)] as const
      const left = await client.readContract({ abi, address, functionName: 'decayedPremium', args })
      near(Number(left) / 1e18, 1e8 * 0.5 ** (elapsed / DAY), 2e-5)
    }
  })

  test('a client that follows the resolver of offchain.eth sends a request to loopback', async (t) => {
    const fetched: string[] = []
    const trap = createServer((request, response) => {
      fetched.push(request.url ?? '')
      response.end()
    }).listen(0, '127.0.0.1')
    await once(trap, 'listening')
    t.after(() => trap.closeAllConnections())
    t.after(() => trap.close())
    await walletOf(WALLET).writeContract({
      address: SANDBOX_ADDRESSES.offchainResolver,
      abi: parseAbi(['function setUrl(string url)']),
      functionName: 'setUrl',
      args: [`http://127.0.0.1:${(trap.address() as AddressInfo).port}/{sender}/{data}`],
    })
    const strict = { name: 'offchain.eth', strict: true }
    const careful = createPublicClient({ chain: mainnet, transport: http(chain.url), ccipRead: false })
    await assert.rejects(careful.getEnsAddress(strict), /0x556f1830/)
    assert.deepEqual(fetched, [])
    await assert.rejects(client.getEnsAddress(strict))
    assert.equal(fetched.length, 1)
  })
})
