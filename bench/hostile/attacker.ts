/** Runs one attack in a process of its own, so that the attacker's work does not delay the victim's clock. */
import type { Target } from './attack.ts'
import { loadAttack } from './attacks.ts'

export type AttackerRequest = { readonly ask: 'start'; readonly target: Target } | { readonly ask: 'stop' }

const attack = await loadAttack(process.argv[2]!)
let stop: (() => Promise<void>) | undefined
const act = async (request: AttackerRequest): Promise<void> => {
  if (request.ask === 'start') stop = await attack.start(request.target)
  else await stop?.()
}
process.on('message', (request: AttackerRequest | { readonly ask: 'usage' }) => {
  if (request.ask === 'usage') return
  void act(request).then(
    () => process.send!({ ok: true }),
    (error: unknown) => process.send!({ ok: false, error: String(error) }),
  )
})
// Keeps the process alive between messages; the parent ends it.
setInterval(() => {}, 60_000)
process.stdout.write(`${JSON.stringify({ ready: true })}\n`)
