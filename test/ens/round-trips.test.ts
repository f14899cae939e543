import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Hex } from 'viem'
import { WALLET } from '../../sandbox/chain/accounts.ts'
import { checkEns, ensHealth, ensMetadata, ensTransactionStatus } from '../../src/ens/contract/lookups.ts'
import { ensExpiry, ensRecords, prepareEnsRenewal, prepareEnsUpdate } from '../../src/ens/contract/management.ts'
import {
  checkEnsRegistration,
  ensPremium,
  prepareEnsCommit,
  prepareEnsRegister,
} from '../../src/ens/contract/registration.ts'
import { walletOf } from '../support/ens.ts'
import { useNodes } from './chain.fixture.ts'

const owner = WALLET.address

suite('requests to an Ethereum node', () => {
  const setup = useNodes()

  test('every lookup is one request, whatever it returns', async () => {
    const node = await setup.startRelay()
    const ens = await setup.startEns([node])
    const names = Array.from({ length: 49 }, (_, at) => `name-${at}`).concat('taken')
    const hash = `0x${'ab'.repeat(32)}`
    const lookups: Readonly<Record<string, () => Promise<unknown>>> = {
      'check of an available name': () => ens.ask(checkEns, { name: 'brand-new' }),
      'check of a taken name': () => ens.ask(checkEns, { name: 'taken' }),
      metadata: () => ens.ask(ensMetadata, { name: 'taken' }),
      'metadata of a wrapped name': () => ens.ask(ensMetadata, { name: 'wrapped' }),
      'metadata without a resolver': () => ens.ask(ensMetadata, { name: 'bare' }),
      'metadata stored off-chain': () => ens.ask(ensMetadata, { name: 'offchain' }),
      'metadata of an unregistered name': () => ens.refusal(ensMetadata, { name: 'nobodys' }),
      'metadata of 50 names': () => ens.ask(ensMetadata, { names: names.join(','), refresh: true }),
      records: () => ens.ask(ensRecords, { name: 'taken' }),
      expiry: () => ens.ask(ensExpiry, { name: 'taken' }),
      'expiry of a wrapped name': () => ens.ask(ensExpiry, { name: 'wrapped' }),
      premium: () => ens.ask(ensPremium, { name: 'premium', below_usd: 100 }),
      'register/check': () => ens.ask(checkEnsRegistration, { name: 'brand-new' }),
      'tx/status': () => ens.ask(ensTransactionStatus, { hash }),
      health: () => ens.ask(ensHealth, {}),
    }
    const counts: [string, number][] = []
    for (const [what, lookUp] of Object.entries(lookups)) counts.push([what, await node.count(lookUp)])
    assert.deepEqual(
      counts,
      Object.keys(lookups).map((what) => [what, 1]),
    )
  })

  test('preparing a transaction takes two requests, and rejecting one for its state takes one', async () => {
    const node = await setup.startRelay()
    const ens = await setup.startEns([node])
    const wallet = walletOf(WALLET.privateKey, setup.chain.url)
    const { registration_id, transaction } = await ens.ask(prepareEnsCommit, { name: 'brand-new', owner })
    await wallet.send(transaction)
    const early = await node.count(() => ens.refusal(prepareEnsRegister, { registration_id }))
    await setup.chain.increaseTime(60)
    const text = { url: 'https://new.example' }
    const counts = [
      await node.count(() => ens.ask(prepareEnsCommit, { name: 'another-one', owner })),
      await node.count(() => ens.ask(prepareEnsRegister, { registration_id })),
      await node.count(() => ens.ask(prepareEnsUpdate, { name: 'taken', owner, text })),
      await node.count(() => ens.ask(prepareEnsRenewal, { name: 'taken' })),
      await node.count(() => ens.ask(prepareEnsRenewal, { name: 'wrapped' })),
    ]
    assert.deepEqual(counts, [2, 2, 2, 2, 2])
    const taken = await node.count(() => ens.refusal(prepareEnsCommit, { name: 'taken', owner }))
    const nonsense = await node.count(() => ens.refusal(prepareEnsRegister, { registration_id: 'nonsense' }))
    assert.deepEqual([early, taken, nonsense], [1, 1, 0])
  })

  test('a transaction the owner cannot pay for is prepared in two requests, too', async () => {
    const node = await setup.startRelay()
    const ens = await setup.startEns([node])
    const poor: Hex = '0x00000000000000000000000000000000DeaDBeef'
    const { registration_id, transaction } = await ens.ask(prepareEnsCommit, { name: 'brand-new', owner: poor })
    await walletOf(WALLET.privateKey, setup.chain.url).send(transaction)
    await setup.chain.increaseTime(60)
    const requests = await node.count(() => ens.ask(prepareEnsRegister, { registration_id }))
    assert.ok(requests <= 2, String(requests))
  })

  test('cached results cause no request, unless refresh is set', async () => {
    const node = await setup.startRelay()
    const ens = await setup.startEns([node])
    const names = 'taken,wrapped,brand-new'
    await ens.ask(checkEns, { name: 'taken' })
    await ens.ask(ensMetadata, { names })
    await ens.ask(ensHealth, {})
    const again = async () => {
      const { source, checkedAt } = await ens.ask(checkEns, { name: 'TAKEN.eth' })
      assert.deepEqual([source, checkedAt], ['rpc+cache', new Date(setup.clock.now()).toISOString()])
      await ens.ask(ensMetadata, { names })
      await ens.ask(ensMetadata, { name: 'wrapped.eth' })
      await ens.refusal(ensMetadata, { name: 'brand-new' })
      const { cacheStats } = await ens.ask(ensHealth, {})
      assert.deepEqual(cacheStats, { availability: 1, metadata: 3 })
    }
    assert.equal(await node.count(again), 0)
    assert.equal(await node.count(() => ens.ask(checkEns, { name: 'taken', refresh: true })), 1)
    assert.equal(await node.count(() => ens.ask(ensMetadata, { name: 'taken', refresh: true })), 1)
    assert.equal(await node.count(() => ens.ask(ensMetadata, { names: `${names},vault,grace` })), 1)
    setup.clock.advance(60_001)
    assert.equal(await node.count(() => ens.ask(ensMetadata, { names })), 1)
    assert.equal(await node.count(() => ens.ask(ensHealth, {})), 1)
  })

  test('concurrent identical requests share one request to the node', async () => {
    const node = await setup.startRelay()
    const ens = await setup.startEns([node])
    const crowd = (lookUp: () => Promise<unknown>) => () => Promise.all(Array.from({ length: 20 }, lookUp))
    assert.equal(await node.count(crowd(() => ens.ask(checkEns, { name: 'taken' }))), 1)
    assert.equal(await node.count(crowd(() => ens.ask(ensMetadata, { name: 'taken' }))), 1)
    assert.equal(await node.count(crowd(() => ens.ask(ensMetadata, { names: 'vault,wrapped' }))), 1)
    assert.equal(await node.count(crowd(() => ens.ask(ensHealth, {}))), 1)
  })
})
