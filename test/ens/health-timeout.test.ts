import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Chain } from '../../src/ens/chain/chain.ts'
import { MAINNET } from '../../src/ens/chain/deployments.ts'
import { createEns } from '../../src/ens/service.ts'
import { createRegistrationTokens } from '../../src/ens/transactions/registration-token.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { secureRandom } from '../../src/kernel/random.ts'

test('the health of ENS does not wait for silent nodes; the check goes on for the next caller', async () => {
  const clock = manualClock()
  const reads: AbortSignal[] = []
  const read = (_calls: unknown, signal?: AbortSignal) => {
    reads.push(signal!)
    return new Promise<never>(() => {})
  }
  const chain = { read, readAgreed: read } as unknown as Chain
  const tokens = createRegistrationTokens({ keys: [Buffer.from('a key of the test')], clock, random: secureRandom })
  const ens = createEns({ chain, contracts: MAINNET, tokens, clock, random: secureRandom, timeoutScale: 0.01 })
  const never = new AbortController().signal
  for (let at = 0; at < 3; at++) {
    const { status, ens: condition } = await ens.health(never)
    assert.deepEqual([status, condition], ['degraded', { status: 'no Ethereum node answers', rpcConnected: false }])
  }
  assert.equal(reads.length, 1)
  assert.equal(reads[0]!.aborted, false)
})
