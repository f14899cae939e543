import type { Outbound } from '../../src/app/wiring/outbound.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'
import type { Upstream } from '../../src/kernel/upstream/client.ts'
import type { Whois43 } from '../../src/protocols/whois43/client.ts'

/** A question and the beginning of its answer, for the report. */
export type Exchange = {
  /** Without the query of a URL that may carry a secret: probes send none. */
  readonly question: string
  /** A status and content type, or why no answer arrived. */
  readonly outcome: string
  /** The first characters of the answer. */
  readonly answer: string
}

/** Keeps what was asked and answered while a reader works. */
export type Recorder = {
  readonly exchanges: readonly Exchange[]
  /** Whether the last question was answered. */
  isAnswered(): boolean
  record(question: string, outcome: string, answer: string | Uint8Array): void
  upstream<U extends Pick<Upstream, 'request'>>(upstream: U): U
  /** Records what every client that it opens sends. */
  outbound(outbound: Outbound): Outbound
  whois(client: Whois43): Whois43
}

const MAX_ANSWER_CHARACTERS = 2_000

export function createRecorder(): Recorder {
  const exchanges: Exchange[] = []
  let answered = false
  const record: Recorder['record'] = (question, outcome, answer) => {
    answered = true
    exchanges.push({ question, outcome, answer: beginningOf(answer) })
  }
  /** Records the answer, or that none arrived. */
  const recorded = async <T>(
    question: string,
    send: () => Promise<T>,
    read: (reply: T) => readonly [outcome: string, answer: string | Uint8Array],
  ): Promise<T> => {
    answered = false
    try {
      const reply = await send()
      record(question, ...read(reply))
      return reply
    } catch (error) {
      const outcome = error instanceof UpstreamError ? error.failure : 'no answer'
      exchanges.push({ question, outcome, answer: '' })
      throw error
    }
  }
  const upstream: Recorder['upstream'] = (client) => ({
    ...client,
    request: (request) =>
      recorded(
        `${request.method ?? 'GET'} ${String(request.url)}`,
        () => client.request(request),
        ({ status, headers, body }) => [`${status} ${headers['content-type'] ?? 'without a content type'}`, body],
      ),
  })
  return {
    exchanges,
    isAnswered: () => answered,
    record,
    upstream,
    outbound: (outbound) => ({ ...outbound, open: (...given) => upstream(outbound.open(...given)) }),
    whois: (client) => ({
      query: (request) =>
        recorded(
          `${request.server}: ${request.domain}`,
          () => client.query(request),
          ({ charset, text }) => [charset, text],
        ),
    }),
  }
}

function beginningOf(answer: string | Uint8Array): string {
  const text = typeof answer === 'string' ? answer : Buffer.from(answer.subarray(0, MAX_ANSWER_CHARACTERS)).toString()
  return text.slice(0, MAX_ANSWER_CHARACTERS)
}
