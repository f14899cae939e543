import type { Wait } from '../simulator.ts'
import { chanceOf } from './chance.ts'
import type { CounterStore } from './counters.ts'
import { authorityAnswer, lyingAnswer, recursorAnswer, truthAbout } from './dns-answer.ts'
import { type DnsServer, serveDns } from './dns-server.ts'
import { ALL_OK } from './scripted-outcomes.ts'
import type { ServerState, NameServerId } from './knobs.ts'

type Needs = {
  readonly seed: number
  readonly wait: Wait
  readonly state: ServerState
  readonly counters: CounterStore
}

/** The two servers of all TLDs (`a`, `b`), or the recursive resolver. */
export function serveNames(id: NameServerId, { seed, wait, state, counters }: Needs): Promise<DnsServer> {
  const random = chanceOf(seed, 'lost datagrams', id)
  const count = counters.dns[id]
  const answerFor = id === 'recursor' ? recursorAnswer : authorityAnswer
  return serveDns({
    wait,
    accepts(over) {
      const { dropShare, silent } = state.dns()
      count[over]++
      if (silent.includes(id)) return false
      const isLost = over === 'udp' && dropShare > 0 && random.fraction() < dropShare
      if (isLost) count.dropped++
      return !isLost
    },
    respond(question, query) {
      const { latencyMs: everywhereMs, recursorLatencyMs, lyingRecursor } = state.dns()
      const latencyMs = id === 'recursor' ? (recursorLatencyMs ?? everywhereMs) : everywhereMs
      const context = { question, query, seed }
      if (id === 'recursor' && lyingRecursor) return { outcome: ALL_OK.dns, draft: lyingAnswer(context), latencyMs }
      const { dns: outcome } = truthAbout(question.name, seed)?.outcomes ?? ALL_OK
      return { outcome, draft: answerFor(context), latencyMs }
    },
  })
}
