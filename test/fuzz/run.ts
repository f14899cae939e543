import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld } from '../../sandbox/world.ts'
import { LEGACY_TIMEOUT_MS } from '../../src/availability/contract.ts'
import type { Json } from '../../src/surfaces/openapi/schemas.ts'
import { conformTo } from '../support/conformity.ts'
import { createDelayMeter } from '../support/hang.ts'
import { freePort } from '../support/servers/process.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { createFuzzClient, type FuzzReply } from './client.ts'
import { createRequests, type FuzzRequest, operationIds, SECRETS } from './requests.ts'
import { MARK } from './values.ts'

export type FuzzPlan = {
  readonly seed: number
  readonly requests: number
  /** Index of the first request. */
  readonly first?: number
  readonly clients: number
  onProgress?(sent: number): void
}

export type FuzzReport = {
  readonly sent: number
  readonly left: number
  readonly seconds: number
  /** Answers by operation and status. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly slowest: { readonly operation: string; readonly ms: number }
  readonly problems: readonly string[]
}

/** The time that an operation may take, where it is more than usual: an answer later than that and a margin is a hang. */
const TIMEOUT_MS: Readonly<Record<string, number>> = { checkBulk: 60_000, checkDomainsLegacy: LEGACY_TIMEOUT_MS }
const USUAL_TIMEOUT_MS = 20_000
/** For a busy machine. */
const MARGIN_MS = 8_000
const timeoutOf = ({ operation }: FuzzRequest): number => (TIMEOUT_MS[operation] ?? USUAL_TIMEOUT_MS) + MARGIN_MS
const MAX_PROBLEMS = 50
/** Keys of the service that must not appear in a log, a metric or an answer. */
const SERVICE_KEY = 'a-key-of-the-service-that-nobody-may-see'

/** Starts the service with a simulated internet, sends requests made from its own OpenAPI document and judges the answers. */
export async function fuzz({ seed, requests, first = 0, clients, onProgress }: FuzzPlan): Promise<FuzzReport> {
  const world = await startWorld(SIMULATORS, { seed: 1 })
  try {
    const cwd = join(world.folder, 'empty')
    await mkdir(cwd)
    const service = await startServiceProcess({
      cwd,
      env: {
        ...world.settings,
        PORT: '0',
        ENS_PORT: String(await freePort()),
        ONOMA_METRICS: '127.0.0.1:0',
        ONOMA_SANDBOX: 'on',
        ONOMA_KEYS: SERVICE_KEY,
        ONOMA_RATE_LIMIT: '60000',
        // One line for every request, so that all of them are searched.
        ONOMA_LOG_LEVEL: 'debug',
        ONOMA_DATA_DIR: join(world.folder, 'data'),
        // No browser: pages are not visited here.
        ONOMA_CHROMIUM: join(world.folder, 'missing'),
      },
    })
    const meter = createDelayMeter(() => service.pid)
    try {
      const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Json
      const judge = createJudge(document, secretsOf(world.settings))
      const make = createRequests(document, seed)
      const urls = { main: service.url, ens: service.ensUrl! }
      let next = first
      const startedAt = performance.now()
      const work = async (number: number): Promise<void> => {
        const client = createFuzzClient({ urls, address: `127.0.0.${number + 2}`, meter })
        while (next < first + requests && judge.problems.length < MAX_PROBLEMS) {
          const one = make(next++)
          judge.check(one, await client.send(one, timeoutOf(one)))
          if (next % 1000 === 0) onProgress?.(next - first)
        }
        client.close()
      }
      await Promise.all(Array.from({ length: clients }, (_, number) => work(number)))
      const seconds = (performance.now() - startedAt) / 1000
      const health = await fetch(`${service.url}/health`).then(({ status }) => status, String)
      if (health !== 200) judge.problems.push(`After the requests GET /health is ${health}.`)
      const metrics = await (await fetch(service.metricsUrl!)).text()
      judge.problems.push(
        ...leaksIn('a metric', metrics, judge.secrets),
        ...leaksIn('the log', service.log(), judge.secrets),
      )
      if (!service.isRunning()) judge.problems.push(`The service ended:\n${service.log().slice(-2000)}`)
      const { left, statuses, slowest, problems } = judge
      return { sent: next - first, left: left(), seconds, statuses, slowest: slowest(), problems }
    } finally {
      meter.stop()
      await service.kill()
    }
  } finally {
    await world.stop()
  }
}

/** Operations that were never answered with success: what they are asked never got past their validation. */
export const neverSucceeded = ({ statuses }: FuzzReport): string[] =>
  [...statuses]
    .filter(([, counts]) => ![...counts.keys()].some((status) => status < 300 || status === 402))
    .map(([id]) => id)

function createJudge(document: Json, settings: readonly string[]) {
  const conformity = conformTo(document)
  const statuses = new Map<string, Map<number, number>>(operationIds(document).map((id) => [id, new Map()]))
  const problems: string[] = []
  const secrets = [...settings, SERVICE_KEY]
  let left = 0
  let slowest = { operation: '', ms: 0 }
  const complain = (one: FuzzRequest, what: string) =>
    problems.push(`request ${one.index} (${one.intent}), ${one.method} ${one.target.slice(0, 300)}: ${what}`)

  function check(one: FuzzRequest, reply: FuzzReply): void {
    if (reply.kind === 'left') left++
    else if (reply.kind === 'hung') complain(one, `no answer within ${Math.round(reply.ms)} ms`)
    else if (reply.kind === 'cut') {
      // A request that is too large is refused while it is still being sent.
      const isTooLarge = JSON.stringify(one.headers).length + one.target.length > 15_000
      if (!isTooLarge && !one.breakOff) complain(one, `the connection was cut: ${reply.error}`)
    } else {
      const counts = statuses.get(one.operation)!
      counts.set(reply.status, (counts.get(reply.status) ?? 0) + 1)
      if (reply.ms > slowest.ms) slowest = { operation: one.operation, ms: Math.round(reply.ms) }
      try {
        conformity.check({ method: one.method, path: one.target }, reply)
      } catch (error) {
        complain(one, (error as Error).message.slice(0, 800))
      }
      if (reply.text.includes('"internal_error"')) complain(one, `an unexpected error: ${reply.text.slice(0, 300)}`)
      const shown = INTERNALS.exec(reply.text)?.[0] ?? secrets.find((secret) => reply.text.includes(secret))
      if (shown !== undefined) complain(one, `the answer shows ${shown}`)
    }
  }
  return { check, problems, statuses, secrets, left: () => left, slowest: () => slowest }
}

/** Stack traces and source files. */
const INTERNALS = /\bat \S+ \(?(?:file|node):|node:internal|\/src\/\w+\/[\w-]+\.ts|SQLITE_\w+/

/** The keys and tokens among the settings of the simulated internet. */
const secretsOf = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) =>
    /KEY|HEADER|SECRET/.test(name) ? [value.split(' ').at(-1)!] : [],
  )

/** In any case: values are sent in upper case too. */
function leaksIn(where: string, text: string, secrets: readonly string[]): string[] {
  const lower = text.toLowerCase()
  return [MARK, ...SECRETS, ...secrets].flatMap((word) => {
    const at = lower.indexOf(word.toLowerCase())
    return at < 0 ? [] : [`${where} contains ${word}: …${text.slice(Math.max(0, at - 300), at + 100)}…`]
  })
}
