import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { registerName, renewNames } from '@ensdomains/ensjs/wallet'
import { createWalletClient, type Hex, http } from 'viem'
import { MAINNET } from '../../sandbox/chain/addresses.ts'
import { checkEns } from '../../src/ens/contract/lookups.ts'
import { ensExpiry, prepareEnsRenewal } from '../../src/ens/contract/management.ts'
import { checkEnsRegistration, prepareEnsCommit, prepareEnsRegister } from '../../src/ens/contract/registration.ts'
import { DAY_SECONDS, YEAR_SECONDS } from './chain.fixture.ts'
import { ensMainnet, useLifecycle } from './lifecycle.fixture.ts'

suite('registering an ENS name on a real chain', () => {
  const { setup, client, balanceOf, statusOf, mineAt, chainTime, sendAndConfirm, commit, register, metadataOf } =
    useLifecycle()

  test('an available name is registered for its owner, and the excess payment is refunded', async () => {
    const free = await setup.ens.ask(checkEns, { name: 'brand-new' })
    const { available, rent_price, commit_wait } = await setup.ens.ask(checkEnsRegistration, {
      name: 'brand-new',
      duration_years: 2,
    })
    assert.deepEqual(
      [free.available, available, commit_wait],
      [true, true, { min_seconds: 60, max_seconds: DAY_SECONDS }],
    )

    const prepared = await commit('brand-new', setup.alice)
    const { decoded: commitDecoded } = prepared.transaction
    assert.equal(commitDecoded.function, 'commit')
    assert.equal(commitDecoded.arguments['commitment'], prepared.commitment)
    await setup.chain.increaseTime(60)
    const { transaction, value_with_buffer, ...second } = await setup.ens.ask(prepareEnsRegister, prepared)
    assert.equal(second.registration_id, prepared.registration_id)
    assert.equal(second.rent_price.total_wei, rent_price!.total_wei)
    assert.equal(BigInt(value_with_buffer), BigInt(transaction.value))
    assert.equal(BigInt(transaction.value), (BigInt(second.rent_price.total_wei) * 11n + 9n) / 10n)

    const funds = await balanceOf(MAINNET.controller)
    const { paid } = await sendAndConfirm(setup.alice, transaction)
    assert.equal(paid, BigInt(second.rent_price.total_wei))
    assert.equal((await balanceOf(MAINNET.controller)) - funds, paid)

    const { owner, address, resolver } = await metadataOf('brand-new')
    assert.deepEqual([owner, address, resolver], [setup.alice.address, setup.alice.address, MAINNET.resolver])
    assert.equal(await client().getEnsName({ address: setup.alice.address }), 'brand-new.eth')
    assert.equal((await setup.ens.ask(checkEns, { name: 'brand-new', refresh: true })).available, false)
    const { expires_at_unix } = await setup.ens.ask(ensExpiry, { name: 'brand-new' })
    assert.equal(expires_at_unix, (await chainTime()) + 2 * YEAR_SECONDS)

    const { summary, arguments: shown } = transaction.decoded
    assert.equal(summary, `Registers brand-new.eth for ${setup.alice.address}, for 2 years (63072000 seconds).`)
    assert.deepEqual([shown['secret'], shown['resolver']], [prepared.secret, resolver])
    assert.match(shown['data[0]']!, new RegExp(`^set the ETH address of brand-new.eth to ${address}$`))
    assert.match(shown['reverseRecord']!, /^makes brand-new\.eth the primary name of the sender/)
    assert.match(shown['value']!, new RegExp(`\\(${value_with_buffer} wei\\)$`))
  })

  test('without a reverse record the address is not set either', async () => {
    const { transaction } = await register('quiet-name', setup.bob, { set_reverse_record: false })
    const { owner, address } = await metadataOf('quiet-name')
    assert.deepEqual([owner, address], [setup.bob.address, ''])
    assert.equal(await client().getEnsName({ address: setup.bob.address }), null)
    const { data, reverseRecord } = transaction.decoded.arguments
    assert.deepEqual([data, reverseRecord], ['none', 'none'])
  })

  test('transactions are byte for byte those of ensjs', async () => {
    const { registration_id, secret } = await commit('same-bytes', setup.alice)
    await setup.chain.increaseTime(60)
    const theirWallet = createWalletClient({
      chain: ensMainnet,
      account: setup.alice.address,
      transport: http(setup.chain.url),
    })
    const { transaction } = await setup.ens.ask(prepareEnsRegister, { registration_id })
    const theirs = registerName.makeFunctionData(theirWallet, {
      name: 'same-bytes.eth',
      owner: setup.alice.address,
      duration: 2 * YEAR_SECONDS,
      secret: secret as Hex,
      resolverAddress: MAINNET.resolver,
      records: { coins: [], texts: [] },
      reverseRecord: 1,
      value: BigInt(transaction.value),
    })
    assert.deepEqual([transaction.to, transaction.data], [theirs.to, theirs.data])

    const { transaction: renewal } = await setup.ens.ask(prepareEnsRenewal, { name: 'taken', duration_years: 3 })
    const wanted = { nameOrNames: 'taken.eth', duration: 3 * YEAR_SECONDS, value: BigInt(renewal.value) }
    const theirRenewal = renewNames.makeFunctionData(theirWallet, wanted)
    assert.deepEqual([renewal.to, renewal.data], [theirRenewal.to, theirRenewal.data])
  })

  test('a transaction is unseen, then pending, then confirmed or failed', async () => {
    const unknown = `0x${'ab'.repeat(32)}`
    assert.deepEqual(await statusOf(unknown), { tx_hash: unknown, status: 'pending', seen: false })

    const { transaction, registration_id } = await setup.ens.ask(prepareEnsCommit, {
      name: 'slowly',
      owner: setup.alice.address,
    })
    await setup.chain.setAutomine(false)
    try {
      const hash = await setup.alice.send(transaction)
      assert.deepEqual(await statusOf(hash), { tx_hash: hash, status: 'pending', seen: true })
      await setup.chain.mine()
      const { status, block_number, gas_used, effective_gas_price } = await statusOf(hash)
      assert.equal(status, 'confirmed')
      const receipt = await client().getTransactionReceipt({ hash })
      assert.deepEqual(
        [BigInt(block_number!), BigInt(gas_used!), BigInt(effective_gas_price!)],
        [receipt.blockNumber, receipt.gasUsed, receipt.effectiveGasPrice],
      )
    } finally {
      await setup.chain.setAutomine(true)
    }
    await setup.chain.increaseTime(60)
    const { transaction: registration } = await setup.ens.ask(prepareEnsRegister, { registration_id })
    const failed = await statusOf(await setup.alice.send(registration, { value: 1n }))
    assert.deepEqual([failed.status, failed.seen], ['failed', true])
    assert.ok(failed.gas_used! > 0 && failed.block_number! > 0 && BigInt(failed.effective_gas_price!) > 0n)
    // Hashes are case-insensitive.
    assert.equal((await statusOf(failed.tx_hash.toUpperCase().replace('0X', '0x'))).status, 'failed')
  })

  test('a registration is rejected before its commitment is 60 seconds old, and after a day', async () => {
    const { transaction, registration_id } = await setup.ens.ask(prepareEnsCommit, {
      name: 'waiting-name',
      owner: setup.bob.address,
    })
    const rejection = async () => {
      const { status, error, message } = await setup.ens.refusal(prepareEnsRegister, { registration_id })
      assert.deepEqual([status, error], [500, 'prepare_register_failed'])
      return message
    }
    assert.match(await rejection(), /not on the chain: send the commit transaction/)
    await sendAndConfirm(setup.bob, transaction)
    const committed = await chainTime()
    assert.match(await rejection(), /too young: 60 seconds are left/)
    await mineAt(committed + 41)
    assert.match(await rejection(), /too young: 19 seconds are left/)
    await mineAt(committed + 59)
    assert.match(await rejection(), /too young: 1 second is left/)
    await mineAt(committed + 60)
    await setup.ens.ask(prepareEnsRegister, { registration_id })
    await mineAt(committed + DAY_SECONDS - 1)
    await setup.ens.ask(prepareEnsRegister, { registration_id })
    // The chain's clock decides; by the service's clock the id is still valid.
    await mineAt(committed + DAY_SECONDS)
    assert.match(await rejection(), /too old; start again/)
  })

  test('if somebody else registers the name first, the error says so', async () => {
    const { registration_id } = await commit('contested', setup.alice)
    await register('contested', setup.bob)
    const { message } = await setup.ens.refusal(prepareEnsRegister, { registration_id })
    assert.match(message, /^contested\.eth is registered until 2028-11-14\.$/)
    const { status, error } = await setup.ens.refusal(prepareEnsCommit, {
      name: 'contested',
      owner: setup.alice.address,
    })
    assert.deepEqual([status, error], [400, 'prepare_commit_failed'])
    const check = await setup.ens.ask(checkEnsRegistration, { name: 'contested' })
    assert.deepEqual(check, { name: 'contested.eth', available: false })
  })

  test('names of three and four characters cost more', async () => {
    const usd = async (name: string) => (await setup.ens.ask(checkEns, { name })).registrationPrice?.usdEstimate
    assert.deepEqual(await Promise.all(['xyz', 'xyzw', 'xyzwv', 'premium'].map(usd)), [640, 160, 5, 5])
  })
})
