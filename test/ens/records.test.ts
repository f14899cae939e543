import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { MAINNET } from '../../sandbox/chain/addresses.ts'
import { ensRecords, prepareEnsUpdate } from '../../src/ens/contract/management.ts'
import { useLifecycle } from './lifecycle.fixture.ts'

const IPFS = '0xe3010170122029f2d17be6139079dc48696d1f582a8530eb9805b561eda517e22a892c7e3f1f'

suite('records of an ENS name on a real chain', () => {
  const { setup, sendAndConfirm, metadataOf } = useLifecycle()

  test('the owner sets and clears several records in one transaction', async () => {
    const change = async (records: object) => {
      const prepared = await setup.ens.ask(prepareEnsUpdate, { name: 'taken', owner: setup.alice.address, ...records })
      assert.equal(prepared.resolver, MAINNET.resolver)
      await sendAndConfirm(setup.alice, prepared.transaction)
      return prepared
    }
    const before = await setup.ens.ask(ensRecords, { name: 'taken.eth' })
    const { changes, transaction } = await change({
      addresses: { ETH: setup.bob.address },
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
        `addr ETH: ${setup.bob.address}`,
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
        'data[4]': `set the ETH address of taken.eth to ${setup.bob.address}`,
      },
    })
    const { 'com.github': _, ...kept } = before.text
    const { contenthash: __, ...rest } = before
    assert.deepEqual(await setup.ens.ask(ensRecords, { name: 'taken' }), {
      ...rest,
      addresses: { ETH: setup.bob.address },
      text: { ...kept, url: 'https://new.example', description: 'Größer — ✓' },
    })

    await change({ addresses: { ETH: '' }, contenthash: IPFS })
    const after = await setup.ens.ask(ensRecords, { name: 'taken' })
    assert.deepEqual([after.addresses, after.contenthash], [{}, IPFS])
    const { address, records } = await metadataOf('taken')
    assert.deepEqual([address, records.contenthash, records.github], ['', IPFS, ''])
  })

  test('records of a wrapped name are changed at the resolver of that name', async () => {
    const update = { name: 'wrapped', owner: setup.alice.address, text: { display: 'Wrapped' } }
    const { transaction, resolver } = await setup.ens.ask(prepareEnsUpdate, update)
    assert.deepEqual([resolver, transaction.to], [MAINNET.wrappedResolver, MAINNET.wrappedResolver])
    await sendAndConfirm(setup.alice, transaction)
    assert.equal((await setup.ens.ask(ensRecords, { name: 'wrapped' })).text['display'], 'Wrapped')
  })

  test('a sender who is not the owner gets a reason instead of a transaction', async () => {
    for (const name of ['taken', 'wrapped', 'bare']) {
      const update = { name, owner: setup.bob.address, text: { url: 'https://mine.example' } }
      const { status, error, message } = await setup.ens.refusal(prepareEnsUpdate, update)
      assert.deepEqual([status, error], [400, 'prepare_update_failed'], name)
      assert.match(message, /neither the name's owner nor approved/, name)
    }
  })

  test('a name without a resolver gets a warning that the records will not be visible', async () => {
    const update = { name: 'bare', owner: setup.alice.address, text: { url: 'https://bare.example' } }
    const { warning, resolver, transaction } = await setup.ens.ask(prepareEnsUpdate, update)
    assert.match(warning!, /^bare\.eth has no resolver: these records will not be visible/)
    assert.equal(resolver, MAINNET.resolver)
    await sendAndConfirm(setup.alice, transaction)
    assert.deepEqual((await setup.ens.ask(ensRecords, { name: 'bare' })).text, {})
  })
})
