import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { addEnsContracts } from '@ensdomains/ensjs'
import { getWrapperData } from '@ensdomains/ensjs/public'
import { registerName, renewNames } from '@ensdomains/ensjs/wallet'
import { createPublicClient, createWalletClient, formatEther, type Hex, http, numberToHex } from 'viem'
import { mainnet } from 'viem/chains'
import type { z } from 'zod'
import { NEIGHBOUR, WALLET } from '../../sandbox/chain/accounts.ts'
import { MAINNET } from '../../sandbox/chain/addresses.ts'
import { type Chain, startChain } from '../../sandbox/chain/start.ts'
import { checkEns, ensMetadata, ensTransactionStatus } from '../../src/ens/contract/lookups.ts'
import { ensExpiry, ensRecords, prepareEnsRenewal, prepareEnsUpdate } from '../../src/ens/contract/management.ts'
import {
  checkEnsRegistration,
  ensPremium,
  prepareEnsCommit,
  prepareEnsRegister,
} from '../../src/ens/contract/registration.ts'
import type { UnsignedTransaction } from '../../src/ens/contract/shapes.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { type Ens, startEns, throwAwayFolder, type Wallet, walletOf } from '../support/ens.ts'

const DAY = 86_400
const YEAR = 365 * DAY
const IPFS = '0xe3010170122029f2d17be6139079dc48696d1f582a8530eb9805b561eda517e22a892c7e3f1f'
const ensMainnet = addEnsContracts(mainnet)

type Transaction = z.output<typeof UnsignedTransaction>

suite('the life of an ENS name, by HTTP and a wallet, on a real chain', () => {
  const clock = manualClock(Date.UTC(2026, 10, 15, 12))
  let folder: ReturnType<typeof throwAwayFolder>
  let chain: Chain
  let ens: Ens
  let alice: Wallet
  let bob: Wallet
  let snapshot: unknown

  before(async () => {
    folder = throwAwayFolder()
    chain = await startChain({ clock })
    ens = await startEns({ settings: { ...chain.settings, ...folder.settings }, clock })
    alice = walletOf(WALLET.privateKey, chain.url)
    bob = walletOf(NEIGHBOUR.privateKey, chain.url)
    snapshot = await chain.rpc('evm_snapshot')
  })
  beforeEach(async () => {
    await chain.rpc('evm_revert', [snapshot])
    snapshot = await chain.rpc('evm_snapshot')
    // What the service still knew of the chain that is gone.
    clock.advance(60_001)
  })
  after(async () => {
    await ens.stop()
    await chain.stop()
    folder.remove()
  })

  const client = () => createPublicClient({ chain: ensMainnet, transport: http(chain.url) })
  const balanceOf = (address: Hex) => client().getBalance({ address })
  const statusOf = (hash: string) => ens.ask(ensTransactionStatus, { hash })

  /** The next block, at a moment that does not depend on how long the test takes. */
  const mineAt = async (seconds: number) => {
    await chain.rpc('evm_setNextBlockTimestamp', [numberToHex(seconds)])
    await chain.mine()
  }
  const chainTime = async () => Number((await client().getBlock()).timestamp)

  /** Sends it, and sees that it is mined with the gas the node foresaw and a fifth more, which is enough. */
  const carryOut = async (wallet: Wallet, transaction: Transaction) => {
    const { to, data, value, gas_estimate, gas_source } = transaction
    const call = { to: to as Hex, data: data as Hex, value: BigInt(value), account: wallet.address }
    const foreseen = Number(await client().estimateGas(call))
    assert.equal(gas_source, 'node')
    assert.ok(gas_estimate >= foreseen * 1.15 && gas_estimate <= foreseen * 1.25, `${gas_estimate} for ${foreseen}`)
    const before = await balanceOf(wallet.address)
    const { status, gas_used, effective_gas_price } = await statusOf(await wallet.send(transaction))
    assert.equal(status, 'confirmed')
    assert.ok(gas_used! <= gas_estimate)
    /** Without what the gas cost. */
    return { paid: before - (await balanceOf(wallet.address)) - BigInt(gas_used!) * BigInt(effective_gas_price!) }
  }

  const commit = async (name: string, wallet: Wallet, more: { set_reverse_record?: boolean } = {}) => {
    const prepared = await ens.ask(prepareEnsCommit, { name, owner: wallet.address, duration_years: 2, ...more })
    await carryOut(wallet, prepared.transaction)
    return prepared
  }

  const register = async (name: string, wallet: Wallet, more: { set_reverse_record?: boolean } = {}) => {
    const { registration_id } = await commit(name, wallet, more)
    await chain.increaseTime(60)
    const prepared = await ens.ask(prepareEnsRegister, { registration_id })
    return { ...prepared, ...(await carryOut(wallet, prepared.transaction)) }
  }

  const metadataOf = async (name: string) => {
    const metadata = await ens.ask(ensMetadata, { name, refresh: true })
    assert.ok(!('results' in metadata))
    return metadata
  }

  test('a free name is registered for who asked, and every wei above the price comes back', async () => {
    const free = await ens.ask(checkEns, { name: 'brand-new' })
    const { available, rent_price, commit_wait } = await ens.ask(checkEnsRegistration, {
      name: 'brand-new',
      duration_years: 2,
    })
    assert.deepEqual([free.available, available, commit_wait], [true, true, { min_seconds: 60, max_seconds: DAY }])

    const prepared = await commit('brand-new', alice)
    const { decoded: announced } = prepared.transaction
    assert.equal(announced.function, 'commit')
    assert.equal(announced.arguments['commitment'], prepared.commitment)
    await chain.increaseTime(60)
    const { transaction, value_with_buffer, ...second } = await ens.ask(prepareEnsRegister, prepared)
    assert.equal(second.registration_id, prepared.registration_id)
    assert.equal(second.rent_price.total_wei, rent_price!.total_wei)
    assert.equal(BigInt(value_with_buffer), BigInt(transaction.value))
    assert.equal(BigInt(transaction.value), (BigInt(second.rent_price.total_wei) * 11n + 9n) / 10n)

    const funds = await balanceOf(MAINNET.controller)
    const { paid } = await carryOut(alice, transaction)
    assert.equal(paid, BigInt(second.rent_price.total_wei))
    assert.equal((await balanceOf(MAINNET.controller)) - funds, paid)

    const { owner, address, resolver } = await metadataOf('brand-new')
    assert.deepEqual([owner, address, resolver], [alice.address, alice.address, MAINNET.resolver])
    assert.equal(await client().getEnsName({ address: alice.address }), 'brand-new.eth')
    assert.equal((await ens.ask(checkEns, { name: 'brand-new', refresh: true })).available, false)
    const { expires_at_unix } = await ens.ask(ensExpiry, { name: 'brand-new' })
    assert.equal(expires_at_unix, (await chainTime()) + 2 * YEAR)

    const { summary, arguments: told } = transaction.decoded
    assert.equal(summary, `Registers brand-new.eth for ${alice.address}, for 2 years (63072000 seconds).`)
    assert.deepEqual([told['secret'], told['resolver']], [prepared.secret, resolver])
    assert.match(told['data[0]']!, new RegExp(`^set the ETH address of brand-new.eth to ${address}$`))
    assert.match(told['reverseRecord']!, /^makes brand-new\.eth the primary name of the sender/)
    assert.match(told['value']!, new RegExp(`\\(${value_with_buffer} wei\\)$`))
  })

  test('without a reverse record neither it nor the address is set', async () => {
    const { transaction } = await register('quiet-name', bob, { set_reverse_record: false })
    const { owner, address } = await metadataOf('quiet-name')
    assert.deepEqual([owner, address], [bob.address, ''])
    assert.equal(await client().getEnsName({ address: bob.address }), null)
    const { data, reverseRecord } = transaction.decoded.arguments
    assert.deepEqual([data, reverseRecord], ['none', 'none'])
  })

  test('the bytes are those of ensjs', async () => {
    const { registration_id, secret } = await commit('same-bytes', alice)
    await chain.increaseTime(60)
    const theirWallet = createWalletClient({ chain: ensMainnet, account: alice.address, transport: http(chain.url) })
    const { transaction } = await ens.ask(prepareEnsRegister, { registration_id })
    const theirs = registerName.makeFunctionData(theirWallet, {
      name: 'same-bytes.eth',
      owner: alice.address,
      duration: 2 * YEAR,
      secret: secret as Hex,
      resolverAddress: MAINNET.resolver,
      records: { coins: [], texts: [] },
      reverseRecord: 1,
      value: BigInt(transaction.value),
    })
    assert.deepEqual([transaction.to, transaction.data], [theirs.to, theirs.data])

    const { transaction: renewal } = await ens.ask(prepareEnsRenewal, { name: 'taken', duration_years: 3 })
    const wanted = { nameOrNames: 'taken.eth', duration: 3 * YEAR, value: BigInt(renewal.value) }
    const theirRenewal = renewNames.makeFunctionData(theirWallet, wanted)
    assert.deepEqual([renewal.to, renewal.data], [theirRenewal.to, theirRenewal.data])
  })

  test('a transaction is unseen, then pending, then confirmed or failed', async () => {
    const unknown = `0x${'ab'.repeat(32)}`
    assert.deepEqual(await statusOf(unknown), { tx_hash: unknown, status: 'pending', seen: false })

    const { transaction, registration_id } = await ens.ask(prepareEnsCommit, { name: 'slowly', owner: alice.address })
    await chain.setAutomine(false)
    try {
      const hash = await alice.send(transaction)
      assert.deepEqual(await statusOf(hash), { tx_hash: hash, status: 'pending', seen: true })
      await chain.mine()
      const { status, block_number, gas_used, effective_gas_price } = await statusOf(hash)
      assert.equal(status, 'confirmed')
      const receipt = await client().getTransactionReceipt({ hash })
      assert.deepEqual(
        [BigInt(block_number!), BigInt(gas_used!), BigInt(effective_gas_price!)],
        [receipt.blockNumber, receipt.gasUsed, receipt.effectiveGasPrice],
      )
    } finally {
      await chain.setAutomine(true)
    }
    await chain.increaseTime(60)
    const { transaction: registration } = await ens.ask(prepareEnsRegister, { registration_id })
    const failed = await statusOf(await alice.send(registration, { value: 1n }))
    assert.deepEqual([failed.status, failed.seen], ['failed', true])
    assert.ok(failed.gas_used! > 0 && failed.block_number! > 0 && BigInt(failed.effective_gas_price!) > 0n)
    // Hashes are compared as numbers, whatever the letters.
    assert.equal((await statusOf(failed.tx_hash.toUpperCase().replace('0X', '0x'))).status, 'failed')
  })

  test('a registration is refused until its commitment is on the chain for 60 seconds, and after a day', async () => {
    const { transaction, registration_id } = await ens.ask(prepareEnsCommit, { name: 'patience', owner: bob.address })
    const refusal = async () => {
      const { status, error, message } = await ens.refusal(prepareEnsRegister, { registration_id })
      assert.deepEqual([status, error], [500, 'prepare_register_failed'])
      return message
    }
    assert.match(await refusal(), /not on the chain: send the commit transaction/)
    await carryOut(bob, transaction)
    const committed = await chainTime()
    assert.match(await refusal(), /too young: 60 seconds are left/)
    await mineAt(committed + 41)
    assert.match(await refusal(), /too young: 19 seconds are left/)
    await mineAt(committed + 59)
    assert.match(await refusal(), /too young: 1 second is left/)
    await mineAt(committed + 60)
    await ens.ask(prepareEnsRegister, { registration_id })
    await mineAt(committed + DAY - 1)
    await ens.ask(prepareEnsRegister, { registration_id })
    // By the chain's clock; by ours the id is still good.
    await mineAt(committed + DAY)
    assert.match(await refusal(), /too old; start again/)
  })

  test('who was faster is told as the reason', async () => {
    const { registration_id } = await commit('contested', alice)
    await register('contested', bob)
    const { message } = await ens.refusal(prepareEnsRegister, { registration_id })
    assert.match(message, /^contested\.eth is registered until 2028-11-14\.$/)
    const { status, error } = await ens.refusal(prepareEnsCommit, { name: 'contested', owner: alice.address })
    assert.deepEqual([status, error], [400, 'prepare_commit_failed'])
    const check = await ens.ask(checkEnsRegistration, { name: 'contested' })
    assert.deepEqual(check, { name: 'contested.eth', available: false })
  })

  test('the owner sets and clears records, all at once', async () => {
    const change = async (records: object) => {
      const prepared = await ens.ask(prepareEnsUpdate, { name: 'taken', owner: alice.address, ...records })
      assert.equal(prepared.resolver, MAINNET.resolver)
      await carryOut(alice, prepared.transaction)
      return prepared
    }
    const before = await ens.ask(ensRecords, { name: 'taken.eth' })
    const { changes, transaction } = await change({
      addresses: { ETH: bob.address },
      text: { url: 'https://new.example', 'com.github': '', description: 'Größer — ✓' },
      contenthash: '',
    })
    assert.deepEqual(
      changes.map(({ type, key, value }) => `${type} ${key}: ${value}`),
      [
        'contenthash contenthash: ',
        'text url: https://new.example',
        'text com.github: ',
        'text description: Größer — ✓',
        `addr ETH: ${bob.address}`,
      ],
    )
    assert.deepEqual(transaction.decoded, {
      contract: 'ENS public resolver',
      function: 'multicall',
      summary: 'Changes 5 records of taken.eth at once.',
      arguments: {
        'data[0]': 'clear the content hash of taken.eth',
        'data[1]': 'set the text url of taken.eth to "https://new.example"',
        'data[2]': 'clear the text com.github of taken.eth',
        'data[3]': 'set the text description of taken.eth to "Größer — ✓"',
        'data[4]': `set the ETH address of taken.eth to ${bob.address}`,
      },
    })
    const { 'com.github': _, ...kept } = before.text
    const { contenthash: __, ...rest } = before
    assert.deepEqual(await ens.ask(ensRecords, { name: 'taken' }), {
      ...rest,
      addresses: { ETH: bob.address },
      text: { ...kept, url: 'https://new.example', description: 'Größer — ✓' },
    })

    await change({ addresses: { ETH: '' }, contenthash: IPFS })
    const after = await ens.ask(ensRecords, { name: 'taken' })
    assert.deepEqual([after.addresses, after.contenthash], [{}, IPFS])
    const { address, records } = await metadataOf('taken')
    assert.deepEqual([address, records.contenthash, records.github], ['', IPFS, ''])
  })

  test('the owner of a wrapped name changes its records at its own resolver', async () => {
    const update = { name: 'wrapped', owner: alice.address, text: { display: 'Wrapped' } }
    const { transaction, resolver } = await ens.ask(prepareEnsUpdate, update)
    assert.deepEqual([resolver, transaction.to], [MAINNET.wrappedResolver, MAINNET.wrappedResolver])
    await carryOut(alice, transaction)
    assert.equal((await ens.ask(ensRecords, { name: 'wrapped' })).text['display'], 'Wrapped')
  })

  test('a stranger gets no transaction but a reason', async () => {
    for (const name of ['taken', 'wrapped', 'bare']) {
      const update = { name, owner: bob.address, text: { url: 'https://mine.example' } }
      const { status, error, message } = await ens.refusal(prepareEnsUpdate, update)
      assert.deepEqual([status, error], [400, 'prepare_update_failed'], name)
      assert.match(message, /neither the name's owner nor approved/, name)
    }
  })

  test('records set where the name does not point are announced as such', async () => {
    const update = { name: 'bare', owner: alice.address, text: { url: 'https://bare.example' } }
    const { warning, resolver, transaction } = await ens.ask(prepareEnsUpdate, update)
    assert.match(warning!, /^bare\.eth has no resolver: these records will not be visible/)
    assert.equal(resolver, MAINNET.resolver)
    await carryOut(alice, transaction)
    assert.deepEqual((await ens.ask(ensRecords, { name: 'bare' })).text, {})
  })

  test('anybody renews a name from its old expiry, for the price alone', async () => {
    const { expires } = chain.names['taken.eth']
    const { transaction, ...renewal } = await ens.ask(prepareEnsRenewal, { name: 'taken', duration_years: 3 })
    assert.equal(transaction.to, MAINNET.controller)
    assert.match(transaction.decoded.summary, /^Renews taken\.eth for another 3 years \(94608000 seconds\)/)
    assert.equal(BigInt(renewal.value_with_buffer), BigInt(transaction.value))
    const { paid } = await carryOut(bob, transaction)
    assert.equal(paid, BigInt(renewal.rent_price.total_wei))
    const { expires_at, expires_at_unix } = await ens.ask(ensExpiry, { name: 'taken' })
    assert.deepEqual([expires_at, expires_at_unix], [renewal.new_expiry, expires + 3 * YEAR])
    assert.equal((await metadataOf('taken')).owner, alice.address)
  })

  test('a wrapped name is renewed together with its wrapper', async () => {
    const { expires } = chain.names['wrapped.eth']
    const { transaction, rent_price, new_expiry } = await ens.ask(prepareEnsRenewal, { name: 'wrapped' })
    assert.equal(transaction.to, MAINNET.wrappedController)
    assert.equal(transaction.decoded.contract, 'ETH registrar controller of 2023')
    const { paid } = await carryOut(bob, transaction)
    assert.equal(paid, BigInt(rent_price.total_wei))
    const { expires_at, expires_at_unix } = await ens.ask(ensExpiry, { name: 'wrapped' })
    assert.deepEqual([expires_at, expires_at_unix], [new_expiry, expires + YEAR])
    const wrapper = await getWrapperData(client(), { name: 'wrapped.eth' })
    assert.equal(wrapper?.expiry?.value, BigInt(expires + YEAR + 90 * DAY))
    assert.equal((await metadataOf('wrapped')).owner, alice.address)
  })

  test('an expired name is in grace: nobody registers it, and a renewal brings it back', async () => {
    await chain.increaseTime(300 * DAY + 1)
    const { is_expired, in_grace_period } = await ens.ask(ensExpiry, { name: 'taken' })
    assert.deepEqual([is_expired, in_grace_period], [true, true])
    const { available, owner } = await ens.ask(checkEns, { name: 'taken', refresh: true })
    assert.deepEqual([available, owner], [false, alice.address])
    const { message } = await ens.refusal(prepareEnsCommit, { name: 'taken', owner: bob.address })
    assert.match(message, /^taken\.eth expired on 2027-09-11 and is in its grace period/)
    assert.equal((await ens.ask(ensPremium, { name: 'taken' })).state, 'grace')

    const { transaction } = await ens.ask(prepareEnsRenewal, { name: 'taken' })
    await carryOut(alice, transaction)
    const active = await ens.ask(ensExpiry, { name: 'taken' })
    assert.deepEqual([active.is_expired, active.in_grace_period], [false, false])
    assert.equal(active.expires_at_unix, chain.names['taken.eth'].expires + YEAR)
  })

  test('a wrapped name in grace keeps its owner and is renewed as well', async () => {
    await chain.increaseTime(250 * DAY)
    assert.equal((await metadataOf('wrapped')).owner, alice.address)
    const { transaction } = await ens.ask(prepareEnsRenewal, { name: 'wrapped' })
    await carryOut(bob, transaction)
    const { is_expired, expires_at_unix } = await ens.ask(ensExpiry, { name: 'wrapped' })
    assert.deepEqual([is_expired, expires_at_unix], [false, chain.names['wrapped.eth'].expires + YEAR])
  })

  test('past its grace a name goes to whoever pays the premium, which falls', async () => {
    const released = chain.names['vault.eth'].expires + 90 * DAY
    const premiumOf = async () => {
      const { available, rent_price } = await ens.ask(checkEnsRegistration, { name: 'vault' })
      assert.equal(available, true)
      const { state, premium_wei } = await ens.ask(ensPremium, { name: 'vault' })
      assert.deepEqual([state, premium_wei], ['premium', rent_price!.premium_wei])
      // The annual price is that of any name of its length; the premium stands beside it.
      const { registrationPrice, premiumPrice } = await ens.ask(checkEns, { name: 'vault', refresh: true })
      assert.deepEqual([registrationPrice?.wei, registrationPrice?.usdEstimate], [rent_price!.base_wei, 5])
      assert.equal(premiumPrice?.wei, rent_price!.premium_wei)
      assert.equal(premiumPrice?.eth, formatEther(BigInt(rent_price!.premium_wei)))
      const cents = Math.round((rent_price!.usd_estimate! - premiumPrice.usdEstimate) * 100)
      assert.ok(Math.abs(cents - 500) <= 1, String(cents))
      return BigInt(rent_price!.premium_wei)
    }
    // The last second of the grace period still belongs to the owner.
    await mineAt(released)
    assert.equal((await ens.ask(checkEns, { name: 'vault' })).available, false)
    await mineAt(released + 1)
    const first = await premiumOf()
    await mineAt(released + 1 + DAY)
    const second = await premiumOf()
    assert.ok(second < first / 2n + first / 1000n && second > first / 2n - first / 1000n)
    await mineAt(released + 1 + 15 * DAY)
    assert.ok((await premiumOf()) < first / 30_000n)

    const { is_expired, in_grace_period } = await ens.ask(ensExpiry, { name: 'vault' })
    assert.deepEqual([is_expired, in_grace_period], [true, false])
    const { status, error, message } = await ens.refusal(prepareEnsRenewal, { name: 'vault' })
    assert.deepEqual([status, error], [400, 'prepare_renew_failed'])
    assert.match(message, /past its grace period and can no longer be renewed/)

    const funds = await balanceOf(MAINNET.controller)
    const { rent_price, paid } = await register('vault', alice)
    assert.ok(BigInt(rent_price.premium_wei) > 100n * BigInt(rent_price.base_wei))
    // It may have fallen a little between the question and the block.
    assert.ok(paid <= BigInt(rent_price.total_wei) && paid > (BigInt(rent_price.total_wei) * 99n) / 100n)
    assert.equal((await balanceOf(MAINNET.controller)) - funds, paid)
    const { owner, address } = await metadataOf('vault')
    assert.deepEqual([owner, address], [alice.address, alice.address])
  })

  test('when the premium is gone the name costs what any other does', async () => {
    const lapsed = await ens.ask(checkEnsRegistration, { name: 'lapsed' })
    const never = await ens.ask(checkEnsRegistration, { name: 'newish' })
    assert.deepEqual(lapsed.rent_price, never.rent_price)
    assert.equal(lapsed.rent_price?.premium_wei, '0')
    const { registrationPrice, premiumPrice } = await ens.ask(checkEns, { name: 'lapsed' })
    assert.deepEqual([registrationPrice?.usdEstimate, premiumPrice], [5, undefined])
    await register('lapsed', alice)
    assert.equal((await metadataOf('lapsed')).owner, alice.address)
  })

  test('names of three and four letters cost more', async () => {
    const usd = async (name: string) => (await ens.ask(checkEns, { name })).registrationPrice?.usdEstimate
    assert.deepEqual(await Promise.all(['xyz', 'xyzw', 'xyzwv', 'premium'].map(usd)), [640, 160, 5, 5])
  })
})
