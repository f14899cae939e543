import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from './door.ts'
import type { ServerPlan, ServerWord } from './paid-server.ts'
import { ask } from './paid-shop.ts'
import type { PaymentHeaders } from './paid-wallets.ts'

const PROGRAM = join(import.meta.dirname, 'paid-server.ts')
const WAIT_TIMEOUT_MS = 30_000

export type PaidProcess = {
  readonly runs: string[]
  get(path: string, headers?: PaymentHeaders): Promise<Reply>
  post(path: string, body: object, headers?: PaymentHeaders): Promise<Reply>
  /** Resolves when so much work was begun. */
  ran(count: number): Promise<void>
  /** Resolves when this number of requests is held at the point of the plan. */
  held(count: number): Promise<void>
  /** Looks after what was left open; how many payments turned out to be settled. */
  recover(): Promise<number>
  /** kill -9. */
  kill(): Promise<void>
}

/** A shop in a process of its own. */
export async function startPaidProcess(plan: ServerPlan): Promise<PaidProcess> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(plan.folder, 'compiled') }
  const child = fork(PROGRAM, [JSON.stringify(plan)], { env, execArgv: [] })
  const ended = once(child, 'exit')
  const words: ServerWord[] = []
  let changed = Promise.withResolvers<void>()
  const wake = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  child.on('message', (word: ServerWord) => {
    words.push(word)
    wake()
  })
  child.once('exit', wake)
  const heard = <Kind extends ServerWord['kind']>(kind: Kind) =>
    words.filter((word): word is Extract<ServerWord, { kind: Kind }> => word.kind === kind)

  /** The messages of a kind, as soon as there are `count` of them. */
  async function hear<Kind extends ServerWord['kind']>(kind: Kind, count: number) {
    const giveUp = new AbortController()
    const late = sleep(WAIT_TIMEOUT_MS, 'late', { signal: giveUp.signal }).catch(() => undefined)
    try {
      for (;;) {
        const found = heard(kind)
        if (found.length >= count) return found
        if (child.exitCode !== null || child.signalCode !== null) throw new Error('the shop has ended by itself')
        const isLate = await Promise.race([changed.promise, late])
        if (isLate) throw new Error(`${found.length} of ${count} were ${kind}`)
      }
    } finally {
      giveUp.abort()
    }
  }

  const [open] = await hear('open', 1).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    get runs() {
      return heard('run').map(({ item }) => item)
    },
    get: (path, headers = {}) => ask(open!.url + path, headers),
    post: (path, body, headers = {}) =>
      ask(
        open!.url + path,
        { 'content-type': 'application/json', ...headers },
        { method: 'POST', body: JSON.stringify(body) },
      ),
    ran: async (count) => void (await hear('run', count)),
    held: async (count) => void (await hear('held', count)),
    async recover() {
      const { length } = heard('recovered')
      child.send('recover')
      return (await hear('recovered', length + 1)).at(-1)!.settled
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
