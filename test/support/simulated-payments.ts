import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { startService } from '../../src/app/service.ts'
import { TEMPO_USDC } from '../../src/payments/sources/mpp/scheme.ts'
import { BASE_USDC } from '../../src/payments/sources/x402/network.ts'

export const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Settings of a service that has nobody to ask: only what is about money works. */
export const ALONE = {
  PORT: '0',
  ENS_PORT: '0',
  ONOMA_METRICS: 'off',
  ONOMA_ETH_RPC_URLS: 'http://127.0.0.1:1',
  ONOMA_DNS_SERVERS: '127.0.0.1:1',
}

export type Payment = {
  readonly scheme: string
  readonly payer: string
  readonly endpoint: string
  readonly usd: string
  readonly state: string
  readonly transaction?: string
}

/** The real service over HTTP, with play money, and what is needed to look at that. */
export async function startSimulatedPayments() {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-payments-'))
  const config = loadConfig({ ...ALONE, ONOMA_SANDBOX: 'on', ONOMA_DATA_DIR: folder })
  const service = await startService(config, { log: quiet })
  const { wallet, baseUrl, tempoUrl } = service.payments.simulated!
  const chains = {
    x402: (address: string) => balanceOf(baseUrl, BASE_USDC.address, address),
    mpp: (address: string) => balanceOf(tempoUrl, TEMPO_USDC, address),
  }
  return {
    url: service.url,
    folder,
    tempoUrl,
    wallet,
    account: privateKeyToAccount(wallet.privateKey),
    /** Where to hear a word again for $0.05. */
    echo: (say: string) => `${service.url}/v1/sandbox/echo?${String(new URLSearchParams({ say }))}`,
    balance: (chain: keyof typeof chains, address: string = wallet.address) => chains[chain](address),
    async ledger(): Promise<Payment[]> {
      const response = await fetch(`${service.url}/v1/sandbox/ledger`)
      return ((await response.json()) as { payments: Payment[] }).payments
    },
    async stop() {
      await service.stop({ lingerMs: 0, graceMs: 0 })
      rmSync(folder, { recursive: true })
    },
  }
}

export type SimulatedPayments = Awaited<ReturnType<typeof startSimulatedPayments>>

/** In millionths of a dollar, as a node of the chain tells it. */
async function balanceOf(node: string, token: string, address: string): Promise<bigint> {
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: token, data }, 'latest'] }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(node, { method: 'POST', headers, body: JSON.stringify(body) })
  return BigInt(((await response.json()) as { result: string }).result)
}
