// needs: sqlite3
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import { type BaseChain, startBaseChain } from '../../sandbox/money/base-chain.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Hex } from '../../src/payments/scheme.ts'
import { type PaidChains, startPaidChains } from '../support/paid-chains.ts'
import { ask } from '../support/paid-shop.ts'
import { newWallet, payX402 } from '../support/paid-wallets.ts'
import { insist } from '../support/paid-world.ts'
import { serverFor } from '../support/servers/for-suites.ts'
import { endingWithUs, freePort } from '../support/servers/process.ts'
import { type Command, holdsCommands, parseCommands } from './commands.ts'
import { copyRepository } from './copy-repository.ts'
import { GOING_LIVE, parseFences, ROOT } from './fences.ts'
import { startPublicHosts } from './public-hosts.ts'
import { shapeDifference } from './output-shape.ts'
import { type Ended, run, shellOf, withAddresses } from './workplace.ts'

const TIMEOUT_MS = 10 * 60_000
const PRICE = 20_000n
/** What step 3 says to send. */
const GAS_WEI = 5n * 10n ** 15n
const markdown = readFileSync(join(ROOT, GOING_LIVE), 'utf8')

type Section = { readonly title: string; readonly commands: readonly Command[] }

/** The commands below each heading, in the order of the page. */
const sections: Section[] = [...markdown.matchAll(/^## (.+)$/gm)].map(({ 1: title, index }, at, all) => ({
  title: title!,
  commands: parseFences(GOING_LIVE, markdown.slice(index, all[at + 1]?.index))
    .filter(holdsCommands)
    .flatMap(parseCommands),
}))

const { skip } = serverFor('sqlite3')

suite('docs/going-live.md, performed literally', { timeout: TIMEOUT_MS, skip }, () => {
  const above = mkdtempSync(join(tmpdir(), 'onoma-going-live-'))
  const folder = join(above, 'onoma')
  const recipient = newWallet()
  const payer = newWallet()
  /** All that differs from the page: what a reader has of his own, and where the folder is. */
  const SUBSTITUTIONS = {
    '0x52908400098527886E0F7030069857D2E4169EE7': recipient.address,
    '0x00000000000000000000000000000000000000000000000000000000000000aa': payer.key,
    '/srv/onoma': folder,
  }
  /** What a reader does away from the terminal, after the commands of a step. */
  const DEEDS: Readonly<Record<string, (seen: string) => Promise<void>>> = {
    'Step 3': async (seen) => {
      const [, address] = /send ether on Base to (0x\w{40})/.exec(seen)!
      settler = address as Hex
      await base.fuel(settler, GAS_WEI)
    },
    'Step 8': async () => {
      await base.fund(payer.address, 1_000_000n)
      chains.tempo.fund(payer.address, 1_000_000n)
    },
  }
  let base: BaseChain
  let chains: PaidChains
  let hosts: Awaited<ReturnType<typeof startPublicHosts>>
  let env: Record<string, string>
  let service: ChildProcess | undefined
  let log = ''
  let settler: Hex

  before(async () => {
    copyRepository(folder)
    base = await startBaseChain()
    // Gas costs as much as on Base.
    await base.rpc('hardhat_setNextBlockBaseFeePerGas', ['0x4c4b40'])
    await base.mine()
    chains = await startPaidChains(systemClock)
    const [port, metricsPort] = [await freePort(), await freePort()]
    hosts = await startPublicHosts({
      'names.example': { url: `http://127.0.0.1:${port}` },
      'base.node.example': { url: base.url },
      'tempo.node.example': { url: chains.urls.tempo, results: { web3_clientVersion: 'tempo/v1' } },
      'ethereum.node.example': { url: base.url, results: { eth_chainId: '0x1' } },
    })
    const ca = join(above, 'ca.pem')
    writeFileSync(ca, hosts.certificate)
    const shell = shellOf(above)
    writeFileSync(
      join(above, 'home', '.curlrc'),
      [
        `cacert = "${ca}"`,
        ...Object.entries(hosts.ports).map(([host, local]) => `connect-to = "${host}:127.0.0.1:${local}"`),
        `connect-to = "127.0.0.1:9464:127.0.0.1:${metricsPort}"`,
      ].join('\n'),
    )
    env = {
      ...shell,
      NODE_EXTRA_CA_CERTS: ca,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'local-hosts.js')}`,
      TEST_HOSTS: JSON.stringify(hosts.ports),
      // The default ports may be in use on this machine, and nothing outside it is asked.
      PORT: String(port),
      ENS_PORT: '0',
      ONOMA_METRICS: `127.0.0.1:${metricsPort}`,
      ONOMA_ETH_RPC_URLS: 'http://127.0.0.1:1',
      ONOMA_DNS_SERVERS: '127.0.0.1:1',
    }
  })
  after(async () => {
    await stopService()
    await hosts?.stop()
    await base?.stop()
    await chains?.stop()
    rmSync(above, { recursive: true })
  })

  /** As on a terminal: output and errors together. */
  async function terminal({ setup, text }: Pick<Command, 'setup' | 'text'>): Promise<Ended> {
    const command = withAddresses(['exec 2>&1', ...setup, text].join('\n'), SUBSTITUTIONS)
    const ended = await run(command, { cwd: folder, env })
    return { ...ended, stdout: ended.stdout.replaceAll('\r\n', '\n') }
  }

  /** Starts the service and resolves when it is ready. */
  async function serve(command: string): Promise<void> {
    const [program, words] = endingWithUs('bash', ['-c', `exec ${command} 2>&1`])
    // In its own process group: npx does not pass signals on.
    const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
    service = child
    const ready = Promise.withResolvers<void>()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (/is ready/.test(log)) ready.resolve()
    })
    child.once('close', () => ready.reject(new Error(log)))
    await ready.promise
  }

  async function stopService(): Promise<void> {
    if (service?.pid === undefined || service.exitCode !== null) return
    const closed = once(service, 'close')
    process.kill(-service.pid, 'SIGTERM')
    await closed
  }

  async function perform({ title, commands }: Section): Promise<string> {
    let seen = ''
    for (const command of commands) {
      if (command.text === 'npx onoma serve') {
        await serve(command.text)
        continue
      }
      const { code, stdout } = await terminal(command)
      assert.equal(code, command.exitCode, `${command.text}\n${stdout}\n${log}`)
      if (command.shown !== undefined)
        assert.equal(shapeDifference(withAddresses(command.shown, SUBSTITUTIONS), stdout), null, command.text)
      seen += stdout
    }
    await DEEDS[title.split(':')[0]!]?.(seen)
    return seen
  }

  const seen = new Map<string, string>()
  for (const section of sections) {
    test(section.title, { timeout: TIMEOUT_MS }, async () => {
      seen.set(section.title.split(':')[0]!, await perform(section))
    })
  }

  test('there are ten steps, all of them were performed, and each has a command', () => {
    assert.deepEqual(
      sections.slice(0, 10).map(({ title }) => title.split(':')[0]),
      Array.from({ length: 10 }, (_, at) => `Step ${at + 1}`),
    )
    for (const { title, commands } of sections) assert.ok(commands.length > 0, title)
    assert.equal(seen.size, sections.length)
  })

  test('every substitution and deed is one of the page', () => {
    for (const shown of Object.keys(SUBSTITUTIONS)) assert.ok(markdown.includes(shown), shown)
    for (const step of Object.keys(DEEDS)) assert.ok(seen.has(step), step)
  })

  test('the recipient has the price more on each chain, and the payer that much less', async () => {
    assert.equal(await base.balanceOf(recipient.address), PRICE)
    assert.equal(chains.tempo.balanceOf(recipient.address), PRICE)
    assert.equal(await base.balanceOf(payer.address), 1_000_000n - PRICE)
  })

  test('the report adds up to the chains, and names the transactions that are on them', async () => {
    const { stdout } = await run('npx onoma payments report --csv', { cwd: folder, env })
    const rows = stdout.trim().split('\r\n').slice(1)
    const total = (rail: string) =>
      rows
        .map((row) => row.split(','))
        .filter(([, , of, , , , state]) => of === rail && state === 'settled')
        .reduce((sum, [, , , amount]) => sum + BigInt(Math.round(Number(amount) * 1e6)), 0n)
    assert.equal(total('x402'), await base.balanceOf(recipient.address))
    assert.equal(total('mpp'), chains.tempo.balanceOf(recipient.address))
    const paid = [...seen.get('Step 9')!.matchAll(/^transaction: (0x\w{64})$/gm)].map(([, hash]) => hash!)
    assert.equal(paid.length, 2)
    for (const hash of paid) assert.ok(stdout.includes(hash), hash)
    const receipt = (await base.rpc('eth_getTransactionReceipt', [paid[0]])) as { status: string }
    assert.equal(receipt.status, '0x1')
  })

  test('while the key has no gas, nothing is sold or taken and free endpoints answer; then it sells by itself', async () => {
    const url = `http://127.0.0.1:${env['PORT']}`
    const path = '/v1/valuation/example.org'
    const payment = await payX402(await ask(url + path, {}), payer, systemClock)
    const send = () => ask(url + path, payment)
    await base.fuel(settler, 0n)
    const had = await base.balanceOf(recipient.address)
    const refused = await send()
    assert.equal(refused.status, 503, refused.text)
    assert.ok(refused.headers.has('retry-after'))
    assert.equal(await base.balanceOf(recipient.address), had)
    assert.equal((await ask(`${url}/health`, {})).status, 200)
    await base.fuel(settler, GAS_WEI)
    assert.equal((await insist(send)).status, 200)
    assert.equal(await base.balanceOf(recipient.address), had + PRICE)
  })

  test('the copy of the ledger has both payments, and nobody else can read the secrets', () => {
    const copy = new DatabaseSync(join(folder, 'backup/payments.sqlite'), { readOnly: true })
    const { count } = copy.prepare("SELECT count(*) AS count FROM payments WHERE state = 'settled'").get()!
    copy.close()
    assert.equal(count, 2)
    for (const file of ['.env', 'settlement.key', 'onoma.keys', 'backup/settlement.key'])
      assert.equal(statSync(join(folder, file)).mode & 0o77, 0, file)
  })

  test('no output of the steps and no line of the log has a key in it', () => {
    const secrets = [payer.key, recipient.key, readFileSync(join(folder, 'settlement.key'), 'utf8').trim()]
    const all = [...seen.values(), log].join('\n')
    for (const secret of [...secrets, readFileSync(join(folder, 'onoma.keys'), 'utf8').trim()])
      assert.ok(!all.includes(secret.replace(/^0x/, '')))
    assert.ok(!all.includes('your-key'))
  })
})
