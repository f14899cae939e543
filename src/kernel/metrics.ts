import type Prometheus from 'prom-client'
import type { Metric, Registry } from 'prom-client'

/** Prometheus metrics. No label comes from a client, so a client cannot add a series. */
export type Metrics = {
  /** Records one answered request. */
  answered(endpoint: string, door: 'http' | 'mcp', status: number, seconds: number): void
  refusedConnection(reason: string): void
  /** A gauge whose value is read at every scrape; NaN if it is unknown. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** A gauge with one label; `read` returns the value of each label value. */
  gaugeBy(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void
  /** Returns the function that adds to the counter. */
  counter<Label extends string>(name: string, help: string, labels: readonly Label[]): AddToCounter<Label>
  text(): Promise<string>
  readonly contentType: string
}

export type AddToCounter<Label extends string> = (values: Readonly<Record<Label, string>>, by?: number) => void

const BUCKET_BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

type Registrations = ((prom: typeof Prometheus, register: Registry) => void)[]

/**
 * prom-client is loaded at the first scrape: everything counts in plain objects, which is also faster for every request.
 * What Node reports of itself (garbage collection, event loop delay) is recorded from then on.
 */
export function createMetrics(): Metrics {
  type Count = { readonly endpoint: string; readonly door: string; readonly status: string; pending: number }
  type Series = { timing: Timing; counts: Map<number, Count> }
  const counts: Count[] = []
  const timings = new Map<string, Timing>()
  const registrations: Registrations = [
    ({ Counter }, register) =>
      new Counter({
        name: 'onoma_requests_total',
        help: 'Requests answered, by endpoint, door and status',
        labelNames: ['endpoint', 'door', 'status'],
        registers: [register],
        collect() {
          for (const count of counts) {
            this.labels(count.endpoint, count.door, count.status).inc(count.pending)
            count.pending = 0
          }
        },
      }),
    (_prom, register) => register.registerMetric(durationMetric(timings)),
  ]
  let registry: Promise<Registry> | undefined
  let opened: { readonly prom: typeof Prometheus; readonly register: Registry } | undefined
  const open = async (): Promise<Registry> => {
    const { default: prom } = await import('prom-client')
    const register = new prom.Registry()
    prom.collectDefaultMetrics({ register })
    opened = { prom, register }
    for (const add of registrations.splice(0)) add(prom, register)
    return register
  }
  /** Metrics may also be added after the first scrape. */
  const add = (registration: Registrations[number]): void => {
    if (opened) registration(opened.prom, opened.register)
    else registrations.push(registration)
  }
  const createCounter = <Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): AddToCounter<Label> => {
    const sums = new Map<string, { readonly values: Readonly<Record<Label, string>>; pending: number }>()
    add(
      ({ Counter }, register) =>
        new Counter({
          name,
          help,
          labelNames: [...labels],
          registers: [register],
          collect() {
            for (const sum of sums.values()) {
              this.inc({ ...sum.values }, sum.pending)
              sum.pending = 0
            }
          },
        }),
    )
    return (values, by = 1) => {
      const key = labels.map((label) => values[label]).join('\n')
      const sum = sums.get(key)
      if (sum) sum.pending += by
      else sums.set(key, { values, pending: by })
    }
  }
  const timingOf = (endpoint: string): Timing => {
    const timing = timings.get(endpoint) ?? { buckets: new Float64Array(BUCKET_BOUNDS_SECONDS.length + 1), sum: 0 }
    timings.set(endpoint, timing)
    return timing
  }
  const doors = { http: new Map<string, Series>(), mcp: new Map<string, Series>() }
  const seriesOf = (endpoint: string, door: 'http' | 'mcp') => {
    const byEndpoint = doors[door]
    let series = byEndpoint.get(endpoint)
    if (!series) byEndpoint.set(endpoint, (series = { timing: timingOf(endpoint), counts: new Map() }))
    return series
  }
  const refused = createCounter(
    'onoma_connections_refused_total',
    'Connections closed before a request could be read, by reason',
    ['reason'],
  )
  return {
    answered(endpoint, door, status, seconds) {
      const series = seriesOf(endpoint, door)
      let count = series.counts.get(status)
      if (!count) {
        count = { endpoint, door, status: String(status), pending: 0 }
        series.counts.set(status, count)
        counts.push(count)
      }
      count.pending++
      observe(series.timing, seconds)
    },
    refusedConnection: (reason) => refused({ reason }),
    gauge(name, help, read) {
      add(
        ({ Gauge }, register) =>
          new Gauge({
            name,
            help,
            registers: [register],
            async collect() {
              this.set(await read())
            },
          }),
      )
    },
    gaugeBy(name, help, label, read) {
      add(
        ({ Gauge }, register) =>
          new Gauge({
            name,
            help,
            labelNames: [label],
            registers: [register],
            collect() {
              for (const [value, number] of Object.entries(read())) this.set({ [label]: value }, number)
            },
          }),
      )
    },
    counter: createCounter,
    text: async () => (await (registry ??= open())).metrics(),
    contentType: CONTENT_TYPE,
  }
}

/** The text format of Prometheus, as prom-client writes it. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A histogram of response times of one endpoint: a count per bound, and one beyond the last bound. */
type Timing = { readonly buckets: Float64Array; sum: number }

function observe(timing: Timing, seconds: number): void {
  let at = 0
  while (at < BUCKET_BOUNDS_SECONDS.length && seconds > BUCKET_BOUNDS_SECONDS[at]!) at++
  timing.buckets[at]! += 1
  timing.sum += seconds
}

/**
 * A metric that looks like prom-client's Histogram to its registry, but is filled from `timings` at every scrape.
 * prom-client's own Histogram takes more time per request than all other metrics together.
 */
function durationMetric(timings: ReadonlyMap<string, Timing>): Metric {
  const name = 'onoma_request_seconds'
  const help = 'Time from the first byte read to the answer handed over, by endpoint'
  const valuesOf = ([endpoint, { buckets, sum }]: [string, Timing]) => {
    let count = 0
    const cumulative = Array.from(buckets, (one, at) => {
      count += one
      return {
        metricName: `${name}_bucket`,
        labels: { le: BUCKET_BOUNDS_SECONDS[at] ?? '+Inf', endpoint },
        value: count,
      }
    })
    return [
      ...cumulative,
      { metricName: `${name}_sum`, labels: { endpoint }, value: sum },
      { metricName: `${name}_count`, labels: { endpoint }, value: count },
    ]
  }
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: Array.from(timings).flatMap(valuesOf),
  })
  // The cast: prom-client declares Metric as a class, but its registry only uses these four members.
  return { name, help, get, reset() {} } as unknown as Metric
}
