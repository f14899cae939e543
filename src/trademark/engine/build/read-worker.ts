/** Worker: reads or hashes one file of the register. */
import { parentPort, workerData } from 'node:worker_threads'
import { readPortions } from '../../sources/office-xml/read-register.ts'
import { RegisterError } from '../../sources/office-xml/register-error.ts'
import { MAX_PORTIONS_AHEAD, hashInline, encodePortion, type FromReadWorker, type Job } from './file-reader.ts'

const { path, job } = workerData as Job
let ahead = 0
let goOn = () => {}
parentPort!.on('message', () => {
  ahead--
  goOn()
})

try {
  if (job === 'hash') post({ sha256: await hashInline(path) })
  else await read()
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  if (!(error instanceof RegisterError) && code === null) throw error
  post({ refused: (error as Error).message, code })
}
parentPort!.close()

async function read(): Promise<void> {
  let done = 0
  let total = 0
  const onProgress = (now: number, all: number) => ([done, total] = [now, all])
  for await (const found of readPortions(path, { onProgress })) {
    const portion = encodePortion(found)
    post({ portion, done, total }, [portion.bytes.buffer, portion.ends.buffer])
    if (++ahead >= MAX_PORTIONS_AHEAD)
      await new Promise<void>((resolve) => (goOn = () => ahead < MAX_PORTIONS_AHEAD && resolve()))
  }
  post({ end: true })
}

function post(message: FromReadWorker, transferred: readonly ArrayBuffer[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(message, transferred)
}
