import type { Children } from '../children.ts'
import { measureMemory, type Memory, type MemoryPlan } from '../memory.ts'
import { LIVE_PAID, startLiveServer } from './live.ts'
import { startLoad } from './measure.ts'

/** Every request has its own client address and target, so any state kept per request would add up. */
export async function floodFromManyClients(
  children: Children,
  plan: MemoryPlan,
  showProgress: (what: string) => void,
): Promise<Memory> {
  const { server, url, stop } = await startLiveServer(children, { wallets: [], profile: undefined })
  const body = await (await fetch(`${url}${LIVE_PAID}?say=00000000`)).text()
  const contestant = { child: server, port: Number(new URL(url).port), body }
  const load = startLoad(children, { target: `${LIVE_PAID}?say={n}`, status: 402, clients: plan.addresses })
  const memory = await measureMemory(load, contestant, plan, showProgress)
  await Promise.all([stop(), load.stop()])
  return memory
}
