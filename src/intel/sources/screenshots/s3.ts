import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Upstream } from '../../../kernel/upstream/client.ts'
import type { Screenshots } from '../../screenshots.ts'
import { idOf, isId } from './id.ts'

export type S3Options = {
  readonly upstream: Upstream
  /** Of the service, without a slash at its end; the bucket stands in the path. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** Made at the first need. */
  readonly secret: () => Uint8Array
  readonly clock: Clock
}

/** A bucket of S3 or of anything that speaks its language. How long pictures stay there, its own rules say. */
export function s3Screenshots({ upstream, secret, clock, ...place }: S3Options): Screenshots {
  async function ask(method: 'GET' | 'PUT', id: string, signal: AbortSignal, body?: Uint8Array) {
    const signer = new AwsV4Signer({
      method,
      url: `${place.endpoint}/${encodeURIComponent(place.bucket)}/${id}.jpg`,
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
        ...(body && { 'content-type': 'image/jpeg' }),
      },
      body: (body as Uint8Array<ArrayBuffer> | undefined) ?? null,
      accessKeyId: place.accessKey,
      secretAccessKey: place.secretKey,
      service: 's3',
      region: place.region,
      datetime: new Date(clock.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    })
    const { url, headers } = await signer.sign()
    return upstream.request({
      url,
      method,
      headers: Object.fromEntries(headers),
      accept: [200, 404],
      signal,
      ...(body && { body }),
    })
  }
  return {
    async put(jpeg, signal) {
      const id = idOf(jpeg, secret())
      const { status } = await ask('PUT', id, signal, jpeg)
      if (status === 404) throw new UpstreamError('unavailable', `there is no bucket ${place.bucket}`)
      return id
    },
    async get(id, signal) {
      if (!isId(id)) return null
      const { status, body } = await ask('GET', id, signal)
      return status === 404 ? null : body
    },
    sweep: async () => {},
  }
}
