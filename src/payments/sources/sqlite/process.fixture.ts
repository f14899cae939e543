import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { systemClock } from '../../../kernel/clock.ts'
import { type Fault, faultyLedger } from '../../../../test/support/faulty-ledger.ts'
import type { CreditStore } from '../../credit.ts'
import type { Claim } from '../../ledger.ts'
import type { PrunableLedger } from '../retention.ts'
import { sqliteLedger } from '../sqlite-ledger.ts'

type Method = Exclude<keyof PrunableLedger, 'close' | 'id' | 'credits'>
type CreditMethod = keyof CreditStore
type Call = {
  readonly id: number
  readonly method: Method | `credits ${CreditMethod}` | 'churn'
  readonly args: readonly unknown[]
}
type Reply = { readonly id: number; readonly result?: unknown; readonly error?: string }

export type LedgerProcess = {
  /** The ledger as that process has it. */
  readonly ledger: Omit<PrunableLedger, 'close' | 'id' | 'credits'>
  readonly credits: CreditStore
  /** Lets it write without end and kills it after at least `writes` writes. Returns the acknowledged writes. */
  killAmidWork(writes: number): Promise<readonly string[]>
  /** Resolves when the process is gone. */
  readonly ended: Promise<unknown>
  end(): Promise<void>
}

type Options = {
  readonly plan?: readonly (Fault & { readonly how: 'throw' | 'kill' })[]
  /** The largest file it may write, in blocks of 512 bytes: a disk that is full. */
  readonly maxFileBlocks?: number
}

export const createClaim = (key: string, owner: string, more: Partial<Claim> = {}): Claim => ({
  key,
  fingerprint: 'GET /v1/intel?domain=a.example',
  owner,
  leaseMs: 60_000,
  details: { scheme: 'x402', payer: '0xPayer', endpoint: 'intel', micros: 50_000n },
  payment: 'p'.repeat(1500),
  ...more,
})

/** Opens the ledger of a folder in a process of its own, which never outlives this one. */
export async function startLedgerProcess(
  folder: string,
  { plan = [], maxFileBlocks: largestFile }: Options = {},
): Promise<LedgerProcess> {
  const command = [process.execPath, import.meta.filename, folder, JSON.stringify(plan)]
  const limited = largestFile === undefined ? 'exec "$0" "$@"' : `ulimit -f ${largestFile} && exec "$0" "$@"`
  const child = spawn('sh', ['-c', limited, ...command], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: { PATH: process.env['PATH'] },
  })
  const ended = once(child, 'close')
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  child.on('message', ({ id, result, error }: Reply) => {
    if (error === undefined) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(error))
    waiting.delete(id)
  })
  child.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the process of the ledger is gone'))
  })
  let calls = 0
  const ask = (method: Call['method'], args: readonly unknown[]): Promise<unknown> => {
    const id = calls++
    const reply = Promise.withResolvers<unknown>()
    waiting.set(id, reply)
    child.send({ id, method, args } satisfies Call, (error) => error && reply.reject(error))
    return reply.promise
  }
  const remote = <Name extends Method>(method: Name) =>
    ((...args: readonly unknown[]) => ask(method, args)) as PrunableLedger[Name]

  const methods = [
    'claim',
    'compute',
    'sending',
    'resending',
    'spent',
    'unpriced',
    'settle',
    'delivered',
    'release',
    'yield',
    'find',
    'findNamed',
    'unsettled',
    'dueRechecks',
    'recheck',
    'list',
    'prune',
  ] as const
  const ledger = Object.fromEntries(methods.map((method) => [method, remote(method)])) as LedgerProcess['ledger']
  const creditMethods = ['attach', 'secretOf', 'find', 'draw', 'confirm', 'giveBack', 'outstanding'] as const
  const credits = Object.fromEntries(
    creditMethods.map((method) => [method, (...args: readonly unknown[]) => ask(`credits ${method}`, args)]),
  ) as CreditStore
  let said = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (said += text))
  await Promise.race([ask('list', [0]), ended])
  return {
    ledger,
    credits,
    ended,
    async killAmidWork(writes) {
      child.stdout!.on('data', () => said.split('\n').length > writes && child.kill('SIGKILL'))
      await ask('churn', []).catch(() => {})
      await ended
      // What stands after the last line end was being said when it died.
      return said.split('\n').slice(0, -1)
    },
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

if (import.meta.main) {
  const [, , folder = '', plan = '[]'] = process.argv
  const ledger = faultyLedger(sqliteLedger({ folder, clock: systemClock }), JSON.parse(plan) as Fault[])
  process.on('message', ({ id, method, args }: Call) => {
    const [first, second] = method.split(' ') as [Method | 'churn' | 'credits', CreditMethod]
    const found = first === 'churn' ? churn : first === 'credits' ? ledger.credits[second] : ledger[first]
    const act = found as (...args: readonly unknown[]) => Promise<unknown>
    act(...args).then(
      (result) => process.send!({ id, result } satisfies Reply),
      (error: unknown) => process.send!({ id, error: String(error) } satisfies Reply),
    )
  })

  /** Payment after payment, and a line for every write that was acknowledged. */
  const churn = async (): Promise<never> => {
    const say = (words: string) => writeSync(1, `${words}\n`)
    for (let serial = 0; ; serial++) {
      const key = `${process.pid}:${serial}`
      await ledger.claim(createClaim(key, 'it'))
      say(`${key} claimed`)
      await ledger.compute(key, 'it', { status: 200, body: JSON.stringify({ key, text: 'x'.repeat(3000) }) })
      say(`${key} computed`)
      await ledger.settle(key, 'it', { transaction: key, headers: [] })
      say(`${key} settled`)
    }
  }
}
