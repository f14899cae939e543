import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, runInBackground, untilReady } from './process.ts'
import type { RunningServer, Server } from './server.ts'

const MAX_ATTEMPTS = 5

/** Each suite writes its own configuration, so each starts its own nginx with `startNginx`. */
export const nginx: Server = { name: 'nginx', packages: ['nginx'], program: 'nginx' }

/** Starts nginx with the http block that `http` returns; it must listen on the given port. */
export async function startNginx(program: string, http: (port: number) => string): Promise<RunningServer> {
  // nginx cannot choose a port itself, and a free one may be taken before it starts: retry with another.
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOn(await freePort(), program, http)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !String(error).includes('Address already in use')) throw error
    }
  }
}

async function startOn(port: number, program: string, http: (port: number) => string): Promise<RunningServer> {
  const dir = await mkdtemp(join(tmpdir(), 'onoma-nginx-'))
  await writeFile(join(dir, 'nginx.conf'), configuration(dir, http(port)))
  // One process without workers, so that stopping it stops everything; it needs no root.
  const background = runInBackground(program, ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', 'stderr'], dir)
  const stop = async () => {
    await background.stop()
    await rm(dir, { recursive: true, force: true })
  }
  try {
    // Written once the port is bound; a response on the port could come from another server.
    await untilReady(background, () => existsSync(join(dir, 'nginx.pid')))
  } catch (error) {
    await stop()
    throw new Error(`nginx did not start: ${(error as Error).message}`, { cause: error })
  }
  return { address: `http://127.0.0.1:${port}`, stop }
}

const configuration = (dir: string, http: string) => `
daemon off;
master_process off;
pid ${dir}/nginx.pid;
error_log stderr;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${dir}/body;
  proxy_temp_path ${dir}/proxy;
  fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi;
  scgi_temp_path ${dir}/scgi;
${http}
}
`
