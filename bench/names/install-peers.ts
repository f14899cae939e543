import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('../peers/', import.meta.url)
const INSTALL_TIMEOUT_MS = 180_000

/** Installs the peers on first use, from `bench/peers/package-lock.json`; they are not dependencies of the project. */
export async function installPeers(showProgress: (what: string) => void): Promise<void> {
  if (existsSync(new URL('node_modules/.package-lock.json', FOLDER))) return
  showProgress('installing the peers (npm ci)')
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(FOLDER),
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  const [code] = (await once(npm, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The peers could not be installed. Run with --no-peers to skip them.')
}
