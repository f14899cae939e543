/** Writes the software bill of materials of the service: every package of its dependencies, in CycloneDX JSON. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const USAGE = `usage: npm run sbom -- [FILE]

Writes the packages that the service is made of, with versions and hashes, as CycloneDX JSON to FILE (default
onoma.cdx.json). They are read from package-lock.json; no network is needed. Packages that only tests, benches and the
sandbox use are left out.
`

const ROOT = join(import.meta.dirname, '..')
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

type Component = { readonly name: string; readonly version: string; readonly 'bom-ref': string }
type Edge = { readonly ref: string; readonly dependsOn: readonly string[] }
export type Bom = {
  readonly bomFormat: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly Edge[]
}
type LockFile = { readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>> }

/** Throws with npm's own message if it fails. */
export function createSbom(): Bom {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr.trim()}`)
  return withoutDevelopment(JSON.parse(stdout) as Bom)
}

/** npm's own `--omit=dev` leaves out what a development dependency needs too, such as viem. */
function withoutDevelopment(bom: Bom): Bom {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile
  const shipped = new Set(
    Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
  )
  const components = bom.components.filter(({ name, version }) => shipped.has(`${name}@${version}`))
  const refs = new Set([bom.metadata.component, ...components].map((one) => one['bom-ref']))
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  return { ...bom, components, dependencies }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  })
  if (values.help) process.stdout.write(USAGE)
  else {
    const file = positionals[0] ?? 'onoma.cdx.json'
    const bom = createSbom()
    writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
    process.stdout.write(`${file}: ${bom.components.length} packages.\n`)
  }
}
