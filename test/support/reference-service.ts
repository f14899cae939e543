import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'
import { request } from 'undici'
import { startChain } from '../../sandbox/chain/start.ts'
import { startNames } from '../../sandbox/names/start.ts'
import { startService } from '../../src/app/service.ts'
import { loadConfig } from '../../src/app/settings/config.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** The whole service over simulated registries and a simulated chain, without rate limits unless `env` sets them. */
export async function startReferenceService(env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-reference-'))
  const names = await startNames()
  const chain = await startChain()
  const config = loadConfig({
    PORT: '0',
    ENS_PORT: '0',
    ONOMA_METRICS: 'off',
    ONOMA_SANDBOX: 'on',
    ONOMA_DATA_DIR: folder,
    ONOMA_RATE_LIMIT: 'off',
    ONOMA_DOCUMENT_RATE_LIMIT: 'off',
    ...names.settings,
    ...chain.settings,
    ...env,
  })
  const service = await startService({ ...config, ensPort: 0 }, { log: quiet, timeoutScale: 100 })
  return {
    url: service.url,
    ensUrl: service.ensUrl!,
    async get(path: string, headers: Readonly<Record<string, string>> = {}, method: 'GET' | 'POST' = 'GET') {
      const { statusCode, headers: received, body } = await request(new URL(path, service.url), { headers, method })
      return { status: statusCode, headers: received, text: await body.text() }
    },
    async stop() {
      await service.stop({ lingerMs: 0, graceMs: 0 })
      await names.stop()
      await chain.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

export type PageParts = {
  /** Where links, forms and pictures lead, inside the element with the class. */
  readonly links: readonly string[]
  readonly ids: ReadonlySet<string>
  /** What the content security policy would block. */
  readonly blocked: readonly string[]
  readonly text: string
}

/** Reads a page as a browser would. Links are those inside `.doc`, or all if the page has no such element. */
export function parsePage(html: string, className = 'doc'): PageParts {
  const [links, ids, blocked, texts]: [string[], Set<string>, string[], string[]] = [[], new Set(), [], []]
  const open: boolean[] = []
  const isWhole = !html.includes(`class="${className}"`)
  const parser = new Parser({
    onopentag(name, attributes) {
      const isInside = isWhole || (open.at(-1) ?? false) || attributes['class'] === className
      open.push(isInside)
      if (attributes['id'] !== undefined) ids.add(attributes['id'])
      if (name === 'style' || 'style' in attributes || (name === 'script' && !attributes['src'])) blocked.push(name)
      for (const attribute in attributes) if (attribute.startsWith('on')) blocked.push(attribute)
      for (const attribute of ['href', 'src', 'action']) {
        const link = attributes[attribute]
        if (isInside && link !== undefined) links.push(link)
      }
    },
    ontext: (text) => void texts.push(text),
    onclosetag: () => void open.pop(),
  })
  parser.end(html)
  return { links, ids, blocked, text: texts.join('') }
}
