import type { NamesOptions } from '../../sandbox/names/start.ts'
import type { Child, Children } from '../children.ts'
import type { InternetPlaces } from './internet.ts'
import type { WorldRequest } from './worlds.ts'

const WORLD_TIMEOUT_MS = 60_000

/**
 * Children whose simulated internets (`internet.ts`) are worlds in processes that are used again. Everything else is a new
 * process.
 */
export function poolInternets(children: Children): Children {
  const idle: Promise<Child>[] = []
  // One after another: together, on a busy machine, none would be ready in time.
  let lastStart: Promise<unknown> = Promise.resolve()
  const startProcess = (): Promise<Child> => {
    const starting = lastStart.then(startNow, startNow)
    lastStart = starting
    return starting
  }
  const startNow = async (): Promise<Child> => {
    const child = children.start(new URL('worlds.ts', import.meta.url))
    await child.line('ready')
    return child
  }
  return {
    start(file, options = {}) {
      if (!file.pathname.endsWith('/internet.ts')) return children.start(file, options)
      const world = JSON.parse(options.args![0]!) as NamesOptions
      const worker = idle.pop() ?? startProcess()
      const opened = worker.then((child) =>
        child.ask<InternetPlaces>({ ask: 'world', world } satisfies WorldRequest, WORLD_TIMEOUT_MS),
      )
      return {
        pid: 0,
        line: async () => ({ places: await opened }),
        ask: async (request, timeoutMs) => (await worker).ask(request, timeoutMs),
        usage: async (collect) => (await worker).usage(collect),
        async stop() {
          await opened
          idle.push(worker)
        },
      } satisfies Child
    },
    stop: () => children.stop(),
  }
}
