import { spawn, spawnSync } from 'node:child_process'
import { findProgram } from '../../test/support/servers/process.ts'

const INSTALL_TIMEOUT_MS = 10 * 60_000

/**
 * Debian packages start their services unless a policy forbids it; the tests start their own, on other ports.
 * The package lists are updated only if the installation fails without.
 */
const SCRIPT = `
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' HUP INT TERM
  printf '#!/bin/sh\\nexit 101\\n' > "$policy" && chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
install() {
  apt-get install --yes --quiet --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"
}
install "$@" || { apt-get update --quiet && install "$@"; }
`

/** Prefix for a command that needs root; null if this user cannot run it. */
export function rootPrefix(uid: number | undefined, sudoWorks: () => boolean): string[] | null {
  if (uid === 0) return []
  return sudoWorks() ? ['sudo', '--non-interactive'] : null
}

/** Installs Debian packages without questions; null if this machine or user cannot. */
export function debianInstaller(signal: AbortSignal): ((packages: readonly string[]) => Promise<void>) | null {
  if (findProgram('apt-get') === null) return null
  const prefix = rootPrefix(
    process.getuid?.(),
    () => spawnSync('sudo', ['--non-interactive', 'true'], { stdio: 'ignore', timeout: 10_000 }).status === 0,
  )
  if (prefix === null) return null
  return (packages) =>
    run(
      [...prefix, 'sh', '-c', SCRIPT, 'install', ...packages],
      AbortSignal.any([signal, AbortSignal.timeout(INSTALL_TIMEOUT_MS)]),
    )
}

function run([command = '', ...args]: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const onAbort = () => child.kill('SIGTERM')
    signal.addEventListener('abort', onAbort, { once: true })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    child.once('error', reject)
    child.once('close', (code) => {
      signal.removeEventListener('abort', onAbort)
      if (code === 0) return resolve()
      const lastError = output.split('\n').findLast((line) => line.startsWith('E: ')) ?? `apt-get exited with ${code}`
      reject(new Error(signal.aborted ? 'apt-get was stopped before it finished' : lastError))
    })
  })
}
