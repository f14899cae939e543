import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob, normalize } from 'node:path'

/** A test file, and the real servers it declares with `// needs: nginx` (several: `// needs: nginx, redis`). */
export type Suite = { readonly file: string; readonly needs: readonly string[] }

const PATTERNS = ['src', 'sandbox', 'scripts', 'test'].map((folder) => `${folder}/**/*.test.ts`)

export function findSuites(root: string): Suite[] {
  return globSync(PATTERNS, { cwd: root })
    .toSorted()
    .map((file) => ({ file, needs: declaredNeeds(readFileSync(join(root, file), 'utf8')) }))
}

export function declaredNeeds(source: string): string[] {
  const lines = source.matchAll(/^\/\/ needs:(.*)$/gm)
  return [...lines].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
}

/** The suites whose path contains, or matches as a glob, one of the patterns; all suites without a pattern. */
export function selectSuites(suites: readonly Suite[], patterns: readonly string[]): Suite[] {
  const wanted = patterns.map(normalize)
  return suites.filter(
    ({ file }) => wanted.length === 0 || wanted.some((one) => file.includes(one) || matchesGlob(file, one)),
  )
}

/** The servers the suites need, each once. Throws for an unknown name, with the suite that declares it. */
export function neededServers<S extends { readonly name: string }>(
  suites: readonly Suite[],
  servers: readonly S[],
): S[] {
  for (const { file, needs } of suites) {
    const unknown = needs.find((name) => !servers.some((server) => server.name === name))
    if (unknown !== undefined) {
      const known = servers.map(({ name }) => name).join(', ')
      throw new Error(`${file} needs "${unknown}", which is not one of the known servers (${known}).`)
    }
  }
  return servers.filter(({ name }) => suites.some(({ needs }) => needs.includes(name)))
}
