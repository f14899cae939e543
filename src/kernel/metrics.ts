import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What an operator's monitoring reads. Labels are names of ours only: nothing a client sends can add a series. */
export type Metrics = {
  /** One request answered: by which endpoint, how, and in how many seconds. */
  answered(endpoint: string, door: 'http' | 'mcp', status: number, seconds: number): void
  refusedConnection(reason: string): void
  /** A number read whenever monitoring asks. */
  gauge(name: string, help: string, read: () => number): void
  text(): Promise<string>
  readonly contentType: string
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  // Every request pays for this: series are looked up by their labels once, and counted up when monitoring asks.
  type Count = { readonly endpoint: string; readonly door: string; readonly status: string; pending: number }
  type Series = { timer: { observe(seconds: number): void }; counts: Map<number, Count> }
  const counts: Count[] = []
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
  })
  const durations = new Histogram({
    name: 'onoma_request_seconds',
    help: 'Time from the first byte read to the answer handed over, by endpoint',
    labelNames: ['endpoint'],
    buckets: SECONDS,
    registers: [register],
  })
  const refused = new Counter({
    name: 'onoma_connections_refused_total',
    help: 'Connections closed before a request could be read, by reason',
    labelNames: ['reason'],
    registers: [register],
  })
  const doors = { http: new Map<string, Series>(), mcp: new Map<string, Series>() }
  const seriesOf = (endpoint: string, door: 'http' | 'mcp') => {
    const byEndpoint = doors[door]
    let series = byEndpoint.get(endpoint)
    if (!series) byEndpoint.set(endpoint, (series = { timer: durations.labels(endpoint), counts: new Map() }))
    return series
  }
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
      series.timer.observe(seconds)
    },
    refusedConnection: (reason) => refused.labels(reason).inc(),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [register],
        collect() {
          this.set(read())
        },
      })
    },
    text: () => register.metrics(),
    contentType: register.contentType,
  }
}
