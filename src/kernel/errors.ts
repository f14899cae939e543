/**
 * Every code of the contract, its usual status and what it means to a caller.
 * A few codes have another status on some endpoints, which declare it (`failsAs`, `errors`).
 */
export const ERRORS = {
  missing_parameter: { status: 400, meaning: 'A required parameter or body field is missing.' },
  missing_domain: { status: 400, meaning: 'The domain is missing.' },
  invalid_parameter: { status: 400, meaning: 'A parameter has an invalid value.' },
  invalid_name: { status: 400, meaning: 'The name cannot be registered: it is not a valid label.' },
  invalid_domain: { status: 400, meaning: 'The domain lacks a TLD or is not well formed.' },
  invalid_registrar: { status: 400, meaning: 'No such registrar.' },
  invalid_type: { status: 400, meaning: 'The type is neither gTLD nor ccTLD.' },
  invalid_category: { status: 400, meaning: 'No such category of TLDs.' },
  invalid_tier: { status: 400, meaning: 'The tier is neither quick nor full.' },
  invalid_request: { status: 400, meaning: 'The request is malformed: its body, its query or its size.' },
  unsupported_tld: { status: 400, meaning: 'The TLD is not supported.' },
  unsupported_network: { status: 400, meaning: 'Only mainnet is supported.' },
  too_many_tlds: { status: 400, meaning: 'The request has more TLDs than one request may have.' },
  check_failed: { status: 400, meaning: 'The Ethereum node did not answer the check.' },
  prepare_commit_failed: { status: 400, meaning: 'The commit transaction cannot be prepared.' },
  prepare_renew_failed: { status: 400, meaning: 'The renewal transaction cannot be prepared.' },
  prepare_update_failed: { status: 400, meaning: 'The record update cannot be prepared.' },
  expiry_failed: { status: 400, meaning: 'The expiry cannot be looked up.' },
  records_failed: { status: 400, meaning: 'The records cannot be read.' },
  tx_status_failed: { status: 400, meaning: 'The transaction hash is not well formed.' },
  invalid_token: { status: 401, meaning: 'The token of the Authorization header is missing, or is no credit token.' },
  payment_required: { status: 402, meaning: 'The endpoint is paid per request, and the request has no valid payment.' },
  not_found: { status: 404, meaning: 'There is nothing at this address.' },
  domain_not_found: { status: 404, meaning: 'The domain does not exist or has no records.' },
  method_not_allowed: { status: 405, meaning: 'The address exists, but not for this method.' },
  payment_identifier_conflict: {
    status: 409,
    meaning: 'Another payment was accepted under this payment identifier (x402); send that one again.',
  },
  idempotency_key_reused: { status: 409, meaning: 'The Idempotency-Key was used for another request.' },
  rate_limit_exceeded: {
    status: 429,
    meaning: 'Too many requests from this address; Retry-After says when to come back.',
  },
  rate_limited: { status: 429, meaning: 'Too many requests from this address; Retry-After says when to come back.' },
  internal_error: { status: 500, meaning: 'Something went wrong on our side.' },
  metadata_failed: { status: 500, meaning: 'The Ethereum node did not answer.' },
  prepare_register_failed: { status: 500, meaning: 'The registration cannot be prepared.' },
  not_configured: { status: 501, meaning: 'None of the sources asked for is configured.' },
  upstream_error: { status: 502, meaning: 'The registry answered with an error.' },
  service_unavailable: { status: 503, meaning: 'The capability is not configured or not ready.' },
  timeout: { status: 504, meaning: 'The registry did not answer in time.' },
} as const satisfies Record<string, { status: number; meaning: string }>

export type ErrorCode = keyof typeof ERRORS

/** A code with the status it has on one endpoint, or just the code if it has its usual status. */
export type Failure = ErrorCode | { readonly code: ErrorCode; readonly status: number }

export const failureCode = (failure: Failure): ErrorCode => (typeof failure === 'string' ? failure : failure.code)
export const failureStatus = (failure: Failure): number =>
  typeof failure === 'string' ? ERRORS[failure].status : failure.status

type ApiErrorOptions = {
  /** For the log; never shown to a caller. */
  readonly cause?: unknown
  /** Further members of the error body that the contract allows (`tld`, `errors`, `allowed`). */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Headers of the response (`Allow`, `Retry-After`). */
  readonly headers?: Readonly<Record<string, string>>
  /** Set if the operator has not set up what was asked for: asking again does not help. */
  readonly off?: boolean
}

/** An error as the caller sees it: a code for programs, a message for people. The cause is only logged. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** Whether the operator has not set it up, as opposed to a failure. Not shown to callers: the message says it. */
  readonly off: boolean

  constructor(
    failure: Failure,
    message: string,
    { cause, extra = {}, headers = {}, off = false }: ApiErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = failureCode(failure)
    this.status = failureStatus(failure)
    this.extra = extra
    this.headers = headers
    this.off = off
  }
}

/** The five ways an upstream can fail, and whether a retry can help. */
export const UPSTREAM_FAILURES = {
  not_configured: { retryable: false },
  timeout: { retryable: true },
  rate_limited: { retryable: true },
  auth_error: { retryable: false },
  unavailable: { retryable: true },
} as const

export type UpstreamFailure = keyof typeof UPSTREAM_FAILURES

type UpstreamErrorOptions = {
  readonly cause?: unknown
  readonly retryAfterMs?: number | undefined
  readonly unreachable?: boolean
  readonly broken?: boolean
  readonly untrusted?: boolean
  readonly refusal?: string
}

/** An upstream failed. Sources throw it; the endpoint's `failsAs` decides what the caller sees. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly failure: UpstreamFailure
  readonly retryable: boolean
  /** Milliseconds the upstream asked us to wait (Retry-After); undefined if it did not. */
  readonly retryAfterMs: number | undefined
  /** No connection: refused, reset, host not resolved, invalid certificate. An immediate retry would fail too. */
  readonly unreachable: boolean
  /** The connection ended before the whole answer was there. A retry at once, on a new connection, may be answered. */
  readonly broken: boolean
  /** The certificate is not accepted: no retry of the same request will be answered. */
  readonly untrusted: boolean
  /** Why our own address policy refused the request; may be shown to callers. */
  readonly refusal: string | undefined

  constructor(
    failure: UpstreamFailure,
    message: string,
    { cause, retryAfterMs, unreachable = false, broken = false, untrusted = false, refusal }: UpstreamErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.failure = failure
    // A retry would be refused again.
    this.retryable = refusal === undefined && UPSTREAM_FAILURES[failure].retryable
    this.retryAfterMs = retryAfterMs
    this.unreachable = unreachable
    this.broken = broken
    this.untrusted = untrusted
    this.refusal = refusal
  }
}

/**
 * The message to the caller about a source that failed. The host and its answer are only logged, unless our address
 * policy refused the request: then only that reason helps.
 */
export function failureMessage(
  source: string,
  { failure, refusal }: Pick<UpstreamError, 'failure'> & { refusal?: string | undefined },
): string {
  if (refusal !== undefined) return `${source}: ${refusal}.`
  switch (failure) {
    case 'not_configured':
      return `${source} is not set up at this service.`
    case 'timeout':
      return `${source} did not answer in time; try again later.`
    case 'rate_limited':
      return `${source} was asked too often; try again later.`
    case 'auth_error':
      return `${source} does not accept the credentials of this service.`
    case 'unavailable':
      return `${source} could not answer; try again later.`
  }
}

/** A queue or store of ours is full. The caller gets 503 with Retry-After, whatever the endpoint's `failsAs` says. */
export class OverloadError extends UpstreamError {
  constructor(message: string, retryAfterMs = 1_000) {
    super('unavailable', message, { retryAfterMs })
  }
}
