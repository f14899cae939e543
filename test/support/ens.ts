import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { mainnet } from 'viem/chains'
import type { z } from 'zod'
import { serveHttp } from '../../sandbox/http-server.ts'
import { OK, type Outcome } from '../../sandbox/outcome.ts'
import { jsonAnswer } from '../../sandbox/play-http.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { startService } from '../../src/app/service.ts'
import type { UnsignedTransaction } from '../../src/ens/contract/shapes.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Endpoint } from '../../src/kernel/endpoint.ts'
import type { Log } from '../../src/kernel/log.ts'

type World = { readonly settings: Readonly<Record<string, string>>; readonly clock: Clock; readonly log?: Log }

export type Refusal = { readonly status: number; readonly error: string; readonly message: string }

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** The whole service, and somebody who knows nothing of it but its contract and its address. */
export async function startEns({ settings, clock, log = silent }: World) {
  const own = { PORT: '0', ONOMA_METRICS: 'off', ONOMA_SANDBOX: 'on', ONOMA_RATE_LIMIT: '65535' }
  // In the settings 0 turns the second listener off; to the service it is a port of the system's choice.
  const service = await startService({ ...loadConfig({ ...own, ...settings }), ensPort: 0 }, { log, clock })
  const agent = new Agent()
  const get = async (url: string) => {
    const { statusCode, body } = await request(url, { dispatcher: agent })
    return { status: statusCode, body: (await body.json()) as Record<string, unknown> }
  }
  const send = async ({ method, path }: Endpoint, input: Readonly<Record<string, unknown>>) => {
    if (method === 'GET') {
      const words = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)])
      return get(`${service.url}${path}?${String(new URLSearchParams(words))}`)
    }
    const headers = { 'content-type': 'application/json' }
    const options = { dispatcher: agent, method, headers, body: JSON.stringify(input) }
    const { statusCode, body } = await request(`${service.url}${path}`, options)
    return { status: statusCode, body: (await body.json()) as Record<string, unknown> }
  }
  return {
    ensUrl: service.ensUrl!,
    get,
    /** Whatever comes back. */
    send,
    /** The answer, which must be good and have exactly the fields of the contract. */
    async ask<I extends z.ZodObject, O extends z.ZodType>(endpoint: Endpoint<I, O>, input: z.input<I>) {
      const { status, body } = await send(endpoint, input)
      assert.equal(status, 200, JSON.stringify(body))
      const answer = endpoint.output.parse(body)
      assert.deepEqual(answer, body)
      return answer
    },
    /** What is said instead of an answer. */
    async refusal<I extends z.ZodObject>(endpoint: Endpoint<I>, input: z.input<I>): Promise<Refusal> {
      const { status, body } = await send(endpoint, input)
      assert.notEqual(status, 200, JSON.stringify(body))
      return { status, error: String(body['error']), message: String(body['message']) }
    },
    async stop() {
      await agent.destroy()
      await service.stop({ lingerMs: 0, graceMs: 0 })
    },
  }
}

export type Ens = Awaited<ReturnType<typeof startEns>>

/** A folder for what a service keeps, and the settings that keep it from looking for registries outside. */
export function throwAwayFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-ens-'))
  const bootstrap = join(folder, 'bootstrap.json')
  const services = [[['com'], ['http://127.0.0.1:9/']]]
  writeFileSync(bootstrap, JSON.stringify({ version: '1.0', publication: '2026-01-01T00:00:00Z', services }))
  return {
    settings: { ONOMA_DATA_DIR: folder, ONOMA_RDAP_BOOTSTRAP: bootstrap },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

type Transaction = z.output<typeof UnsignedTransaction>

/** Signs what was prepared with a key of its own and sends it as it is, with not a unit of gas more than was said. */
export function walletOf(privateKey: Hex, rpcUrl: string) {
  const account = privateKeyToAccount(privateKey)
  const client = createWalletClient({ account, chain: mainnet, transport: http(rpcUrl) })
  return {
    address: account.address,
    send({ to, data, value, gas_estimate, chain_id }: Transaction, more: { readonly value?: bigint } = {}) {
      assert.equal(chain_id, mainnet.id)
      const call = { to: to as Hex, data: data as Hex, value: BigInt(value), gas: BigInt(gas_estimate) }
      return client.sendTransaction({ ...call, ...more })
    },
  }
}

export type Wallet = ReturnType<typeof walletOf>

export type RpcCall = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type RpcAnswer = { readonly id: number; readonly result?: unknown }
type Falsify = (call: RpcCall, result: unknown) => unknown

/** Stands before a node and sees all that passes. */
export async function startRelay(target: string) {
  const agent = new Agent()
  const headers = { 'content-type': 'application/json' }
  const asked: string[][] = []
  let outcome = OK
  let reply: ((body: string) => unknown) | undefined
  let ask = (call: RpcCall): RpcCall => call
  let tell: Falsify = (_call, result) => result
  const passOn = async (body: string): Promise<unknown> => {
    const parsed = JSON.parse(body) as RpcCall | RpcCall[]
    const sent = JSON.stringify(Array.isArray(parsed) ? parsed.map(ask) : ask(parsed))
    const passed = await request(target, { dispatcher: agent, method: 'POST', headers, body: sent })
    const answers = (await passed.body.json()) as RpcAnswer | RpcAnswer[]
    const falsified = (call: RpcCall, answer: RpcAnswer): RpcAnswer =>
      'result' in answer ? { ...answer, result: tell(call, answer.result) } : answer
    if (!Array.isArray(parsed)) return falsified(parsed, answers as RpcAnswer)
    return (answers as RpcAnswer[]).map((answer) =>
      falsified(
        parsed.find(({ id }) => id === answer.id)!,
        answer,
      ),
    )
  }
  const server = await serveHttp(
    async ({ body }) => {
      const calls = [JSON.parse(body) as { method: string }].flat() as { method: string }[]
      asked.push(calls.map(({ method }) => method))
      const own = reply?.(body)
      if (own !== undefined) return { outcome, answer: jsonAnswer(own) }
      return { outcome, answer: jsonAnswer(await passOn(body)) }
    },
    { wait: () => Promise.reject(new Error('a relay does not wait')) },
  )
  return {
    url: server.url,
    /** The methods of each request so far; a batch is one request. */
    asked,
    /** How many requests came while something was done. */
    async count(deed: () => Promise<unknown>): Promise<number> {
      const before = asked.length
      await deed()
      return asked.length - before
    },
    /** How requests go from now on. */
    behave(wanted: Outcome) {
      outcome = wanted
    },
    /** Answers itself from now on, where that is not undefined. */
    answerWith(own: (body: string) => unknown) {
      reply = own
    },
    /** Passes on another question than was asked, from now on. */
    rewrite(change: (call: RpcCall) => RpcCall) {
      ask = change
    },
    /** Changes what the node says, from now on. */
    falsify(change: Falsify) {
      tell = change
    },
    async stop() {
      await server.stop()
      await agent.destroy()
    },
  }
}

export type Relay = Awaited<ReturnType<typeof startRelay>>
