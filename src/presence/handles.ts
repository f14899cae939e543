/** Where the handle is in the path of each network, with what comes before it. */
const NETWORKS: readonly (readonly [host: string, pattern: RegExp])[] = [
  ['twitter.com', /^\/()([a-z0-9_]{1,15})\/?$/],
  ['x.com', /^\/()([a-z0-9_]{1,15})\/?$/],
  ['instagram.com', /^\/()([a-z0-9_.]{1,30})\/?$/],
  ['facebook.com', /^\/(?:pg\/)?()([a-z0-9.]{3,60})\/?$/],
  ['linkedin.com', /^\/((?:in|company|school)\/)([\p{L}\p{N}\p{M}_.-]{2,100})\/?$/u],
  ['github.com', /^\/()([a-z0-9-]{1,39})\/?$/],
  ['gitlab.com', /^\/()([a-z0-9_.-]{2,60})\/?$/],
  ['youtube.com', /^\/(@|c\/|user\/)([\p{L}\p{N}\p{M}_.-]{2,60})\/?$/u],
  ['tiktok.com', /^\/(@)([a-z0-9_.]{2,30})\/?$/],
  ['pinterest.com', /^\/()([a-z0-9_]{3,30})\/?$/],
  ['reddit.com', /^\/((?:r|user|u)\/)([a-z0-9_-]{3,30})\/?$/],
  ['t.me', /^\/()([a-z0-9_]{4,40})\/?$/],
  ['vk.com', /^\/()([a-z0-9_.]{3,40})\/?$/],
  ['twitch.tv', /^\/()([a-z0-9_]{3,30})\/?$/],
  ['soundcloud.com', /^\/()([a-z0-9_-]{3,30})\/?$/],
  ['medium.com', /^\/(@?)([a-z0-9_.-]{3,40})\/?$/],
  ['threads.net', /^\/(@)([a-z0-9_.]{1,30})\/?$/],
  ['bsky.app', /^\/(profile\/)([a-z0-9-]{3,80})(?:\.bsky\.social)?\/?$/],
  ['patreon.com', /^\/()([a-z0-9_]{3,40})\/?$/],
  ['vimeo.com', /^\/()([a-z][a-z0-9]{2,40})\/?$/],
  ['behance.net', /^\/()([a-z0-9_-]{3,40})\/?$/],
  ['dribbble.com', /^\/()([a-z0-9_-]{2,40})\/?$/],
  ['snapchat.com', /^\/(add\/)([a-z0-9._-]{3,15})\/?$/],
]

/** Paths that belong to the networks themselves and cannot be handles. */
const RESERVED_PATHS = new Set(
  (
    'about explore home login search settings help privacy terms share watch events groups pages hashtag intent ' +
    'features topics jobs'
  ).split(' '),
)

/** Networks for posts; the others are for code, music or images. */
const POST_NETWORKS =
  'twitter.com x.com instagram.com facebook.com linkedin.com youtube.com tiktok.com pinterest.com t.me vk.com twitch.tv threads.net bsky.app snapchat.com'.split(
    ' ',
  )

export const isNetwork = (host: string): boolean =>
  POST_NETWORKS.some((network) => host === network || host.endsWith(`.${network}`))

/** The handle a page belongs to, in lower case, or null. */
export function handleIn(host: string, path: string): { network: string; before: string; handle: string } | null {
  for (const [network, pattern] of NETWORKS) {
    if (host !== network && !host.endsWith(`.${network}`)) continue
    const [, before = '', handle] = pattern.exec(path.toLowerCase()) ?? []
    if (handle !== undefined && !RESERVED_PATHS.has(handle)) return { network, before, handle }
  }
  return null
}
