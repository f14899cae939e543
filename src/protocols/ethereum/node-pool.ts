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

export type PoolMember = {
  readonly node: Node
  asked: number
  failed: number
  isFailing: boolean
  cooldownUntil: number
}

/** The nodes, in the order in which they are tried. */
export type NodePool = {
  readonly members: readonly PoolMember[]
  /** In configured order, with recently failed nodes last and nodes of another chain excluded. */
  candidates(): PoolMember[]
  begin(member: PoolMember): Attempt
  stats(): readonly NodeStats[]
}

/** Call one of these with the result; neither if the attempt was aborted. */
type Attempt = { succeeded(): void; failed(error: UpstreamError): void }

type Needs = { readonly clock: Clock; readonly log: Log; readonly cooldownMs: number }

export function createNodePool(nodes: readonly Node[], { clock, log, cooldownMs }: Needs): NodePool {
  const members = nodes.map((node): PoolMember => ({ node, asked: 0, failed: 0, isFailing: false, cooldownUntil: 0 }))

  return {
    members,
    candidates() {
      const now = clock.monotonic()
      const rank = ({ cooldownUntil }: PoolMember) => (cooldownUntil > now ? cooldownUntil : 0)
      return members
        .filter(({ node }) => node.foreignChain === undefined)
        .sort((first, second) => rank(first) - rank(second))
    },
    begin(own) {
      own.asked++
      // Only one caller retries a failing node; the others skip it until it has answered.
      if (own.isFailing) own.cooldownUntil = clock.monotonic() + cooldownMs
      return {
        succeeded() {
          if (own.isFailing) log.info({ node: own.node.name }, 'an Ethereum node answers again')
          own.isFailing = false
          own.cooldownUntil = 0
        },
        failed(error) {
          const isNews = !own.isFailing && own.node.foreignChain === undefined
          if (isNews) log.warn({ node: own.node.name, error }, 'an Ethereum node failed')
          own.failed++
          own.isFailing = true
          own.cooldownUntil = clock.monotonic() + cooldownMs
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
