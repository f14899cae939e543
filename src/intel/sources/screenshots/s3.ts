import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Upstream } from '../../../kernel/upstream/client.ts'
import type { Screenshots } from '../../screenshots.ts'
import { idOf, isId } from './id.ts'

export type S3Options = {
  readonly upstream: Upstream
  /** URL of the service without a trailing slash; the bucket goes into the path. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** Called on first use. */
  readonly secret: () => Uint8Array
  readonly clock: Clock
}

/** Stores screenshots in a bucket of S3 or a compatible service. They expire by the bucket's lifecycle rules. */
export function s3Screenshots({ upstream, secret, clock, ...options }: S3Options): Screenshots {
  async function sendSigned(method: 'GET' | 'PUT', id: string, signal: AbortSignal, body?: Uint8Array) {
    const signer = new AwsV4Signer({
      method,
      url: `${options.endpoint}/${encodeURIComponent(options.bucket)}/${id}.jpg`,
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
        ...(body && { 'content-type': 'image/jpeg' }),
      },
      body: (body as Uint8Array<ArrayBuffer> | undefined) ?? null,
      accessKeyId: options.accessKey,
      secretAccessKey: options.secretKey,
      service: 's3',
      region: options.region,
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
      const { status } = await sendSigned('PUT', id, signal, jpeg)
      if (status === 404) throw new UpstreamError('unavailable', `the bucket ${options.bucket} does not exist`)
      return id
    },
    async get(id, signal) {
      if (!isId(id)) return null
      const { status, body } = await sendSigned('GET', id, signal)
      return status === 404 ? null : body
    },
    sweep: async () => {},
  }
}
