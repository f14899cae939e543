import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('../peers/', import.meta.url)
const DEADLINE_MS = 180_000

/** On first use, exactly as `bench/peers/package-lock.json` says; they are no dependencies of ours. */
export async function installPeers(tell: (what: string) => void): Promise<void> {
  if (existsSync(new URL('node_modules/.package-lock.json', FOLDER))) return
  tell('installing the peers (npm ci)')
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(FOLDER),
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
  })
  const [code] = (await once(npm, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The peers could not be installed; --no-peers does without them.')
}
