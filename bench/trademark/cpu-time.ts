/** CPU time of all threads of this process so far. */
export function cpuMs(): number {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return (userCPUTime + systemCPUTime) / 1000
}

export type Spent = { readonly wallMs: number; readonly cpuMs: number }

/** Runs the work and measures its elapsed and CPU time. */
export async function measureTime<T>(
  work: () => Promise<T> | T,
): Promise<{ readonly result: T; readonly spent: Spent }> {
  const start = performance.now()
  const cpu = cpuMs()
  const result = await work()
  return { result, spent: { wallMs: performance.now() - start, cpuMs: cpuMs() - cpu } }
}
