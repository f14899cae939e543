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

/** The whole service, and a client that only uses its contract and its URL. */
export async function startEns({ settings, clock, log = silent }: World) {
  const own = { PORT: '0', ONOMA_METRICS: 'off', ONOMA_SANDBOX: 'on', ONOMA_RATE_LIMIT: '65535' }
  // In the settings, 0 turns the second listener off; for the service, 0 is a free port.
  const service = await startService({ ...loadConfig({ ...own, ...settings }), ensPort: 0 }, { log, clock })
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
    /** The body of a 200 response with exactly the fields of the contract. */
    async ask<I extends z.ZodObject, O extends z.ZodType>(endpoint: Endpoint<I, O>, input: z.input<I>) {
      const { status, body } = await send(endpoint, input)
      assert.equal(status, 200, JSON.stringify(body))
      const output = endpoint.output.parse(body)
      assert.deepEqual(output, body)
      return output
    },
    /** The error response. */
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

/** A temporary data folder, and settings that keep the service from contacting real registries. */
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

/** A wallet that signs prepared transactions and sends them unchanged, with exactly the estimated gas. */
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
type RpcReply = { readonly id: number; readonly result?: unknown }
type ResultChange = (call: RpcCall, result: unknown) => unknown

/** A proxy in front of a node that records all requests and can change requests and responses. */
export async function startRelay(target: string) {
  const agent = new Agent()
  const headers = { 'content-type': 'application/json' }
  const asked: string[][] = []
  let outcome = OK
  let reply: ((body: string) => unknown) | undefined
  let changeCall = (call: RpcCall): RpcCall => call
  let changeResult: ResultChange = (_call, result) => result
  const forward = async (body: string): Promise<unknown> => {
    const parsed = JSON.parse(body) as RpcCall | RpcCall[]
    const sent = JSON.stringify(Array.isArray(parsed) ? parsed.map(changeCall) : changeCall(parsed))
    const response = await request(target, { dispatcher: agent, method: 'POST', headers, body: sent })
    const answers = (await response.body.json()) as RpcReply | RpcReply[]
    const falsified = (call: RpcCall, answer: RpcReply): RpcReply =>
      'result' in answer ? { ...answer, result: changeResult(call, answer.result) } : answer
    if (!Array.isArray(parsed)) return falsified(parsed, answers as RpcReply)
    return (answers as RpcReply[]).map((answer) =>
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
    { wait: () => Promise.reject(new Error('a relay does not wait')) },
  )
  return {
    url: server.url,
    /** The methods of each request so far; a batch is one request. */
    asked,
    /** The number of requests during an action. */
    async count(action: () => Promise<unknown>): Promise<number> {
      const before = asked.length
      await action()
      return asked.length - before
    },
    /** Sets the outcome of all further requests. */
    behave(wanted: Outcome) {
      outcome = wanted
    },
    /** Replies itself from now on, unless the function returns undefined. */
    answerWith(own: (body: string) => unknown) {
      reply = own
    },
    /** Changes all further calls before they are forwarded. */
    rewrite(change: (call: RpcCall) => RpcCall) {
      changeCall = change
    },
    /** Changes all further results of the node. */
    falsify(change: ResultChange) {
      changeResult = change
    },
    async stop() {
      await server.stop()
      await agent.destroy()
    },
  }
}

export type Relay = Awaited<ReturnType<typeof startRelay>>
