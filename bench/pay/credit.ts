import type { Children } from '../children.ts'
import { MAX_OTHERS_BUSY, type Round, round, waitForCalm } from '../contest.ts'
import type { Plan } from './measure.ts'
import { startLoad } from './measure.ts'

/** Rounds of one server, one after the other: the same endpoint free, paid with credit, and with an idempotency key each. */
export type CreditTurn = { readonly plain: Round; readonly credit: Round }
export const LEDGERS = ['file', 'memory'] as const
export type CreditTurns = Readonly<Record<(typeof LEDGERS)[number], readonly CreditTurn[]>>

type Options = { readonly profile: string | undefined; showProgress(what: string): void }

const PATHS = { plain: '/v1/sandbox/free-echo?say=00000000', credit: '/v1/sandbox/echo?say=00000000' } as const

/** Requests that are paid with credit beside the same requests of a free endpoint, on one server. */
export async function measureCredit(
  children: Children,
  plan: Plan,
  { profile, showProgress }: Options,
): Promise<CreditTurns> {
  const turns: Record<(typeof LEDGERS)[number], CreditTurn[]> = { file: [], memory: [] }
  for (const ledger of LEDGERS) {
    const nodeOptions = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
    const server = children.start(new URL('credit-server.ts', import.meta.url), { args: [ledger], nodeOptions })
    const { url, token } = (await server.line('url')) as { url: string; token: string }
    const headers = [`Authorization: Bearer ${token}`]
    const loads = {
      plain: startLoad(children, { target: PATHS.plain, status: 200, clients: 0 }),
      credit: startLoad(children, { target: PATHS.credit, status: 200, clients: 0, headers }),
    }
    const body = await (await fetch(url + PATHS.plain)).text()
    const run = (what: keyof typeof loads, seconds: number) =>
      round(loads[what], { child: server, port: Number(new URL(url).port), body }, plan.connections, { seconds })
    for (let turn = 0; turn <= plan.turns * plan.starts; turn++) {
      showProgress(`credit, ledger in ${ledger}, ${turn === 0 ? 'warming up' : `turn ${turn}`}`)
      if (turn > 0) await waitForCalm(plan.maxWaitSeconds * 1000)
      const seconds = turn === 0 ? plan.warmUpSeconds : plan.seconds
      const first = turn % 2 === 0 ? await run('plain', seconds) : undefined
      const credit = await run('credit', seconds)
      const plain = first ?? (await run('plain', seconds))
      if (turn > 0) turns[ledger].push({ plain, credit })
    }
    await Promise.all([server, ...Object.values(loads)].map((child) => child.stop()))
  }
  return turns
}

/** Leaves out disturbed turns, unless fewer than three would remain. */
export function calmCreditTurns(turns: readonly CreditTurn[]): readonly CreditTurn[] {
  const calm = turns.filter(({ plain, credit }) => Math.max(plain.othersBusy, credit.othersBusy) <= MAX_OTHERS_BUSY)
  return calm.length >= 3 ? calm : turns
}
