import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { mainnet } from 'viem/chains'
import type * as z from 'zod'
import { serveHttp } from '../../sandbox/http-server.ts'
import { OK, type Outcome } from '../../sandbox/outcome.ts'
import { jsonAnswer } from '../../sandbox/play-http.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { startService } from '../../src/app/service.ts'
import type { UnsignedTransaction } from '../../src/ens/contract/shapes.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Endpoint } from '../../src/kernel/endpoint.ts'
import type { Log } from '../../src/kernel/log.ts'

type StartOptions = { readonly settings: Readonly<Record<string, string>>; readonly clock: Clock; readonly log?: Log }

export type Refusal = { readonly status: number; readonly error: string; readonly message: string }

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** Starts the whole service, with a client that knows only the contract and the URL. */
export async function startEns({ settings, clock, log = silent }: StartOptions) {
  const own = { PORT: '0', ONOMA_METRICS: 'off', ONOMA_SANDBOX: 'on', ONOMA_RATE_LIMIT: '65535' }
  // In the settings 0 turns the second listener off; for the service it means any free port.
  const service = await startService({ ...loadConfig({ ...own, ...settings }), ensPort: 0 }, { log, clock })
  await service.settled
  const agent = new Agent()
  const get = async (url: string) => {
    const { statusCode, body } = await request(url, { dispatcher: agent })
    return { status: statusCode, body: (await body.json()) as Record<string, unknown> }
  }
  const send = async ({ method, path }: Endpoint, input: Readonly<Record<string, unknown>>) => {
    if (method === 'GET') {
      const parameters = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)])
      return get(`${service.url}${path}?${String(new URLSearchParams(parameters))}`)
    }
    const headers = { 'content-type': 'application/json' }
    const options = { dispatcher: agent, method, headers, body: JSON.stringify(input) }
    const { statusCode, body } = await request(`${service.url}${path}`, options)
    return { status: statusCode, body: (await body.json()) as Record<string, unknown> }
  }
  return {
    ensUrl: service.ensUrl!,
    get,
    /** The response, whatever its status. */
    send,
    /** The body of a response that must be 200 and have exactly the fields of the contract. */
    async ask<I extends z.ZodObject, O extends z.ZodType>(endpoint: Endpoint<I, O>, input: z.input<I>) {
      const { status, body } = await send(endpoint, input)
      assert.equal(status, 200, JSON.stringify(body))
      const answer = endpoint.output.parse(body)
      assert.deepEqual(answer, body)
      return answer
    },
    /** The error of a request that must fail. */
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

/** A data folder, and settings that keep the service from contacting registries. */
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

/** Signs a prepared transaction and sends it unchanged, with `gas_estimate` as its gas limit. */
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

/** A proxy in front of a node that records and can change requests and responses. */
export async function startRelay(target: string) {
  const agent = new Agent()
  const headers = { 'content-type': 'application/json' }
  const asked: string[][] = []
  let outcome = OK
  let reply: ((body: string) => unknown) | undefined
  let rewriteCall = (call: RpcCall): RpcCall => call
  let falsifyResult: Falsify = (_call, result) => result
  const forward = async (body: string): Promise<unknown> => {
    const parsed = JSON.parse(body) as RpcCall | RpcCall[]
    const sent = JSON.stringify(Array.isArray(parsed) ? parsed.map(rewriteCall) : rewriteCall(parsed))
    const passed = await request(target, { dispatcher: agent, method: 'POST', headers, body: sent })
    const answers = (await passed.body.json()) as RpcAnswer | RpcAnswer[]
    const falsified = (call: RpcCall, answer: RpcAnswer): RpcAnswer =>
      'result' in answer ? { ...answer, result: falsifyResult(call, answer.result) } : answer
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
      return { outcome, answer: jsonAnswer(await forward(body)) }
    },
    { wait: () => Promise.reject(new Error('a relay never waits')) },
  )
  return {
    url: server.url,
    /** The RPC methods of each HTTP request so far; a batch is one request. */
    asked,
    /** How many requests an action causes. */
    async count(action: () => Promise<unknown>): Promise<number> {
      const before = asked.length
      await action()
      return asked.length - before
    },
    /** How the relay responds from now on. */
    behave(wanted: Outcome) {
      outcome = wanted
    },
    /** Responds with this from now on; undefined forwards the request. */
    answerWith(own: (body: string) => unknown) {
      reply = own
    },
    /** Changes every call before it is forwarded, from now on. */
    rewrite(change: (call: RpcCall) => RpcCall) {
      rewriteCall = change
    },
    /** Changes every result of the node, from now on. */
    falsify(change: Falsify) {
      falsifyResult = change
    },
    async stop() {
      await server.stop()
      await agent.destroy()
    },
  }
}

export type Relay = Awaited<ReturnType<typeof startRelay>>
