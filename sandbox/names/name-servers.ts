import type { Wait } from '../simulator.ts'
import { chanceOf } from './chance.ts'
import type { Tally } from './counters.ts'
import { authorityAnswer, lie, recursorAnswer, truthAbout } from './dns-answer.ts'
import { type DnsServer, serveDns } from './dns-server.ts'
import { FINE } from './fate.ts'
import type { Board, NameServerId } from './knobs.ts'

type Needs = { readonly seed: number; readonly wait: Wait; readonly board: Board; readonly tally: Tally }

/** The two servers of all TLDs (`a`, `b`), or the recursive resolver. */
export function serveNames(id: NameServerId, { seed, wait, board, tally }: Needs): Promise<DnsServer> {
  const luck = chanceOf(seed, 'lost datagrams', id)
  const count = tally.dns[id]
  const answerFor = id === 'recursor' ? recursorAnswer : authorityAnswer
  return serveDns({
    wait,
    hears(over) {
      const { dropShare, silent } = board.dns()
      count[over]++
      if (silent.includes(id)) return false
      const isLost = over === 'udp' && dropShare > 0 && luck.fraction() < dropShare
      if (isLost) count.dropped++
      return !isLost
    },
    respond(question, query) {
      const { latencyMs, lyingRecursor } = board.dns()
      const asked = { question, query, seed }
      if (id === 'recursor' && lyingRecursor) return { outcome: FINE.dns, draft: lie(asked), latencyMs }
      const { dns: outcome } = truthAbout(question.name, seed)?.fate ?? FINE
      return { outcome, draft: answerFor(asked), latencyMs }
    },
  })
}
