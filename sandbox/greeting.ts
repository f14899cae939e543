import { version } from '../src/app/version.ts'
import type { ServiceAddresses, Suggestion } from './simulator.ts'
import type { World } from './world.ts'

/** What `npm run sandbox` prints once everything is up. */
export function greeting(service: ServiceAddresses, world: Pick<World, 'seed' | 'simulators' | 'tryThese'>): string {
  const { url, ensUrl, metricsUrl } = service
  const simulated = world.simulators.flatMap(({ name, about, addresses }) => [
    [name, about],
    ...Object.entries(addresses).map(([label, address]) => ['', `${label}: ${address}`]),
  ])
  return `
Onoma ${version} in the sandbox: all external systems are simulated, and nothing leaves this machine.

${table([
  ['page', `${url}/n/falcon`],
  ['API', url],
  ['docs', `${url}/docs`],
  ['OpenAPI', `${url}/openapi.json`],
  ['MCP', `${url}/mcp`],
  ['ENS', ensUrl ?? 'off'],
  ['metrics', metricsUrl ?? 'off'],
  ...paymentRows(service),
])}

Simulated internet (seed ${world.seed})

${table(simulated)}

Things to try

${[...serviceSuggestions(service), ...world.tryThese(service)].map(formatSuggestion).join('\n')}

Ctrl-C stops everything.
`
}

const paymentRows = ({ payments: { simulated } }: ServiceAddresses): string[][] =>
  simulated === null
    ? []
    : [
        ['payments', `play money; Base: ${simulated.baseUrl}, Tempo: ${simulated.tempoUrl}`],
        ['', `wallet with $1,000 on each: ${simulated.wallet.address}, private key ${simulated.wallet.privateKey}`],
      ]

function table(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([left = '']) => left.length)) + 2
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}${right}`).join('\n')
}

/** A command to copy, and under it the expected status and what it shows. */
function formatSuggestion(suggestion: Suggestion): string {
  const line = 'url' in suggestion ? `curl '${suggestion.url}'` : suggestion.command
  const shows = 'url' in suggestion ? `${suggestion.status}: ${suggestion.shows}` : suggestion.shows
  return `  ${line}\n      ${shows}`
}

/** Suggestions that need no simulator. */
const serviceSuggestions = ({ url }: ServiceAddresses): Suggestion[] => [
  { url: `${url}/health`, status: 200, shows: 'the service is up and supports 511 TLDs' },
  { url: `${url}/v1/tlds?category=top20`, status: 200, shows: 'twenty popular TLDs' },
  { url: `${url}/v1/tlds?type=ccTLD`, status: 200, shows: 'the country-code TLDs and their RDAP servers' },
  { url: `${url}/v1/register?domain=example.com`, status: 200, shows: 'registrars that sell a domain, with links' },
  {
    url: `${url}/v1/register?domain=www.example.com`,
    status: 400,
    shows: 'an error that names the domain to ask for instead',
  },
  {
    url: `${url}/v1/sandbox/echo?say=hello`,
    status: 402,
    shows: 'a paid endpoint without payment: the price and how to pay',
  },
  { command: `npm run pay -- '${url}/v1/sandbox/echo?say=hello'`, shows: 'the same request, paid with play money' },
  { url: `${url}/v1/sandbox/ledger`, status: 200, shows: 'all payments so far' },
  { url: `${url}/openapi.json`, status: 200, shows: 'the OpenAPI document of the whole API' },
]
