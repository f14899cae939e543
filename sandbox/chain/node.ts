import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import { serveHttp } from '../http-server.ts'
import { OK, type Outcome } from '../outcome.ts'
import { jsonAnswer } from '../play-http.ts'
import type { Wait } from '../simulator.ts'
import { ADMIN, NEIGHBOUR, WALLET } from './accounts.ts'

export type Rpc = (method: string, params?: readonly unknown[]) => Promise<unknown>

/** An Ethereum node with an empty chain, in this process: it cannot outlive it. */
export type Node = {
  /** Of its JSON-RPC over HTTP. */
  readonly url: string
  /** A second address of the same chain, for those who compare what two nodes say. */
  readonly secondUrl: string
  /** The same without HTTP. Throws an error with the `code` and the `data` of the node's. */
  readonly rpc: Rpc
  /** How many requests came over HTTP; a batch is one. */
  posts(): number
  /** How requests over HTTP go from now on; well, until somebody says otherwise. */
  behave(outcome: Outcome): void
  stop(): Promise<void>
}

type Options = {
  /** Of the first block. */
  readonly genesis: Date
  readonly wait: Wait
  /** Ethereum mainnet's by default. */
  readonly chainId?: number
}

const ETHER = 10n ** 18n

export async function startNode({ genesis, wait, chainId = 1 }: Options): Promise<Node> {
  // Hardhat reports its own surprises to its makers where standard output is a terminal.
  process.env['HARDHAT_DISABLE_TELEMETRY'] = 'true'
  const hardhat = await createHardhatRuntimeEnvironment({
    networks: {
      mainnet: {
        type: 'edr-simulated',
        chainType: 'l1',
        chainId,
        networkId: chainId,
        initialDate: genesis,
        accounts: [WALLET, NEIGHBOUR, ADMIN].map(({ privateKey }) => ({ privateKey, balance: 10_000n * ETHER })),
        // As on mainnet: a transaction that fails is sent all the same, and its receipt tells.
        throwOnTransactionFailures: false,
      },
    },
  })
  const connection = await hardhat.network.create({ network: 'mainnet', chainType: 'l1' })
  const rpc: Rpc = (method, params = []) => connection.provider.request({ method, params: [...params] })
  let posts = 0
  let outcome = OK
  const serve = () =>
    serveHttp(
      async ({ body }) => {
        posts += 1
        return { outcome, answer: jsonAnswer(await respondToAll(rpc, body)) }
      },
      { wait },
    )
  const [server, second] = [await serve(), await serve()]
  return {
    url: server.url,
    secondUrl: second.url,
    rpc,
    posts: () => posts,
    behave(wanted) {
      outcome = wanted
    },
    async stop() {
      await server.stop()
      await second.stop()
      // Blocks that come by themselves would come for ever.
      await rpc('evm_setIntervalMining', [0])
      await connection.close()
    },
  }
}

async function respondToAll(rpc: Rpc, body: string): Promise<object> {
  const asked = JSON.parse(body) as Request | Request[]
  return Array.isArray(asked) ? Promise.all(asked.map((request) => respond(rpc, request))) : respond(rpc, asked)
}

type Request = { readonly id?: unknown; readonly method: string; readonly params?: readonly unknown[] }

async function respond(rpc: Rpc, { id = null, method, params = [] }: Request): Promise<object> {
  try {
    return { jsonrpc: '2.0', id, result: await rpc(method, params) }
  } catch (error) {
    const { code = -32603, message, data } = error as Error & { code?: number; data?: unknown }
    // Nodes of mainnet give the bytes of a revert, and nothing else, as data.
    return { jsonrpc: '2.0', id, error: { code, message, ...(typeof data === 'string' && { data }) } }
  }
}
