/** Packs what would be published: the server with its command line, and the SDK. `npm run pack:all -- [FOLDER]`. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import about from '../package.json' with { type: 'json' }
// @ts-expect-error It is plain JavaScript, because old versions of Node run it.
import { bundle, NOT_BUNDLED } from './build.js'

const ROOT = join(import.meta.dirname, '..')
/** What the bundle loads from packages at run time; everything else is in it. */
const LOADED: ReadonlySet<string> = new Set([...(NOT_BUNDLED as string[]), 'tr46'])

/** Writes both packages to the folder and returns their paths. */
export async function packAll(folder: string): Promise<{ readonly server: string; readonly sdk: string }> {
  mkdirSync(folder, { recursive: true })
  const stage = mkdtempSync(join(tmpdir(), 'onoma-pack-'))
  try {
    await stageServer(stage)
    return { server: pack(stage, folder), sdk: pack(join(ROOT, 'sdk'), folder) }
  } finally {
    rmSync(stage, { recursive: true })
  }
}

async function stageServer(stage: string): Promise<void> {
  for (const name of ['bin', 'data', 'LICENSE', 'README.md'])
    cpSync(join(ROOT, name), join(stage, name), { recursive: true })
  cpSync(join(ROOT, 'docs'), join(stage, 'docs'), { recursive: true, filter: (path) => !path.endsWith('pictures') })
  // The bundle has the modules; what they read beside themselves (WebAssembly, styles, scripts of pages) stays in place.
  cpSync(join(ROOT, 'src'), join(stage, 'src'), { recursive: true, filter: (path) => !path.endsWith('.ts') })
  // Made beside src, like dist, because it names what it reads relative to itself.
  const made = mkdtempSync(join(ROOT, 'dist-'))
  try {
    await bundle(made)
    cpSync(made, join(stage, 'dist'), { recursive: true })
  } finally {
    rmSync(made, { recursive: true })
  }
  const { name, version, description, license, type, bin, engines, dependencies, optionalDependencies } = about
  const loaded = Object.entries(dependencies).filter(([dependency]) => LOADED.has(dependency))
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    bin,
    engines,
    dependencies: Object.fromEntries(loaded),
    optionalDependencies,
  }
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Runs npm pack; returns the path of the package. */
function pack(source: string, folder: string): string {
  const options = { cwd: source, encoding: 'utf8', shell: process.platform === 'win32' } as const
  const output = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(folder)],
    options,
  )
  const [{ filename }] = JSON.parse(output) as [{ filename: string }]
  return join(resolve(folder), filename)
}

if (import.meta.main) {
  const { server, sdk } = await packAll(process.argv[2] ?? join(ROOT, 'var/packages'))
  process.stdout.write(`${server}\n${sdk}\n`)
}
