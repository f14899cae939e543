/** Requests as sent over the wire. Each name uses its own client address, so that no rate limit applies. */

const lines = (first: string, client: number): string[] => [
  first,
  'Host: 127.0.0.1',
  'User-Agent: onoma-bench/1',
  'Accept: application/json',
  `X-Forwarded-For: 198.18.0.${client}`,
]

export const getRequest = (target: string, client: number): string =>
  `${lines(`GET ${target} HTTP/1.1`, client).join('\r\n')}\r\n\r\n`

export function postRequest(target: string, body: object): string {
  const text = JSON.stringify(body)
  const head = [
    ...lines(`POST ${target} HTTP/1.1`, 1),
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}
