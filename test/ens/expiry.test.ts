import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { getWrapperData } from '@ensdomains/ensjs/public'
import { formatEther } from 'viem'
import { MAINNET } from '../../sandbox/chain/addresses.ts'
import { checkEns } from '../../src/ens/contract/lookups.ts'
import { ensExpiry, prepareEnsRenewal } from '../../src/ens/contract/management.ts'
import { checkEnsRegistration, ensPremium, prepareEnsCommit } from '../../src/ens/contract/registration.ts'
import { DAY_SECONDS, YEAR_SECONDS } from './chain.fixture.ts'
import { useLifecycle } from './lifecycle.fixture.ts'

suite('renewal and expiry of an ENS name on a real chain', () => {
  const { setup, client, balanceOf, mineAt, sendAndConfirm, register, metadataOf } = useLifecycle()

  test('anyone can renew a name, from its old expiry and at the plain price', async () => {
    const { expires } = setup.chain.names['taken.eth']
    const { transaction, ...renewal } = await setup.ens.ask(prepareEnsRenewal, { name: 'taken', duration_years: 3 })
    assert.equal(transaction.to, MAINNET.controller)
    assert.match(transaction.decoded.summary, /^Renews taken\.eth for another 3 years \(94608000 seconds\)/)
    assert.equal(BigInt(renewal.value_with_buffer), BigInt(transaction.value))
    const { paid } = await sendAndConfirm(setup.bob, transaction)
    assert.equal(paid, BigInt(renewal.rent_price.total_wei))
    const { expires_at, expires_at_unix } = await setup.ens.ask(ensExpiry, { name: 'taken' })
    assert.deepEqual([expires_at, expires_at_unix], [renewal.new_expiry, expires + 3 * YEAR_SECONDS])
    assert.equal((await metadataOf('taken')).owner, setup.alice.address)
  })

  test('renewing a wrapped name also extends its wrapper', async () => {
    const { expires } = setup.chain.names['wrapped.eth']
    const { transaction, rent_price, new_expiry } = await setup.ens.ask(prepareEnsRenewal, { name: 'wrapped' })
    assert.equal(transaction.to, MAINNET.wrappedController)
    assert.equal(transaction.decoded.contract, 'ETH registrar controller of 2023')
    const { paid } = await sendAndConfirm(setup.bob, transaction)
    assert.equal(paid, BigInt(rent_price.total_wei))
    const { expires_at, expires_at_unix } = await setup.ens.ask(ensExpiry, { name: 'wrapped' })
    assert.deepEqual([expires_at, expires_at_unix], [new_expiry, expires + YEAR_SECONDS])
    const wrapper = await getWrapperData(client(), { name: 'wrapped.eth' })
    assert.equal(wrapper?.expiry?.value, BigInt(expires + YEAR_SECONDS + 90 * DAY_SECONDS))
    assert.equal((await metadataOf('wrapped')).owner, setup.alice.address)
  })

  test('an expired name in grace cannot be registered, and a renewal makes it active again', async () => {
    await setup.chain.increaseTime(300 * DAY_SECONDS + 1)
    const { is_expired, in_grace_period } = await setup.ens.ask(ensExpiry, { name: 'taken' })
    assert.deepEqual([is_expired, in_grace_period], [true, true])
    const { available, owner } = await setup.ens.ask(checkEns, { name: 'taken', refresh: true })
    assert.deepEqual([available, owner], [false, setup.alice.address])
    const { message } = await setup.ens.refusal(prepareEnsCommit, { name: 'taken', owner: setup.bob.address })
    assert.match(message, /^taken\.eth expired on 2027-09-11 and is in its grace period/)
    assert.equal((await setup.ens.ask(ensPremium, { name: 'taken' })).state, 'grace')

    const { transaction } = await setup.ens.ask(prepareEnsRenewal, { name: 'taken' })
    await sendAndConfirm(setup.alice, transaction)
    const active = await setup.ens.ask(ensExpiry, { name: 'taken' })
    assert.deepEqual([active.is_expired, active.in_grace_period], [false, false])
    assert.equal(active.expires_at_unix, setup.chain.names['taken.eth'].expires + YEAR_SECONDS)
  })

  test('a wrapped name in grace keeps its owner and can be renewed', async () => {
    await setup.chain.increaseTime(250 * DAY_SECONDS)
    assert.equal((await metadataOf('wrapped')).owner, setup.alice.address)
    const { transaction } = await setup.ens.ask(prepareEnsRenewal, { name: 'wrapped' })
    await sendAndConfirm(setup.bob, transaction)
    const { is_expired, expires_at_unix } = await setup.ens.ask(ensExpiry, { name: 'wrapped' })
    assert.deepEqual([is_expired, expires_at_unix], [false, setup.chain.names['wrapped.eth'].expires + YEAR_SECONDS])
  })

  test('past its grace period a name can be registered with a falling premium', async () => {
    const released = setup.chain.names['vault.eth'].expires + 90 * DAY_SECONDS
    const premiumOf = async () => {
      const { available, rent_price } = await setup.ens.ask(checkEnsRegistration, { name: 'vault' })
      assert.equal(available, true)
      const { state, premium_wei } = await setup.ens.ask(ensPremium, { name: 'vault' })
      assert.deepEqual([state, premium_wei], ['premium', rent_price!.premium_wei])
      // The annual price depends on the length only; the premium is listed separately.
      const { registrationPrice, premiumPrice } = await setup.ens.ask(checkEns, { name: 'vault', refresh: true })
      assert.deepEqual([registrationPrice?.wei, registrationPrice?.usdEstimate], [rent_price!.base_wei, 5])
      assert.equal(premiumPrice?.wei, rent_price!.premium_wei)
      assert.equal(premiumPrice?.eth, formatEther(BigInt(rent_price!.premium_wei)))
      const cents = Math.round((rent_price!.usd_estimate! - premiumPrice.usdEstimate) * 100)
      assert.ok(Math.abs(cents - 500) <= 1, String(cents))
      return BigInt(rent_price!.premium_wei)
    }
    // The last second of the grace period still belongs to the owner.
    await mineAt(released)
    assert.equal((await setup.ens.ask(checkEns, { name: 'vault' })).available, false)
    await mineAt(released + 1)
    const first = await premiumOf()
    await mineAt(released + 1 + DAY_SECONDS)
    const second = await premiumOf()
    assert.ok(second < first / 2n + first / 1000n && second > first / 2n - first / 1000n)
    await mineAt(released + 1 + 15 * DAY_SECONDS)
    assert.ok((await premiumOf()) < first / 30_000n)

    const { is_expired, in_grace_period } = await setup.ens.ask(ensExpiry, { name: 'vault' })
    assert.deepEqual([is_expired, in_grace_period], [true, false])
    const { status, error, message } = await setup.ens.refusal(prepareEnsRenewal, { name: 'vault' })
    assert.deepEqual([status, error], [400, 'prepare_renew_failed'])
    assert.match(message, /past its grace period and can no longer be renewed/)

    const funds = await balanceOf(MAINNET.controller)
    const { rent_price, paid } = await register('vault', setup.alice)
    assert.ok(BigInt(rent_price.premium_wei) > 100n * BigInt(rent_price.base_wei))
    // The premium falls between the request and the block.
    assert.ok(paid <= BigInt(rent_price.total_wei) && paid > (BigInt(rent_price.total_wei) * 99n) / 100n)
    assert.equal((await balanceOf(MAINNET.controller)) - funds, paid)
    const { owner, address } = await metadataOf('vault')
    assert.deepEqual([owner, address], [setup.alice.address, setup.alice.address])
  })

  test('after the premium a name costs as much as any other', async () => {
    const lapsed = await setup.ens.ask(checkEnsRegistration, { name: 'lapsed' })
    const never = await setup.ens.ask(checkEnsRegistration, { name: 'newish' })
    assert.deepEqual(lapsed.rent_price, never.rent_price)
    assert.equal(lapsed.rent_price?.premium_wei, '0')
    const { registrationPrice, premiumPrice } = await setup.ens.ask(checkEns, { name: 'lapsed' })
    assert.deepEqual([registrationPrice?.usdEstimate, premiumPrice], [5, undefined])
    await register('lapsed', setup.alice)
    assert.equal((await metadataOf('lapsed')).owner, setup.alice.address)
  })
})
