import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'node:tls'
import S3rver from 's3rver'
import type { Certificate } from '../../src/app/warm-up/certificate.ts'
import { generateRegister } from '../../sandbox/trademark/generator.ts'
import { OFFICE_KEY, startOffice } from '../../sandbox/trademark/office.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { recordsSource } from '../../src/trademark/engine/build/file-source.ts'
import { ingest } from '../../src/trademark/engine/build/ingest.ts'

/** Terminates TLS in front of a node that speaks plain HTTP. */
export async function startTlsFront(url: string, certificate: Certificate) {
  const sockets = new Set<Socket>()
  const server = createServer(certificate, (client) => {
    const node = connect(Number(new URL(url).port), '127.0.0.1')
    for (const socket of [client, node]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        node.destroy()
      })
    }
    client.pipe(node).pipe(client)
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

export async function startS3(directory: string) {
  await mkdir(directory)
  const configureBuckets = [{ name: 'pictures' }]
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  const { port } = await server.run()
  return {
    settings: {
      ONOMA_SCREENSHOTS_S3_URL: `http://127.0.0.1:${port}`,
      ONOMA_SCREENSHOTS_S3_BUCKET: 'pictures',
      ONOMA_SCREENSHOTS_S3_ACCESS_KEY: 'S3RVER',
      ONOMA_SCREENSHOTS_S3_SECRET_KEY: 'S3RVER',
    },
    stop: () => server.close(),
  }
}

const MARKS = 4_000

/** A searchable register, and the record system that knows the current status of its marks. */
export async function startTrademarks(folder: string, seed: number, clock: Clock) {
  const records = [...generateRegister({ size: MARKS, seed })]
  const index = join(folder, 'trademark')
  await ingest(index, [recordsSource('chaos', records)], { clock })
  const wait = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal })
  const office = await startOffice({ wait, records })
  return {
    /** Words to search for. */
    marks: records.map(({ mark }) => mark),
    settings: {
      ONOMA_TRADEMARK_INDEX: index,
      ONOMA_TRADEMARK_ENRICHMENT_URL: office.casesUrl,
      ONOMA_TRADEMARK_ENRICHMENT_KEY: OFFICE_KEY,
    },
    stop: office.stop,
  }
}
