/** Looks up known vulnerabilities of the dependencies. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const USAGE = `usage: npm run audit -- [--all]

Asks the package registry for known vulnerabilities of the packages that the service is made of; with --all of those that
tests, benches and the sandbox use too. It needs the network, and says so without it.

exit codes: 0 no vulnerability found
            1 vulnerabilities found
            2 not audited: the registry cannot be reached, or does not answer such questions
`

const ROOT = join(import.meta.dirname, '..')
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

type Finding = { readonly name: string; readonly severity: string; readonly range: string }
type Report = {
  readonly vulnerabilities?: Readonly<Record<string, Finding>>
  /** What npm says if it has no report. */
  readonly message?: string
}

/** The output of `npm audit --json`, as sentences, and the exit code. */
export function describeAudit(json: string): { readonly text: string; readonly code: 0 | 1 | 2 } {
  const { vulnerabilities, message } = parseReport(json)
  if (vulnerabilities === undefined) {
    // A mirror may serve packages, but no advisories.
    const reason = message === undefined ? 'npm has no report' : message.replaceAll(/\bhttps?:\/\/\S+/g, 'the registry')
    const text = `Not audited: ${reason}. Run it again where the network has a registry with advisories.`
    return { text, code: 2 }
  }
  const found = Object.values(vulnerabilities)
  if (found.length === 0) return { text: 'No known vulnerability.', code: 0 }
  const lines = found.map(({ name, severity, range }) => `${severity}: ${name} ${range}`)
  return { text: [...lines.toSorted(), `${found.length} vulnerable packages; see npm audit.`].join('\n'), code: 1 }
}

/** Without the network npm writes an error instead of a report, or nothing. */
function parseReport(json: string): Report {
  try {
    return JSON.parse(json) as Report
  } catch {
    return {}
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { all: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  })
  if (values.help) process.stdout.write(USAGE)
  else {
    const args = ['audit', '--json', '--audit=true', ...(values.all ? [] : ['--omit=dev'])]
    const { stdout } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES })
    const { text, code } = describeAudit(stdout)
    process.stdout.write(`${text}\n`)
    process.exitCode = code
  }
}
