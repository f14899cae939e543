import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One finding of a linter, as a failing test shows it. */
export type Finding = { readonly rule: string; readonly severity: 'error' | 'warning'; readonly text: string }
export type Findings = { readonly redocly: readonly Finding[]; readonly spectral: readonly Finding[] }

const LINT_TIMEOUT_MS = 120_000
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Turns off update checks and telemetry. */
const OFFLINE_ENV = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
  SCARF_ANALYTICS: 'false',
  NO_COLOR: '1',
}

/** Lints all documents with Redocly and Spectral and our configuration files; each linter runs once. */
export async function lint(documents: Readonly<Record<string, object>>): Promise<Record<string, Findings>> {
  const folder = await mkdtemp(join(tmpdir(), 'onoma-lint-'))
  try {
    const names = Object.keys(documents)
    const files = names.map((name) => `${name}.json`)
    await Promise.all(names.map((name) => writeFile(join(folder, `${name}.json`), JSON.stringify(documents[name]))))
    const [redocly, spectral] = await Promise.all([runRedocly(folder, files), runSpectral(folder, files)])
    return Object.fromEntries(names.map((name, at) => [name, { redocly: redocly[at]!, spectral: spectral[at]! }]))
  } finally {
    await rm(folder, { recursive: true })
  }
}

type RedoclyReport = {
  problems: { ruleId: string; severity: string; message: string; location: { pointer?: string }[] }[]
}

async function runRedocly(folder: string, files: readonly string[]): Promise<Finding[][]> {
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  const config = join(root, 'redocly.yaml')
  const output = await run(folder, [cli, 'lint', ...files, '--format=json', '--max-problems=1000', '--config', config])
  // The output is one report per file, concatenated without a separator.
  const reports = output
    .split(/(?<=^\})(?=\{)/m)
    .map((report) => JSON.parse(report) as RedoclyReport)
    .map(({ problems }) =>
      problems.map(({ ruleId, severity, message, location }): Finding => ({
        rule: ruleId,
        severity: severity === 'error' ? 'error' : 'warning',
        text: `${location[0]?.pointer ?? ''}: ${message}`,
      })),
    )
  if (reports.length !== files.length) throw new Error(`Redocly checked ${reports.length} of ${files.length} files`)
  return reports
}

type SpectralReport = { code: string; severity: number; message: string; path: string[]; source: string }[]

async function runSpectral(folder: string, files: readonly string[]): Promise<Finding[][]> {
  const cli = fileURLToPath(import.meta.resolve('@stoplight/spectral-cli/dist/index.js'))
  const options = ['--format=json', '--quiet', '--fail-on-unmatched-globs', '--ruleset', join(root, '.spectral.yaml')]
  const report = JSON.parse(await run(folder, [cli, 'lint', ...files, ...options])) as SpectralReport
  return files.map((file) =>
    report
      .filter(({ source }) => source.endsWith(`/${file}`))
      .map(({ code, severity, message, path }) => ({
        rule: code,
        severity: severity === 0 ? 'error' : 'warning',
        text: `${path.join('/')}: ${message}`,
      })),
  )
}

/** The standard output of a linter; exit codes 0 and 1 both mean that it finished. */
function run(folder: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...OFFLINE_ENV }
  const options = { cwd: folder, env, timeout: LINT_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (!error || error.code === 1) resolve(stdout)
      else reject(new Error(`${args[0]} did not finish: ${stderr}`, { cause: error }))
    })
  })
}
