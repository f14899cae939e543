/**
 * Whether challenges may be sent to clients at this URL: over https, or without leaving the machine. Anybody on the path
 * of plain HTTP could change the recipient of a challenge, or take a credential.
 */
export function isSecureOrigin(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || LOOPBACK.test(hostname)
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost|.+\.localhost)$/
