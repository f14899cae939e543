import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { checkEns, ensMetadata } from '../../src/ens/contract/lookups.ts'
import { ensExpiry, ensRecords } from '../../src/ens/contract/management.ts'
import type { Log } from '../../src/kernel/log.ts'
import { assertRejected, usePreparation } from './lying-nodes.fixture.ts'

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
const ALONE = /^Only one of the Ethereum nodes answers, .*try again later\.$/

suite('ENS transactions need two nodes that agree', () => {
  const { setup, cases } = usePreparation()

  test('while one of two nodes is down no transaction is prepared, but lookups work', async () => {
    for (const position of [0, 1]) {
      const nodes = [await setup.startRelay(), await setup.startRelay()]
      const ens = await setup.startEns(nodes)
      nodes[position]!.behave({ kind: 'down' })
      for (const [what, preparation] of Object.entries(cases())) await assertRejected(ens, preparation, ALONE, what)
      assert.equal((await ens.ask(checkEns, { name: 'taken', refresh: true })).available, false)
      await ens.ask(ensMetadata, { name: 'taken', refresh: true })
      await ens.ask(ensRecords, { name: 'taken' })
      await ens.ask(ensExpiry, { name: 'taken' })
      // When the node is back, it is used at once.
      nodes[position]!.behave({ kind: 'ok' })
      for (const [endpoint, input] of Object.values(cases())) await ens.ask(endpoint, input)
    }
    const all = [await setup.startRelay(), await setup.startRelay()]
    const ens = await setup.startEns(all)
    for (const node of all) node.behave({ kind: 'down' })
    for (const [what, preparation] of Object.entries(cases()))
      await assertRejected(ens, preparation, /Asking again may help\.$/, what)
  })

  test('of three nodes one may be down', async () => {
    for (const position of [0, 1, 2]) {
      const nodes = [await setup.startRelay(), await setup.startRelay(), await setup.startRelay()]
      const ens = await setup.startEns(nodes)
      nodes[position]!.behave({ kind: 'down' })
      for (const [endpoint, input] of Object.values(cases())) await ens.ask(endpoint, input)
    }
  })

  test('a single node is trusted, and the log says so at startup; one URL given twice is a single node', async () => {
    const node = await setup.startRelay()
    const lines: string[] = []
    const log: Log = { ...silent, info: (_fields, line) => void lines.push(line) }
    const ens = await setup.startEns([node, node], log)
    assert.equal(lines.filter((line) => line.startsWith('ONOMA_ETH_RPC_URLS names one node')).length, 1)
    for (const [endpoint, input] of Object.values(cases())) await ens.ask(endpoint, input)
    const pair: string[] = []
    await setup.startEns([node, await setup.startRelay()], { ...silent, info: (_fields, line) => void pair.push(line) })
    assert.ok(!pair.some((line) => line.includes('ONOMA_ETH_RPC_URLS')))
  })

  test('with two nodes preparing takes two round trips, and only one node simulates the transaction', async () => {
    const [first, second] = [await setup.startRelay(), await setup.startRelay()]
    const ens = await setup.startEns([first, second])
    for (const [what, [endpoint, input]] of Object.entries(cases())) {
      const before = [first.asked.length, second.asked.length]
      await ens.ask(endpoint, input)
      assert.deepEqual([first.asked.length - before[0]!, second.asked.length - before[1]!], [2, 1], what)
    }
  })
})
