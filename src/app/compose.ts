import { readFileSync } from 'node:fs'
import packageJson from '../../package.json' with { type: 'json' }
import { healthRoutes } from '../health/routes.ts'
import type { Clock } from '../kernel/clock.ts'
import { systemClock } from '../kernel/clock.ts'
import type { Route } from '../kernel/endpoint.ts'
import { bundledRegistrars, loadRegistrars } from '../registrars/links.ts'
import { registrarRoutes } from '../registrars/routes.ts'
import { loadCatalogue } from '../tlds/catalogue.ts'
import { tldRoutes } from '../tlds/routes.ts'
import type { Config } from './config.ts'

export const version: string = packageJson.version

/** Every capability, created and connected; doors read the routes. */
export type Capabilities = { readonly routes: readonly Route[]; close(): Promise<void> }

export function composeRoutes(config: Config, { clock = systemClock }: { clock?: Clock } = {}): Capabilities {
  const catalogue = loadCatalogue()
  const { registrarsFile } = config
  const registrars = registrarsFile
    ? loadRegistrars(readSettingFile('ONOMA_REGISTRARS', registrarsFile))
    : bundledRegistrars()
  const routes = [
    ...tldRoutes(catalogue),
    ...registrarRoutes({ registrars, suffixes: catalogue.suffixes, clock }),
    ...healthRoutes({ version, tlds: catalogue.all, cacheSize: () => 0 }),
  ]
  return { routes, close: async () => {} }
}

function readSettingFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${setting} names a file that cannot be read: ${path}`, { cause })
  }
}
