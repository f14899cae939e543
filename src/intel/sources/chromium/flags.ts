/** Defaults of Playwright that suit tests but not untrusted pages. */
export const UNWANTED_DEFAULTS = [
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--enable-unsafe-swiftshader',
]

/** The browser resolves nothing and connects to nothing but the proxy, whatever a page or the browser itself tries. */
export const flagsFor = (proxyUrl: string): readonly string[] => [
  `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${new URL(proxyUrl).hostname}`,
  '--disable-quic',
  // WebRTC uses UDP, which would bypass the proxy.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-3d-apis',
  '--disable-file-system',
  '--disable-notifications',
  '--disable-speech-api',
  '--no-pings',
  '--mute-audio',
  '--block-new-web-contents',
  '--js-flags=--max-old-space-size=256',
  '--hide-scrollbars',
]
