import { isIP } from 'node:net'
import type { Values } from './providers.ts'

/** Ports that two listeners would share. */
export function portProblems(
  { HOST, PORT, ENS_PORT, ONOMA_METRICS: metrics }: Values,
  metricsGiven: boolean,
): string[] {
  const problems: string[] = []
  if (PORT !== 0 && PORT === ENS_PORT) {
    problems.push(`PORT and ENS_PORT are both ${PORT}; give each its own, or set ENS_PORT=0 to turn it off.`)
  }
  // Metrics on their default port are turned off if it is taken; only a port that was set can be a mistake.
  if (!metricsGiven || !metrics || metrics.port === 0) return problems
  const sharesHost = metrics.host === HOST || isAnyAddress(metrics.host) || isAnyAddress(HOST)
  const taken = metrics.port === PORT ? 'PORT' : metrics.port === ENS_PORT ? 'ENS_PORT' : undefined
  if (sharesHost && taken !== undefined) {
    problems.push(`${taken} and ONOMA_METRICS both use port ${metrics.port}; give each its own.`)
  }
  return problems
}

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** A wildcard address cannot be linked to, but it includes loopback. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIP(name) === 6 ? `[${name}]` : name}${port === 80 ? '' : `:${port}`}`
}
