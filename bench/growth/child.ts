/** Measures one part at one size, in a process of its own. Started with the file of the part, the size and a folder. */
import type { Built, Part, Sample } from './part.ts'

const [file, sizeText, folder] = process.argv.slice(2)
const size = Number(sizeText)
const { part } = (await import(new URL(file!, import.meta.url).href)) as { part: Part }
const ROUNDS = 2_000
/** A measurement is repeated and the best counts: other programs can only add to it. */
const REPEATS = 3

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const heldBytes = (): number => {
  globalThis.gc!()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

// Compiles the code, so that the smallest size is not slower than the others for that.
const WARM_UP_SIZE = 1_000
const warmUpFolder = `${folder}-warm-up`
await part.prepare?.(WARM_UP_SIZE, warmUpFolder)
const warm = await part.build(WARM_UP_SIZE, warmUpFolder)
await measureOperations(warm)
await warm.close?.()

const inputCpuMs = (await part.prepare?.(size, folder!)) ?? 0
const before = heldBytes()
const [began, cpu] = [performance.now(), cpuMs()]
const built = await part.build(size, folder!)
const [wallMs, buildCpuMs] = [performance.now() - began, cpuMs() - cpu - inputCpuMs]
const held = heldBytes() - before
const operations = await measureOperations(built)
await built.close?.()
const sample: Sample = {
  size,
  buildCpuMs,
  wallMs,
  heldBytes: held,
  peakRssBytes: process.resourceUsage().maxRSS * 1024,
  diskBytes: built.diskBytes,
  operations,
}
process.stdout.write(`${JSON.stringify({ sample })}\n`, () => process.exit(0))

async function measureOperations({ operations, rounds = ROUNDS }: Built): Promise<Record<string, number>> {
  const micros: Record<string, number> = {}
  let at = 0
  for (const [name, run] of Object.entries(operations)) {
    let best = Infinity
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const start = cpuMs()
      for (let round = 0; round < rounds; round++) {
        const result = run(at++)
        if (result instanceof Promise) await result
      }
      best = Math.min(best, ((cpuMs() - start) * 1000) / rounds)
    }
    micros[name] = best
  }
  return micros
}
