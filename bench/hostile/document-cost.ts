import { Agent, request } from 'node:http'
import type { Children } from '../children.ts'
import type { Verdict } from '../verdicts.ts'
import { startUnderAttack } from './service.ts'

/** What is served to everybody at no price besides health, and what one of each costs the service. */
export type DocumentCost = { readonly document: string; readonly bytes: number; readonly cpuMs: number }

const MAX_CPU_MS = 0.3
/** As many as the loops of the attacks. */
const CONNECTIONS = 8
const WARM_UP = 1_000
const REQUESTS = 4_000

type Document = {
  readonly name: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const MCP = {
  path: '/mcp',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
}
const DOCUMENTS: readonly Document[] = [
  { name: 'the page', path: '/' },
  { name: '/openapi.json, plain', path: '/openapi.json' },
  { name: '/openapi.json, compressed', path: '/openapi.json', headers: { 'accept-encoding': 'gzip, br' } },
  { ...MCP, name: 'MCP tools/list', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
]

/** The processor time of each document while a few connections ask for nothing else. */
export async function measureDocuments(children: Children): Promise<DocumentCost[]> {
  const service = await startUnderAttack(children, { env: { ONOMA_DOCUMENT_RATE_LIMIT: '65535' } })
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  try {
    const costs: DocumentCost[] = []
    for (const document of DOCUMENTS) {
      const ask = () => fetchDocument(agent, service.target.url, document)
      await askMany(ask, WARM_UP)
      const before = await service.child.usage()
      const bytes = await askMany(ask, REQUESTS)
      const { cpuMicros } = await service.child.usage()
      costs.push({ document: document.name, bytes, cpuMs: (cpuMicros - before.cpuMicros) / 1000 / REQUESTS })
    }
    return costs
  } finally {
    agent.destroy()
    await service.stop()
  }
}

/** Returns the bytes of the last answer. */
async function askMany(ask: () => Promise<number>, count: number): Promise<number> {
  let left = count
  let bytes = 0
  const loop = async () => {
    while (left-- > 0) bytes = await ask()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, loop))
  return bytes
}

const fetchDocument = (agent: Agent, url: string, { path, headers = {}, body }: Document): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
      let bytes = 0
      response.on('data', (part: Buffer) => (bytes += part.length))
      response.once('error', reject)
      response.once('end', () => {
        if (response.statusCode === 200) resolve(bytes)
        else reject(new Error(`${path} answered ${response.statusCode}.`))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })

export const costVerdict = ({ document, cpuMs }: DocumentCost): Verdict => ({
  target: `${document}: at most ${MAX_CPU_MS} ms of processor time`,
  measured: `${cpuMs.toFixed(2)} ms`,
  met: cpuMs <= MAX_CPU_MS,
})
