import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { startHaproxy } from './servers/haproxy.ts'
import { startNginx } from './servers/nginx.ts'
import type { RunningServer } from './servers/server.ts'

const PAGE = new URL('../../docs/self-hosting.md', import.meta.url)

/** The example of the documentation for three instances, with the addresses of these instances. */
function exampleOf(language: 'nginx' | 'haproxy', ports: readonly number[]): string {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const [, , text] = blocks.find(([, name, text]) => name === language && text!.includes('10.0.0.3:8080')) ?? []
  if (text === undefined) throw new Error(`docs/self-hosting.md has no ${language} example with three instances.`)
  return text.replaceAll(/10\.0\.0\.(\d):8080/g, (_, at: string) => `127.0.0.1:${ports[Number(at) - 1]}`)
}

export function startProxy(
  name: 'nginx' | 'haproxy',
  program: string,
  instances: readonly number[],
): Promise<RunningServer> {
  const example = exampleOf(name, instances)
  return name === 'nginx'
    ? startNginx(program, (port) => example.replace('listen 80;', `listen 127.0.0.1:${port};`))
    : startHaproxy(program, (port) => example.replace('bind :80', `bind 127.0.0.1:${port}`))
}

export type Load = { readonly sent: number; readonly failures: readonly string[] }

/** Sends requests from `clients` connections at a time until `until` resolves and at least `min` were sent. */
export async function load(url: string, { clients, min }: { clients: number; min: number }, until: Promise<unknown>) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const failures: string[] = []
  let sent = 0
  const over = new AbortController()
  void until.finally(() => over.abort()).catch(() => {})
  const client = async () => {
    while (!over.signal.aborted || sent < min) {
      sent++
      const outcome = await statusOf(url, agent)
      if (outcome !== '200') failures.push(outcome)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
  return { sent, failures } satisfies Load
}

const statusOf = (url: string, agent: Agent): Promise<string> =>
  new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      // The body says whether the proxy or an instance has refused.
      const outcome = () => (response.statusCode === 200 ? '200' : `${response.statusCode} ${body.slice(0, 120)}`)
      response.once('end', () => resolve(outcome()))
      response.once('error', (error) => resolve(error.message))
    })
    request.once('error', (error) => resolve(error.message))
  })
