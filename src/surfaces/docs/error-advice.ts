import type { ErrorCode } from '../../kernel/errors.ts'

const RETRY_AFTER = 'Wait for the seconds that the header `Retry-After` names, then send the same request again.'
const READ_MESSAGE = 'Read `message`: it names the field and says what would be right.'
const RETRY_NODE =
  'Send the request again in a few seconds. If it keeps failing, `GET /v1/ens/health` says whether the Ethereum nodes answer.'

/** What a caller should do about each code. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, string>> = {
  missing_parameter: 'Send the field that `message` names. It shows an example where there is one.',
  missing_domain: 'Send the domain, for example `domain=example.com`.',
  invalid_parameter: READ_MESSAGE,
  invalid_name:
    'Use letters, digits and inner hyphens, at most 63 characters, without the TLD. Names in other scripts are converted (IDNA).',
  invalid_domain:
    'Send a whole domain such as `example.com`: a name, a dot and a TLD, without `https://` and without a path.',
  invalid_registrar: '`message` lists the registrars. Leave the field out to get all of them.',
  invalid_type: 'Send `gTLD` or `ccTLD`, or leave the field out.',
  invalid_category: '`message` lists the categories, and so does `GET /v1/tlds`.',
  invalid_tier: 'Send `quick` or `full`.',
  invalid_request:
    '`message` says what cannot be read. A body must be one JSON object with `Content-Type: application/json`, not compressed, and not larger than the endpoint allows.',
  unsupported_tld: '`GET /v1/tlds` lists all supported TLDs. Leave the TLD out to check the most popular ones.',
  unsupported_network: 'Leave `network` out, or send `mainnet`.',
  too_many_tlds: 'Send fewer TLDs in one request, or use `POST /v1/check/bulk`, which takes thousands of domains.',
  check_failed: RETRY_NODE,
  prepare_commit_failed: `${READ_MESSAGE} If it says that the node did not answer, send the request again.`,
  prepare_renew_failed: `${READ_MESSAGE} If it says that the node did not answer, send the request again.`,
  prepare_update_failed: `${READ_MESSAGE} Only the owner of a name, or its manager, can change its records.`,
  expiry_failed: RETRY_NODE,
  records_failed: RETRY_NODE,
  tx_status_failed: 'Send the whole hash of the transaction: `0x` and 64 hexadecimal digits.',
  invalid_token:
    'Send the credit token that the purchase returned as `Authorization: Bearer …`. Without credit, leave the header out and pay per request (`/docs/guides/payments`).',
  payment_required:
    'Pay as the answer says (`accepts` for x402, the header `WWW-Authenticate` for MPP) and send the same request with the payment (`/docs/guides/payments`). Nothing has been charged yet.',
  not_found: 'Compare the address with the list of endpoints. Addresses have no trailing slash and no file extension.',
  domain_not_found: 'The domain is not registered, or its zone is empty. `GET /v1/check` says whether it is available.',
  method_not_allowed: 'Use one of the methods in the header `Allow`.',
  payment_identifier_conflict:
    'Send the payment again that was accepted under this identifier, or choose a new identifier for a new payment.',
  idempotency_key_reused: 'Use a new key for a new request. A key belongs to one request for 24 hours.',
  rate_limit_exceeded: `${RETRY_AFTER} The headers \`RateLimit\` and \`RateLimit-Policy\` say how much is left before it happens.`,
  rate_limited: `${RETRY_AFTER} The headers \`RateLimit\` and \`RateLimit-Policy\` say how much is left before it happens.`,
  internal_error:
    'Send the request again once. If it fails again, report it with the request id in `message`: this is a bug of the service.',
  metadata_failed: RETRY_NODE,
  prepare_register_failed:
    'Read `message`: the commitment may be too young (wait 60 seconds), too old (start again with prepare-commit) or not on the chain yet.',
  not_configured:
    'Leave out the sources that `errors` names, or set them up if you run the service: `/docs/guides/settings`.',
  upstream_error: 'Send the request again later: the registry failed, not the request.',
  service_unavailable:
    'With a header `Retry-After`, wait and send the request again. Otherwise the operator of the service must set up what `message` names (`/docs/guides/settings`); `GET /ready` lists it.',
  timeout: 'Send the request again: a registry that was slow often answers the next time.',
}
