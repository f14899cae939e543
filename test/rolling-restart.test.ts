// needs: nginx
// needs: haproxy
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readyMount } from '../src/surfaces/http/readiness.ts'
import { startDoor } from './support/door.ts'
import { load, startProxy } from './support/rolling-restart.ts'
import { testRoutes } from './support/routes.ts'
import { serverFor } from './support/servers/for-suites.ts'

/** Longer than HAProxy needs to give an instance up: two health checks, a second apart. */
const LINGER_MS = 2_500

async function startInstance(port?: number) {
  let status = 'ready'
  const door = await startDoor(testRoutes, {
    rateLimit: 'off',
    trustedProxies: ['127.0.0.1'],
    mounts: [readyMount(() => ({ status }))],
    ...(port !== undefined && { port }),
  })
  return {
    port: door.port,
    async stop() {
      status = 'draining'
      await door.stopListener({ lingerMs: LINGER_MS, graceMs: 10_000 })
      await door.stop()
    },
  }
}

// `npm run test:proxies` does the same with real processes and many more requests.
for (const name of ['nginx', 'haproxy'] as const) {
  const { skip, address: program } = serverFor(name)
  suite(`three instances behind ${name}, configured as on docs/self-hosting.md`, { skip }, () => {
    test('no request fails while each is restarted under load', async (context) => {
      const instances = await Promise.all([1, 2, 3].map(() => startInstance()))
      context.after(() => Promise.all(instances.map((instance) => instance.stop())))
      const proxy = await startProxy(
        name,
        program,
        instances.map(({ port }) => port),
      )
      context.after(() => proxy.stop())
      const restarts = async () => {
        for (const [at, instance] of instances.entries()) {
          await instance.stop()
          instances[at] = await startInstance(instance.port)
        }
      }
      const { sent, failures } = await load(`${proxy.address}/v1/kept`, { clients: 20, min: 200 }, restarts())
      assert.deepEqual(failures, [])
      assert.ok(sent >= 200)
    })
  })
}
