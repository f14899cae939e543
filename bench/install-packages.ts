import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const INSTALL_TIMEOUT_MS = 180_000

/**
 * Installs the packages of a folder with a lock file of its own, on first use (npm ci): what is compared with the project, or
 * tried against it, is not a dependency of it.
 */
export async function installPackages(folder: URL): Promise<void> {
  if (existsSync(new URL('node_modules/.package-lock.json', folder))) return
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: fileURLToPath(folder),
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` },
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
    timeout: INSTALL_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  const [code] = (await once(npm, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The packages of ${fileURLToPath(folder)} could not be installed (npm ci).`)
}
