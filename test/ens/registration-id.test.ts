import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, suite, test } from 'node:test'
import { NEIGHBOUR } from '../../sandbox/chain/accounts.ts'
import { MAINNET } from '../../sandbox/chain/addresses.ts'
import { type Chain, startChain } from '../../sandbox/chain/start.ts'
import { ensMetadata, ensTransactionStatus } from '../../src/ens/contract/lookups.ts'
import { prepareEnsRenewal } from '../../src/ens/contract/management.ts'
import { prepareEnsCommit, prepareEnsRegister } from '../../src/ens/contract/registration.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { createLog, type Log } from '../../src/kernel/log.ts'
import { type Ens, startEns, startRelay, throwAwayFolder, walletOf } from '../support/ens.ts'

const DAY_MS = 86_400_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const KEYS = { old: 'an-old-key-of-thirty-two-characters', new: 'a-new-key-of-thirty-two-characters!' }

/** The next error once the id has been decrypted. */
const ACCEPTED = /^The commitment is not on the chain/
const UNKNOWN = /^registration_id is not valid/

suite('a registration id', () => {
  const clock = manualClock(Date.UTC(2026, 10, 15, 12))
  let folder: ReturnType<typeof throwAwayFolder>
  const running: { stop(): Promise<void> }[] = []
  let chain: Chain

  before(async () => {
    folder = throwAwayFolder()
    chain = await startChain({ clock })
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()))
  })
  after(async () => {
    await chain.stop()
    folder.remove()
  })

  const start = async (settings: Readonly<Record<string, string>> = {}, log?: Log) => {
    const all = { ...chain.settings, ...folder.settings, ...settings }
    const ens = await startEns({ settings: all, clock, ...(log && { log }) })
    running.push(ens)
    return ens
  }
  const commit = (ens: Ens, name = 'brand-new') => ens.ask(prepareEnsCommit, { name, owner: NEIGHBOUR.address })
  const refusalOf = async (ens: Ens, registration_id: string) => {
    const { status, error, message } = await ens.refusal(prepareEnsRegister, { registration_id })
    assert.deepEqual([status, error], [500, 'prepare_register_failed'])
    return message
  }

  test('survives a restart: the key is stored in the data folder', async () => {
    const first = await start()
    const { registration_id } = await commit(first)
    await running.pop()!.stop()
    assert.match(await refusalOf(await start(), registration_id), ACCEPTED)
    const elsewhere = throwAwayFolder()
    try {
      assert.match(await refusalOf(await start(elsewhere.settings), registration_id), UNKNOWN)
    } finally {
      elsewhere.remove()
    }
  })

  test('is valid at every instance with the same keys, also after a key rotation', async () => {
    const first = await start({ ONOMA_KEYS: KEYS.old })
    const { registration_id } = await commit(first)
    assert.match(await refusalOf(await start({ ONOMA_KEYS: KEYS.old }), registration_id), ACCEPTED)
    const rotated = await start({ ONOMA_KEYS: `${KEYS.new},${KEYS.old}` })
    assert.match(await refusalOf(rotated, registration_id), ACCEPTED)

    const { registration_id: newer } = await commit(rotated)
    const finished = await start({ ONOMA_KEYS: KEYS.new })
    assert.match(await refusalOf(finished, newer), ACCEPTED)
    assert.match(await refusalOf(finished, registration_id), UNKNOWN)
    assert.match(await refusalOf(first, newer), UNKNOWN)
  })

  test('can be used at another instance than the one that issued it', async () => {
    const wallet = walletOf(NEIGHBOUR.privateKey, chain.url)
    const first = await start({ ONOMA_KEYS: KEYS.old })
    const { registration_id, transaction } = await commit(first, 'handed-over')
    await wallet.send(transaction)
    await chain.increaseTime(60)
    const second = await start({ ONOMA_KEYS: `${KEYS.new},${KEYS.old}` })
    const prepared = await second.ask(prepareEnsRegister, { registration_id })
    assert.equal(prepared.name, 'handed-over.eth')
    // Both instances prepare the same bytes.
    assert.deepEqual(prepared.transaction, (await first.ask(prepareEnsRegister, { registration_id })).transaction)
  })

  test('keeps the controller and resolver it was issued for, whatever is configured later', async () => {
    const wallet = walletOf(NEIGHBOUR.privateKey, chain.url)
    const file = join(folder.settings.ONOMA_DATA_DIR, 'contracts.json')
    writeFileSync(file, JSON.stringify({ registersWith: '2023' }))
    const instances = [await start(), await start({ ONOMA_ENS_CONTRACTS: file })]
    const controllers = [MAINNET.controller, MAINNET.wrappedController]
    const resolvers = [MAINNET.resolver, MAINNET.wrappedResolver]
    for (const [at, ens] of instances.entries()) {
      const name = `issued-by-${at}`
      const { registration_id, transaction } = await commit(ens, name)
      assert.equal(transaction.to, controllers[at])
      await wallet.send(transaction)
      await chain.increaseTime(60)
      const other = instances[1 - at]!
      const second = await other.ask(prepareEnsRegister, { registration_id })
      assert.equal(second.transaction.to, controllers[at])
      const hash = await wallet.send(second.transaction)
      assert.equal((await other.ask(ensTransactionStatus, { hash })).status, 'confirmed')
      const metadata = await other.ask(ensMetadata, { name })
      assert.ok(!('results' in metadata))
      assert.deepEqual([metadata.owner, metadata.address], [wallet.address, wallet.address])
      assert.equal(metadata.resolver, resolvers[at])
      // The first because the other instance uses the 2023 controller for everything, the second because it is wrapped.
      const { transaction: renewal } = await other.ask(prepareEnsRenewal, { name })
      assert.equal(renewal.to, MAINNET.wrappedController)
    }
  })

  test('is valid for 24 hours by the clock of the service', async () => {
    const ens = await start()
    const { registration_id } = await commit(ens)
    clock.advance(DAY_MS - 1000)
    assert.match(await refusalOf(ens, registration_id), ACCEPTED)
    clock.advance(1000)
    assert.match(await refusalOf(ens, registration_id), /^registration_id is older than 24 hours; start again/)
  })

  test('is rejected if any character is changed, added or removed', async () => {
    const ens = await start()
    const { registration_id: id } = await commit(ens)
    const changed = Array.from(id, (character, at) => {
      const other = ALPHABET[(ALPHABET.indexOf(character) + 1) % ALPHABET.length]!
      return id.slice(0, at) + other + id.slice(at + 1)
    })
    const others = [id.slice(0, -1), `${id}A`, `${id}=`, id.slice(1), id + id, id.toLowerCase(), 'x', 'x'.repeat(3000)]
    for (const wrong of [...changed, ...others]) {
      const message = await refusalOf(ens, wrong)
      // An id over 2048 characters is rejected for its length.
      if (wrong.length < 2048) assert.match(message, UNKNOWN, wrong)
    }
  })

  test('is different each time, and so is the secret in it', async () => {
    const ens = await start()
    const [first, second] = [await commit(ens), await commit(ens)]
    for (const field of ['registration_id', 'secret', 'commitment'] as const) {
      assert.notEqual(first[field], second[field])
    }
    assert.match(first.secret, /^0x[0-9a-f]{64}$/)
  })

  test('is never logged, and neither is the secret, whatever fails', async () => {
    let written = ''
    const log = createLog('trace', { write: (line) => void (written += line) })
    const relay = await startRelay(chain.url)
    running.push(relay)
    const wallet = walletOf(NEIGHBOUR.privateKey, chain.url)
    const ens = await start({ ONOMA_ETH_RPC_URLS: relay.url }, log)
    const { registration_id, secret, transaction } = await commit(ens, 'secret-name')
    await refusalOf(ens, registration_id)
    await refusalOf(ens, `${registration_id}A`)
    await wallet.send(transaction)
    await refusalOf(ens, registration_id)
    await chain.increaseTime(60)
    await ens.ask(prepareEnsRegister, { registration_id })
    // A node that echoes the request in its error, if the request contains the secret.
    for (const code of [-32_000, -32_603, -32_005, 3]) {
      relay.answerWith((body) => {
        if (!body.includes(secret.slice(2))) return undefined
        const calls = JSON.parse(body) as { id: number }[]
        return calls.map(({ id }) => ({ jsonrpc: '2.0', id, error: { code, message: `cannot do ${secret} ${body}` } }))
      })
      const before = relay.asked.length
      await refusalOf(ens, registration_id)
      assert.ok(relay.asked.slice(before).flat().includes('eth_estimateGas'), 'the node received the secret')
      clock.advance(60_000)
    }
    relay.answerWith(() => 'nonsense')
    await refusalOf(ens, registration_id)
    relay.behave({ kind: 'reset' })
    await refusalOf(ens, registration_id)

    assert.ok(written.includes('prepareEnsRegister'), 'the request was logged')
    assert.ok(!written.includes(registration_id))
    assert.ok(!written.toLowerCase().includes(secret.slice(2)))
  })
})
