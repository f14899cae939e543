import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import { encodeAbiParameters } from 'viem/utils'
import { checkMppLive } from './live.ts'
import { createTestScheme, disconnect, PAYER, SECRET } from './mpp.fixture.ts'
import { TEMPO_USDC } from './scheme.ts'

const REAL = 'https://node.example/some-long-key'

/** Good settings, and a node that only does not call itself a simulated one. */
function setup() {
  const world = createTestScheme()
  const good: Parameters<typeof checkMppLive>[0] = { rpc: world.rpc, urls: [REAL], secrets: [SECRET], recipient: PAYER }
  const answer = (method: string, result: unknown) =>
    world.intercept(async (call, ask): Promise<RpcOutcome> => {
      if (call.method === method) return { ok: true, result }
      return call.method === 'web3_clientVersion' ? { ok: true, result: 'tempo/v1' } : ask()
    })
  answer('web3_clientVersion', 'tempo/v1')
  return { ...world, good, answer }
}

test('real money may begin where everything is in order', async () => {
  const { good } = setup()
  assert.deepEqual(await checkMppLive(good), [])
})

test('real money does not begin with settings that would lose it, and every sentence says what to mend', async () => {
  const { good } = setup()
  const rows: [Partial<typeof good>, RegExp][] = [
    [{ urls: [] }, /ONOMA_MPP_RPC_URLS/],
    [{ urls: ['http://node.example/some-long-key'] }, /not https/],
    [{ urls: ['https://127.0.0.1:8545'] }, /on this machine/],
    [{ urls: [REAL, 'https://[::1]:8545'] }, /on this machine/],
    [{ urls: ['https://localhost'] }, /on this machine/],
    [{ secrets: [] }, /32 bytes/],
    [{ secrets: [SECRET, 'short'] }, /32 bytes/],
    [{ recipient: '' }, /ONOMA_PAY_TO/],
    [{ recipient: `0x${'0'.repeat(40)}` }, /ONOMA_PAY_TO/],
    [{ recipient: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }, /development or burn address/],
    [{ recipient: TEMPO_USDC }, /accepts no transfers/],
    [{ currency: PAYER }, /not a dollar/],
  ]
  for (const [change, words] of rows) {
    const [sentence, ...others] = await checkMppLive({ ...good, ...change })
    assert.match(sentence ?? '', words)
    assert.deepEqual(others, [])
    assert.ok(!sentence?.includes('some-long-key'), 'keys stay out of it')
  }
})

test('real money does not begin on a node of another chain, a simulated one or none', async () => {
  const { good, answer, intercept: onLine } = setup()
  answer('eth_chainId', '0xa5bf')
  assert.match((await checkMppLive(good))[0] ?? '', /does not serve chain 4217/)
  answer('eth_call', encodeAbiParameters([{ type: 'string' }], ['EUR']))
  assert.match((await checkMppLive(good))[0] ?? '', /not a dollar/)
  onLine((_call, ask) => ask())
  assert.match((await checkMppLive(good))[0] ?? '', /simulated/)
  onLine(disconnect)
  assert.match((await checkMppLive(good))[0] ?? '', /cannot be used/)
})
