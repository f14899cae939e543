/** Worker: reads files of the register, one after the other. */
import { parentPort } from 'node:worker_threads'
import { RegisterError } from '../../sources/office-xml/register-error.ts'
import { MAX_PORTIONS_AHEAD, readPortions, type FromReadWorker, type ToReadWorker } from './file-reader.ts'

let ahead = 0
let goOn = () => {}
parentPort!.on('message', (message: ToReadWorker) => {
  if ('read' in message) void answer(message.read)
  else {
    ahead--
    goOn()
  }
})

async function answer(path: string): Promise<void> {
  ahead = 0
  try {
    await read(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    if (!(error instanceof RegisterError) && code === null) throw error
    post({ refused: (error as Error).message, code })
  }
}

async function read(path: string): Promise<void> {
  let done = 0
  let total = 0
  const onProgress = (now: number, all: number) => ([done, total] = [now, all])
  for await (const portion of readPortions(path, { onProgress })) {
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
