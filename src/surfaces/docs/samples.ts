import { type Endpoint, pathParameters } from '../../kernel/endpoint.ts'
import { exampleCommand } from '../cli/help.ts'

/** The example of an endpoint in one language. */
export type Sample = { readonly label: string; readonly text: string }

type Input = Readonly<Record<string, unknown>>

const PLACEHOLDER_TOKEN = 'YOUR_TOKEN'
/** The names of our packages; npm's `onoma` is somebody else's. */
const SERVER_PACKAGE = '@onoma-names/server'
const SDK_PACKAGE = '@onoma-names/sdk'

/** Path and query of the example's request. The fields of a POST are in its body. */
export function exampleAddress({ method, path, example }: Endpoint): string {
  const { inPath, rest } = splitInput(path, example.input)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name])))
  if (method === 'POST') return filled
  const query = Object.entries(rest).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(formatValue(value)).replaceAll('%2C', ',')}`,
  )
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

/** The JSON body of the example's request; undefined for a GET. */
export const exampleBody = ({ method, path, example }: Endpoint): string | undefined =>
  method === 'POST' ? JSON.stringify(splitInput(path, example.input).rest) : undefined

function splitInput(path: string, input: object): { inPath: Input; rest: Input } {
  const names = pathParameters(path)
  const pick = (isWanted: (name: string) => boolean): Input =>
    Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== undefined && isWanted(name)))
  return { inPath: pick((name) => names.includes(name)), rest: pick((name) => !names.includes(name)) }
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The same request in every way in that the endpoint has. */
export function samplesOf(endpoint: Endpoint, baseUrl: string): Sample[] {
  const { command, tool, example } = endpoint
  const url = `${baseUrl}${exampleAddress(endpoint)}`
  return [
    { label: 'curl', text: curl(endpoint, url) },
    // The SDK leaves out what is kept for old clients.
    endpoint.deprecated
      ? { label: 'TypeScript', text: typescript(endpoint, url) }
      : { label: 'SDK', text: sdk(endpoint, baseUrl) },
    ...(command === undefined
      ? []
      : [{ label: 'CLI', text: `npx ${SERVER_PACKAGE} ${exampleCommand(endpoint)} --json` }]),
    ...(tool
      ? [{ label: 'MCP', text: JSON.stringify({ name: endpoint.name, arguments: example.input }, null, 2) }]
      : []),
  ]
}

function curl(endpoint: Endpoint, url: string): string {
  const body = exampleBody(endpoint)
  return [
    `curl ${body === undefined ? '' : '-X POST '}'${url}'`,
    ...(endpoint.needsToken ? [`-H 'Authorization: Bearer ${PLACEHOLDER_TOKEN}'`] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${body.replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ')
}

function sdk({ name, example, needsToken }: Endpoint, baseUrl: string): string {
  const headers = needsToken ? `, headers: { Authorization: 'Bearer ${PLACEHOLDER_TOKEN}' }` : ''
  const input = Object.keys(example.input).length === 0 ? '' : JSON.stringify(example.input, null, 2)
  return `import { createOnoma } from '${SDK_PACKAGE}'

const onoma = createOnoma({ baseUrl: '${baseUrl}'${headers} })
const answer = await onoma.${name}(${input})
if (!answer.ok) throw answer.error
console.log(answer.data)`
}

function typescript(endpoint: Endpoint, url: string): string {
  const body = exampleBody(endpoint)
  const headers = [
    ...(endpoint.needsToken ? [`Authorization: 'Bearer ${PLACEHOLDER_TOKEN}'`] : []),
    ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
  ]
  const options = [
    ...(body === undefined ? [] : [`  method: 'POST',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${body}),`]),
  ]
  const call = options.length === 0 ? `fetch('${url}')` : `fetch('${url}', {\n${options.join('\n')}\n})`
  return `const response = await ${call}
const answer = await response.json()
if (!response.ok) throw new Error(\`\${answer.error}: \${answer.message}\`)`
}
