import { UpstreamError } from '../../src/kernel/errors.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { createRecorder, type Exchange, type Recorder } from './recorder.ts'

/** One provider: it is asked once or twice, and its answer is read by the same code as in the service. */
export type Probe = {
  /** The kind of provider; the heading of a part of the table. */
  readonly group: string
  readonly provider: string
  /** Probes of one host run one after another, with a pause between them. */
  readonly host: string
  /** Returns one line about what was read. Throws if there is no answer, or if it cannot be read. */
  run(recorder: Recorder, signal: AbortSignal): Promise<string>
}

/** The answer arrived, and it is not what our reader expects. */
export class UnexpectedShape extends Error {
  override readonly name = 'UnexpectedShape'
}

export const STATUSES = {
  ok: 'answered as our reader expects',
  changed: 'answered, but our reader does not understand it',
  limited: 'says that it is asked too often',
  refused: 'refuses to answer us (403, or it wants an account)',
  unreachable: 'does not answer: no connection, a timeout or a server error',
} as const

type Status = keyof typeof STATUSES

export type Finding = Pick<Probe, 'group' | 'provider' | 'host'> & {
  readonly status: Status
  /** What was read, or what is wrong. */
  readonly detail: string
  readonly elapsedMs: number
  readonly exchanges: readonly Exchange[]
}

type Options = {
  readonly clock: Clock
  /** Sleeps between two probes of one host. */
  readonly wait: (ms: number) => Promise<void>
  readonly timeoutMs?: number
  readonly onFinding?: (finding: Finding) => void
}

/** Registries count queries per minute; nobody minds one per second. */
const PAUSE_MS = 1_000
const MAX_CONCURRENT_HOSTS = 8
const TIMEOUT_MS = 20_000

/** Runs all probes, several hosts at a time. The findings are in the order of the probes. Never rejects. */
export async function runProbes(probes: readonly Probe[], options: Options): Promise<readonly Finding[]> {
  const { wait, onFinding } = options
  const findings = new Map<Probe, Finding>()
  const hosts = [...Map.groupBy(probes, ({ host }) => host).values()]
  const work = async (): Promise<void> => {
    for (let queue = hosts.shift(); queue !== undefined; queue = hosts.shift()) {
      for (const [at, probe] of queue.entries()) {
        if (at > 0) await wait(PAUSE_MS)
        const finding = await runProbe(probe, options)
        findings.set(probe, finding)
        onFinding?.(finding)
      }
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT_HOSTS }, work))
  return probes.map((probe) => findings.get(probe)!)
}

async function runProbe(probe: Probe, { clock, timeoutMs = TIMEOUT_MS }: Options): Promise<Finding> {
  const { group, provider, host } = probe
  const recorder = createRecorder()
  const startedAt = clock.monotonic()
  const end = (status: Status, detail: string): Finding => ({
    group,
    provider,
    host,
    status,
    detail,
    elapsedMs: Math.round(clock.monotonic() - startedAt),
    exchanges: recorder.exchanges,
  })
  try {
    return end('ok', await probe.run(recorder, AbortSignal.timeout(timeoutMs)))
  } catch (error) {
    return end(statusOf(error, recorder), error instanceof Error ? error.message : String(error))
  }
}

function statusOf(error: unknown, recorder: Recorder): Status {
  if (error instanceof UnexpectedShape) return 'changed'
  if (error instanceof UpstreamError && error.failure === 'rate_limited') return 'limited'
  if (error instanceof UpstreamError && error.failure === 'auth_error') return 'refused'
  // The reader failed after the answer had arrived; readers throw the same error for a server that fails.
  return recorder.isAnswered() ? 'changed' : 'unreachable'
}
