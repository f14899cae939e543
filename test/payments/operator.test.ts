import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { dispatch } from '../../src/app/cli.ts'
import { checkPayments } from '../../src/app/commands/payments-check.ts'
import { assertGolden } from '../../src/surfaces/cli/command.fixture.ts'
import { type LivePayments, startLivePayments } from '../support/live-payments.ts'
import { fundedWallet, newWallet, payMpp, payX402, type Wallet } from '../support/paid-wallets.ts'

const PATH = '/v1/sandbox/echo?say=hi'
const PAY_TO = '0x52908400098527886E0F7030069857D2E4169EE7'

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-operator-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

async function onoma(argv: readonly string[], env: Record<string, string>) {
  const written = { stdout: '', stderr: '' }
  const to = (name: keyof typeof written) => ({ write: (text: string) => void (written[name] += text) })
  const io = { stdout: to('stdout'), stderr: to('stderr'), env, signal: new AbortController().signal }
  const code = await dispatch(argv, io)
  return { code, ...written }
}

const rowsOf = (csv: string) => {
  const [head, ...lines] = csv.trimEnd().split('\r\n')
  assert.equal(head, 'time,endpoint,rail,amount_usd,transaction,gas_wei,state')
  return lines.map((line) => {
    const [time, endpoint, rail, amount, transaction, gas, state] = line.split(',')
    return { time: time!, endpoint, rail: rail!, amount: amount!, transaction: transaction!, gas, state }
  })
}

async function buy(shop: LivePayments, pay: typeof payX402 | typeof payMpp, wallet: Wallet): Promise<void> {
  const reply = await shop.get(PATH, await pay(await shop.get(PATH), wallet, shop.clock))
  assert.equal(reply.status, 200, reply.text)
}

for (const command of ['check', 'report']) {
  test(`onoma payments ${command} --help says what it does, also with invalid settings`, async () => {
    const { code, stdout } = await onoma(['payments', command, '--help'], { ONOMA_NO_SUCH: '1' })
    assert.equal(code, 0)
    assertGolden(`help-payments-${command}`, stdout)
  })
}

suite('onoma payments report', () => {
  test('has one line for each payment, adds up to what the chains hold, and names no payer', async (t) => {
    const folder = newFolder(t)
    const shop = await startLivePayments(t, { folder })
    await shop.open()
    const wallet = fundedWallet(shop.chains)
    for (const pay of [payX402, payX402, payMpp]) await buy(shop, pay, wallet)
    // A payment whose outcome is open is listed, and not counted as paid.
    const open = await payX402(await shop.get(PATH), wallet, shop.clock)
    shop.onLine(({ method }, ask) => (method === 'eth_sendRawTransaction' ? shop.cut() : ask()))
    assert.equal((await shop.get(PATH, open)).status, 503)
    shop.onLine()

    const { code, stdout, stderr } = await onoma(['payments', 'report', '--csv'], { ONOMA_DATA_DIR: folder })
    assert.equal(code, 0)
    const rows = rowsOf(stdout)
    assert.deepEqual(
      rows.map(({ rail, state, amount, endpoint }) => [rail, state, amount, endpoint]),
      [
        ['x402', 'settled', '0.05', 'paidEcho'],
        ['x402', 'settled', '0.05', 'paidEcho'],
        ['mpp', 'settled', '0.05', 'paidEcho'],
        ['x402', 'computed', '0.05', 'paidEcho'],
      ],
    )
    const paid = (rail: string) =>
      rows
        .filter((row) => row.rail === rail && row.state === 'settled')
        .reduce((sum, { amount }) => sum + BigInt(Math.round(Number(amount) * 1e6)), 0n)
    assert.equal(paid('x402'), shop.chains.base.balanceOf(PAY_TO))
    assert.equal(paid('mpp'), shop.chains.tempo.balanceOf(PAY_TO))
    const transactions = rows.filter(({ state }) => state === 'settled').map(({ transaction }) => transaction)
    assert.equal(new Set(transactions).size, 3)
    for (const transaction of transactions) assert.match(transaction, /^0x[0-9a-f]{64}$/)
    assert.ok(!stdout.toLowerCase().includes(wallet.address.slice(2).toLowerCase()))
    assert.deepEqual(
      rows.map(({ gas }) => gas !== ''),
      [true, true, false, false],
      'where we pay it',
    )
    const gas = rows.reduce((sum, row) => sum + BigInt(row.gas!), 0n)
    assert.equal(stderr, `3 payments settled, $0.15. Gas: ${gas} wei.\n`)

    const totals = await onoma(['payments', 'report'], { ONOMA_DATA_DIR: folder })
    assert.equal(totals.code, 0)
    assert.match(totals.stdout, /x402\s+paidEcho\s+settled\s+2\s+0\.10/)
    assert.match(totals.stdout, /mpp\s+paidEcho\s+settled\s+1\s+0\.05/)
  })

  test('covers the days from and to, both included, in UTC', async (t) => {
    const folder = newFolder(t)
    const shop = await startLivePayments(t, { folder, schemes: ['x402'] })
    await shop.open()
    const wallet = fundedWallet(shop.chains)
    const days: string[] = []
    for (let day = 0; day < 3; day++) {
      await buy(shop, payX402, wallet)
      days.push(new Date(shop.clock.now()).toISOString().slice(0, 10))
      shop.clock.advance(24 * 60 * 60 * 1000)
    }
    const env = { ONOMA_DATA_DIR: folder }
    const listed = async (...range: string[]) => {
      const { stdout } = await onoma(['payments', 'report', '--csv', ...range], env)
      return rowsOf(stdout).map(({ time }) => time.slice(0, 10))
    }
    assert.deepEqual(await listed(), days)
    assert.deepEqual(await listed('--from', days[1]!), days.slice(1))
    assert.deepEqual(await listed('--to', days[1]!), days.slice(0, 2))
    assert.deepEqual(await listed('--from', days[1]!, '--to', days[1]!), [days[1]])
    assert.deepEqual(await listed('--from', '2030-01-01'), [])
  })

  test('says what is wrong with an option or the ledger', async (t) => {
    const folder = newFolder(t)
    const env = { ONOMA_DATA_DIR: folder }
    for (const options of [
      ['--from', 'yesterday'],
      ['--to', '2026-02-30'],
      ['--from', '2026-11-16', '--to', '2026-11-15'],
      ['--json'],
      ['x'],
    ]) {
      const { code, stdout, stderr } = await onoma(['payments', 'report', ...options], env)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, /Usage: onoma payments report/)
    }
    const missing = await onoma(['payments', 'report', '--csv'], env)
    assert.equal(missing.code, 1)
    assert.match(missing.stderr, /no payment ledger/)
    writeFileSync(join(folder, 'payments.sqlite'), 'damaged')
    const damaged = await onoma(['payments', 'report', '--csv'], env)
    assert.equal(damaged.code, 1)
    assert.match(damaged.stderr, /cannot be read/)
    assert.equal(readFileSync(join(folder, 'payments.sqlite'), 'utf8'), 'damaged')
  })
})

suite('onoma payments check', () => {
  const check = async ({ config, outbound, clock }: LivePayments) => {
    let text = ''
    const output = { write: (part: string) => void (text += part) }
    return { isReady: await checkPayments({ config, output, clock, outbound }), text }
  }

  test('says that everything is ready, without creating a file', async (t) => {
    const folder = newFolder(t)
    const shop = await startLivePayments(t, { folder })
    const { isReady, text } = await check(shop)
    assert.match(text, /^ledger: ready\nx402: ready\nMPP: ready\nnote: ONOMA_PUBLIC_URL is not an https URL/)
    assert.ok(isReady)
    assert.throws(() => readFileSync(join(folder, 'payments.sqlite')), { code: 'ENOENT' })
    assert.throws(() => readFileSync(join(folder, 'keys')), { code: 'ENOENT' })
  })

  test('says what is wrong and what to do', async (t) => {
    const folder = newFolder(t)
    writeFileSync(join(folder, 'payments.sqlite'), 'damaged')
    const shop = await startLivePayments(t, { folder })
    shop.onLine(({ chain, method }, ask) =>
      chain === 'tempo' ? shop.cut() : method === 'eth_getBalance' ? '0x0' : ask(),
    )
    const { isReady, text } = await check(shop)
    assert.ok(!isReady)
    assert.match(text, /^ledger: not ready\n {2}The payment ledger .* cannot be used: .*restore a copy/)
    assert.match(text, /^x402: not ready\n {2}The settlement key has 0 wei .*send ether on Base to 0x/m)
    assert.match(text, /^MPP: not ready\n {2}The Tempo node cannot be used/m)
    assert.ok(!text.includes(shop.settlementKey.slice(2)))
  })

  test('has the exit code 1 while something is not ready, and 2 if a setting is invalid', async (t) => {
    const env = { ONOMA_DATA_DIR: newFolder(t) }
    const off = await onoma(['payments', 'check'], env)
    assert.equal(off.code, 1)
    assert.match(off.stdout, /Payments are simulated: no payment setting is set\.\nSet ONOMA_PAY_TO/)
    const live = { ...env, ONOMA_PAY_TO: PAY_TO, ONOMA_X402_RPC_URLS: 'https://base.invalid/secret-of-the-node' }
    const down = await onoma(['payments', 'check'], { ...live, ONOMA_X402_SETTLEMENT_KEY: newWallet().key })
    assert.equal(down.code, 1)
    assert.match(down.stdout, /x402: not ready/)
    assert.ok(!down.stdout.includes('secret-of-the-node'))
    const invalid = await onoma(['payments', 'check'], { ...live, ONOMA_X402_SETTLEMENT_KEY: 'hunter2' })
    assert.equal(invalid.code, 2)
    assert.match(invalid.stderr, /ONOMA_X402_SETTLEMENT_KEY/)
  })
})
