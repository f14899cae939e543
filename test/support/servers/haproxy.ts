import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, runInBackground, untilReady } from './process.ts'
import type { RunningServer, Server } from './server.ts'

/** Each suite writes its own configuration, so each starts its own HAProxy with `startHaproxy`. */
export const haproxy: Server = { name: 'haproxy', packages: ['haproxy'], program: 'haproxy' }

/** Starts HAProxy with the configuration that `text` returns; it must listen on the given port. */
export async function startHaproxy(program: string, text: (port: number) => string): Promise<RunningServer> {
  const port = await freePort()
  const dir = await mkdtemp(join(tmpdir(), 'onoma-haproxy-'))
  await writeFile(join(dir, 'haproxy.cfg'), text(port))
  // In the foreground and without workers, so that stopping it stops everything.
  const background = runInBackground(program, ['-db', '-f', join(dir, 'haproxy.cfg')], dir)
  const stop = async () => {
    await background.stop()
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await untilReady(background, () => accepts(port))
  } catch (error) {
    await stop()
    throw new Error(`HAProxy did not start: ${(error as Error).message}`, { cause: error })
  }
  return { address: `http://127.0.0.1:${port}`, stop }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
