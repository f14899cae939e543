import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { ADMIN, NEIGHBOUR, WALLET } from '../../sandbox/chain/accounts.ts'
import { MAINNET } from '../../sandbox/chain/addresses.ts'
import { send } from '../../sandbox/chain/send.ts'
import { checkEns, ensHealth, ensTransactionStatus } from '../../src/ens/contract/lookups.ts'
import { prepareEnsRenewal, prepareEnsUpdate } from '../../src/ens/contract/management.ts'
import { checkEnsRegistration, prepareEnsCommit, prepareEnsRegister } from '../../src/ens/contract/registration.ts'
import { walletOf } from '../support/ens.ts'
import { useNodes } from './chain.fixture.ts'

const CONTROLLERS_ABI = parseAbi(['function removeController(address)', 'function setController(address, bool)'])
const owner = WALLET.address

suite('health of ENS', () => {
  const setup = useNodes()

  test('is degraded while no node answers, and ok again after', async () => {
    const node = await setup.startRelay()
    const ens = await setup.startEns([node])
    const healthy = await ens.ask(ensHealth, {})
    assert.deepEqual([healthy.status, healthy.ens], ['ok', { status: 'ok', rpcConnected: true }])
    node.behave({ kind: 'reset' })
    setup.clock.advance(5_001)
    const down = { status: 'no Ethereum node answers', rpcConnected: false }
    const { status, ens: condition } = await ens.ask(ensHealth, {})
    assert.deepEqual([status, condition], ['degraded', down])
    const listener = await ens.get(`${ens.ensUrl}/health`)
    assert.deepEqual([listener.status, listener.body['ens']], [200, down])
    node.behave({ kind: 'ok' })
    setup.clock.advance(1_001)
    assert.equal((await ens.ask(ensHealth, {})).status, 'ok')
  })

  test('is degraded while only one of two nodes answers: nothing can be prepared then', async () => {
    const [first, second] = [await setup.startRelay(), await setup.startRelay()]
    const ens = await setup.startEns([first, second])
    assert.equal((await ens.ask(ensHealth, {})).status, 'ok')
    second.behave({ kind: 'reset' })
    setup.clock.advance(5_001)
    const { status, ens: condition } = await ens.ask(ensHealth, {})
    const alone = 'only one Ethereum node answers, so no transaction can be prepared'
    assert.deepEqual([status, condition], ['degraded', { status: alone, rpcConnected: true }])
    assert.equal((await ens.refusal(prepareEnsCommit, { name: 'brand-new', owner })).error, 'prepare_commit_failed')
    assert.equal((await ens.ask(checkEns, { name: 'brand-new' })).available, true)
    second.behave({ kind: 'ok' })
    setup.clock.advance(60_000)
    assert.equal((await ens.ask(ensHealth, {})).status, 'ok')
  })

  test('is degraded if the node is down when the service starts', async () => {
    const node = await setup.startRelay()
    await setup.stopRelay(node)
    const ens = await setup.startEns([node])
    assert.equal((await ens.ask(ensHealth, {})).status, 'degraded')
  })

  const asAdmin = (to: Hex, data: Hex) => send(setup.chain.rpc, { from: ADMIN.address, to, data })
  const removeFromRegistrar = (controller: Hex) =>
    asAdmin(
      MAINNET.registrar,
      encodeFunctionData({ abi: CONTROLLERS_ABI, functionName: 'removeController', args: [controller] }),
    )
  const setAtWrapper = (controller: Hex, isActive: boolean) => {
    const args = [controller, isActive] as const
    return asAdmin(
      MAINNET.nameWrapper,
      encodeFunctionData({ abi: CONTROLLERS_ABI, functionName: 'setController', args }),
    )
  }
  const UNAUTHORIZED = /^The ENS registrar no longer authorizes this controller to register or renew names/

  test('is degraded when the registrar removes the controller, and no transaction is prepared', async () => {
    const ens = await setup.startEns([setup.chain])
    const { registration_id, transaction } = await ens.ask(prepareEnsCommit, { name: 'brand-new', owner })
    await walletOf(WALLET.privateKey, setup.chain.url).send(transaction)
    await setup.chain.increaseTime(60)
    await removeFromRegistrar(MAINNET.controller)
    const { status, ens: condition } = await ens.ask(ensHealth, {})
    assert.deepEqual([status, condition.rpcConnected], ['degraded', true])
    assert.match(condition.status, /no longer authorizes the controller/)

    const refusals = [
      await ens.refusal(prepareEnsCommit, { name: 'brand-new', owner }),
      await ens.refusal(prepareEnsRegister, { registration_id }),
      await ens.refusal(prepareEnsRenewal, { name: 'taken' }),
      await ens.refusal(checkEnsRegistration, { name: 'brand-new' }),
    ]
    assert.deepEqual(
      refusals.map(({ status, error }) => `${status} ${error}`),
      ['400 prepare_commit_failed', '500 prepare_register_failed', '400 prepare_renew_failed', '400 check_failed'],
    )
    for (const { message } of refusals) assert.match(message, UNAUTHORIZED)
    // What does not need this controller still works.
    await ens.ask(prepareEnsUpdate, { name: 'taken', owner, text: { url: '' } })
    await ens.ask(prepareEnsRenewal, { name: 'wrapped' })
  })

  test('wrapped names can be renewed while wrapper and 2023 controller are authorized', async () => {
    const ens = await setup.startEns([setup.chain])
    // The 2023 controller acts through the wrapper, so its own authorization at the registrar does not matter.
    await removeFromRegistrar(MAINNET.wrappedController)
    const { transaction } = await ens.ask(prepareEnsRenewal, { name: 'wrapped' })
    const hash = await walletOf(NEIGHBOUR.privateKey, setup.chain.url).send(transaction)
    assert.equal((await ens.ask(ensTransactionStatus, { hash })).status, 'confirmed')

    await setAtWrapper(MAINNET.wrappedController, false)
    assert.match((await ens.refusal(prepareEnsRenewal, { name: 'wrapped' })).message, UNAUTHORIZED)
    await setAtWrapper(MAINNET.wrappedController, true)
    await ens.ask(prepareEnsRenewal, { name: 'wrapped' })
    await removeFromRegistrar(MAINNET.nameWrapper)
    assert.match((await ens.refusal(prepareEnsRenewal, { name: 'wrapped' })).message, UNAUTHORIZED)
    assert.equal((await ens.ask(ensHealth, {})).status, 'ok')
  })
})
