/** Reads one file of the register in a thread of its own, or takes its hash. */
import { parentPort, workerData } from 'node:worker_threads'
import { readPortions } from '../../sources/office-xml/read-register.ts'
import { RegisterError } from '../../sources/office-xml/register-error.ts'
import { AHEAD, hashInline, encodePortion, type FromReadWorker, type Job } from './file-reader.ts'

const { path, job } = workerData as Job
let ahead = 0
let goOn = () => {}
parentPort!.on('message', () => {
  ahead--
  goOn()
})

try {
  if (job === 'hash') say({ sha256: await hashInline(path) })
  else await read()
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  if (!(error instanceof RegisterError) && code === null) throw error
  say({ refused: (error as Error).message, code })
}
parentPort!.close()

async function read(): Promise<void> {
  let done = 0
  let total = 0
  const onProgress = (now: number, all: number) => ([done, total] = [now, all])
  for await (const found of readPortions(path, { onProgress })) {
    const portion = encodePortion(found)
    say({ portion, done, total }, [portion.bytes.buffer, portion.ends.buffer])
    if (++ahead >= AHEAD) await new Promise<void>((resolve) => (goOn = () => ahead < AHEAD && resolve()))
  }
  say({ end: true })
}

function say(message: FromReadWorker, transferred: readonly ArrayBuffer[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(message, transferred)
}
