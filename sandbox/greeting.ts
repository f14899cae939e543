import { version } from '../src/app/version.ts'
import type { ServiceAddresses, Suggestion } from './simulator.ts'
import type { World } from './world.ts'

/** What somebody sees who has just typed `npm run sandbox`. */
export function greeting(service: ServiceAddresses, world: Pick<World, 'seed' | 'simulators' | 'tryThese'>): string {
  const { url, ensUrl, metricsUrl } = service
  const simulated = world.simulators.flatMap(({ name, about, addresses }) => [
    [name, about],
    ...Object.entries(addresses).map(([what, address]) => ['', `${what} at ${address}`]),
  ])
  return `
Onoma ${version} in the sandbox: everything outside is simulated, and nothing leaves this machine.

${table([
  ['API', url],
  ['OpenAPI', `${url}/openapi.json`],
  ['MCP', `${url}/mcp`],
  ['ENS', ensUrl ?? 'off'],
  ['metrics', metricsUrl ?? 'off'],
  ...moneyOf(service),
])}

The simulated internet (seed ${world.seed})

${table(simulated)}

Things to try

${[...serviceSuggestions(service), ...world.tryThese(service)].map(suggestion).join('\n')}

Ctrl-C stops everything.
`
}

const moneyOf = ({ payments: { simulated } }: ServiceAddresses): string[][] =>
  simulated === null
    ? []
    : [
        ['payments', `simulated; Base at ${simulated.baseUrl}, Tempo at ${simulated.tempoUrl}`],
        ['', `a wallet with $1,000 on both: ${simulated.wallet.address}, key ${simulated.wallet.privateKey}`],
      ]

function table(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([left = '']) => left.length)) + 2
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}${right}`).join('\n')
}

/** A line to copy, and under it what it shows. */
function suggestion(one: Suggestion): string {
  const line = 'url' in one ? `curl '${one.url}'` : one.command
  const shows = 'url' in one ? `${one.status}: ${one.shows}` : one.shows
  return `  ${line}\n      ${shows}`
}

/** What needs no simulated server. */
const serviceSuggestions = ({ url }: ServiceAddresses): Suggestion[] => [
  { url: `${url}/health`, status: 200, shows: 'the service is up, and knows 511 TLDs' },
  { url: `${url}/v1/tlds?category=top20`, status: 200, shows: 'twenty popular TLDs' },
  { url: `${url}/v1/tlds?type=ccTLD`, status: 200, shows: 'the country-code TLDs and their RDAP servers' },
  { url: `${url}/v1/register?domain=example.com`, status: 200, shows: 'where to register a domain' },
  { url: `${url}/v1/register?domain=www.example.com`, status: 400, shows: 'an error that says what to ask instead' },
  { url: `${url}/v1/sandbox/echo?say=hello`, status: 402, shows: 'what a paid endpoint says to who has not paid' },
  { command: `npm run pay -- '${url}/v1/sandbox/echo?say=hello'`, shows: 'pays for it, with play money' },
  { url: `${url}/v1/sandbox/ledger`, status: 200, shows: 'what was paid so far' },
  { url: `${url}/openapi.json`, status: 200, shows: 'the whole API, described for machines' },
]
