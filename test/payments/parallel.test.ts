import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { manualClock } from '../../src/kernel/clock.ts'
import type { Reply } from '../support/door.ts'
import { type PaidChains, startPaidChains } from '../support/paid-chains.ts'
import { type PaidProcess, startPaidProcess } from '../support/paid-processes.ts'
import { QUICK } from '../support/paid-shop.ts'
import { fundedWallet, paidBy, payMpp, payX402 } from '../support/paid-wallets.ts'
import { hasReceipt, mustBeRefused } from '../support/paid-world.ts'

const TIMES = 100
/** Without copies of an x402 payment that came after its answer was delivered: those need the token of that answer. */
const withoutLate = (replies: readonly Reply[]) =>
  replies.filter(({ status, text }) => status !== 402 || !text.includes('send the Payment-Token header'))
const CHAINS = [
  ['x402', payX402],
  ['MPP', payMpp],
] as const

describe('two processes with one ledger', () => {
  const now = Date.UTC(2026, 10, 15, 12)
  const clock = manualClock(now)
  const folder = mkdtempSync(join(tmpdir(), 'onoma-parallel-'))
  let chains: PaidChains
  let shops: PaidProcess[] = []
  before(async () => {
    chains = await startPaidChains(clock)
    const plan = { folder, urls: chains.urls, now, ledgerNow: now, waitMs: 50, flaky: 2 }
    shops = await Promise.all([startPaidProcess(plan), startPaidProcess(plan)])
  })
  after(async () => {
    await Promise.all(shops.map((shop) => shop.kill()))
    await chains.stop()
    rmSync(folder, { recursive: true })
  })
  const runs = () => shops.flatMap((shop) => shop.runs)

  for (const [name, payer] of CHAINS) {
    test(`${name}: one payment used ${TIMES} times at once is charged once and worked for once`, async () => {
      const path = `/v1/goods/same ${name}`
      const wallet = fundedWallet(chains)
      const headers = await payer(await shops[0]!.get(path), wallet, clock)
      const replies = await Promise.all(Array.from({ length: TIMES }, (_, at) => shops[at % 2]!.get(path, headers)))
      const answered = withoutLate(replies)
      assert.deepEqual([...new Set(answered.map(({ status }) => status))], [200])
      assert.equal(new Set(answered.map(({ text }) => text)).size, 1)
      assert.equal(paidBy(chains, wallet), QUICK)
      assert.equal(runs().filter((item) => item === `same ${name}`).length, 1)
    })

    test(`${name}: one payment used ${TIMES} times at once, while answers carry error at first, is charged once`, async () => {
      const path = `/v1/goods/flaky ${name}`
      const wallet = fundedWallet(chains)
      const headers = await payer(await shops[0]!.get(path), wallet, clock)
      const replies = await Promise.all(Array.from({ length: TIMES }, (_, at) => shops[at % 2]!.get(path, headers)))
      const answered = withoutLate(replies)
      assert.deepEqual([...new Set(answered.map(({ status }) => status))], [200])
      const failed = answered.filter(({ text }) => text.includes('"error"'))
      const sold = answered.filter((reply) => !failed.includes(reply))
      assert.ok(failed.length > 0 && !failed.some(hasReceipt))
      assert.ok(new Set(sold.map(({ text }) => text)).size === 1 && sold.every(hasReceipt))
      assert.equal(paidBy(chains, wallet), QUICK)
      assert.equal(runs().filter((item) => item === `flaky ${name}`).length, failed.length + 1)
    })

    test(`${name}: one payment used at once for ${TIMES} requests buys one of them`, async () => {
      const wallet = fundedWallet(chains)
      const headers = await payer(await shops[0]!.get('/v1/goods/a'), wallet, clock)
      const paths = Array.from({ length: TIMES }, (_, at) => `/v1/goods/${name} ${at}`)
      const replies = await Promise.all(paths.map((path, at) => shops[at % 2]!.get(path, headers)))
      const refused = replies.filter(({ status }) => status !== 200)
      assert.equal(refused.length, TIMES - 1)
      for (const reply of refused) mustBeRefused(reply, 'invalid-challenge')
      assert.equal(paidBy(chains, wallet), QUICK)
      assert.equal(runs().filter((item) => item.startsWith(`${name} `)).length, 1)
    })
  }
})
