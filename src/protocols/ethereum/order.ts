import type { Clock } from '../../kernel/clock.ts'
import type { UpstreamError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Node } from './node.ts'

export type NodeStats = {
  readonly name: string
  readonly asked: number
  readonly failed: number
  readonly state: 'ready' | 'failing' | 'wrong chain'
}

export type Member = {
  readonly node: Node
  asked: number
  failed: number
  isFailing: boolean
  restsUntil: number
}

/** Who is asked before whom. */
export type Order = {
  readonly members: readonly Member[]
  /** As configured, those that failed a short while ago behind the others; without those that serve another chain. */
  candidates(): Member[]
  begin(member: Member): Attempt
  stats(): readonly NodeStats[]
}

/** To be told what became of it; of an attempt nobody waited for, nothing. */
type Attempt = { succeeded(): void; failed(error: UpstreamError): void }

type Needs = { readonly clock: Clock; readonly log: Log; readonly restMs: number }

export function createOrder(nodes: readonly Node[], { clock, log, restMs }: Needs): Order {
  const members = nodes.map((node): Member => ({ node, asked: 0, failed: 0, isFailing: false, restsUntil: 0 }))

  return {
    members,
    candidates() {
      const now = clock.monotonic()
      const rank = ({ restsUntil }: Member) => (restsUntil > now ? restsUntil : 0)
      return members
        .filter(({ node }) => node.foreignChain === undefined)
        .sort((first, second) => rank(first) - rank(second))
    },
    begin(own) {
      own.asked++
      // Whoever tries it again does so alone: the others do not wait for it until it has answered.
      if (own.isFailing) own.restsUntil = clock.monotonic() + restMs
      return {
        succeeded() {
          if (own.isFailing) log.info({ node: own.node.name }, 'an Ethereum node answers again')
          own.isFailing = false
          own.restsUntil = 0
        },
        failed(error) {
          const isNews = !own.isFailing && own.node.foreignChain === undefined
          if (isNews) log.warn({ node: own.node.name, error }, 'an Ethereum node failed')
          own.failed++
          own.isFailing = true
          own.restsUntil = clock.monotonic() + restMs
          own.node.doubt()
        },
      }
    },
    stats: () =>
      members.map(({ node, asked, failed, isFailing }) => ({
        name: node.name,
        asked,
        failed,
        state: node.foreignChain !== undefined ? 'wrong chain' : isFailing ? 'failing' : 'ready',
      })),
  }
}
