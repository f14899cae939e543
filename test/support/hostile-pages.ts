/** HTML for every way a page can make the browser request a URL. */
export const SUBRESOURCES: Record<string, (url: string) => string> = {
  image: (url) => `<img src="${url}">`,
  'image set': (url) => `<img srcset="${url} 1x">`,
  frame: (url) => `<iframe src="${url}"></iframe>`,
  'frame in a frame': (url) => `<iframe srcdoc='<iframe src="${url}"></iframe>'></iframe>`,
  script: (url) => `<script src="${url}"></script>`,
  module: (url) => `<script type="module">import('${url}').catch(() => {})</script>`,
  stylesheet: (url) => `<link rel="stylesheet" href="${url}">`,
  'imported style': (url) => `<style>@import url("${url}");</style>`,
  background: (url) => `<div style='background:url("${url}");height:9px'></div>`,
  font: (url) =>
    `<style>@font-face{font-family:f${hash(url)};src:url("${url}")}</style><p style="font-family:f${hash(url)}">a</p>`,
  fetch: (url) => script(`fetch('${url}', { mode: 'no-cors' }).catch(() => {})`),
  'fetch with an upload': (url) =>
    script(`fetch('${url}', { method: 'POST', mode: 'no-cors', body: 'x' }).catch(() => {})`),
  XMLHttpRequest: (url) => script(`const x = new XMLHttpRequest(); x.open('GET', '${url}'); x.send()`),
  'synchronous XMLHttpRequest': (url) =>
    script(`try { const x = new XMLHttpRequest(); x.open('GET', '${url}', false); x.send() } catch {}`),
  EventSource: (url) => script(`new EventSource('${url}')`),
  beacon: (url) => script(`navigator.sendBeacon('${url}', 'x')`),
  ping: (url) =>
    `<a id="p${hash(url)}" ping="${url}" href="#x">x</a>${script(`document.getElementById('p${hash(url)}').click()`)}`,
  object: (url) => `<object data="${url}"></object>`,
  embed: (url) => `<embed src="${url}">`,
  video: (url) => `<video src="${url}" preload="auto" autoplay muted></video>`,
  track: (url) => `<video><track default src="${url}" kind="captions"></video>`,
  'image in SVG': (url) => `<svg><image href="${url}" width="9" height="9"/></svg>`,
  icon: (url) => `<link rel="icon" href="${url}">`,
  manifest: (url) => `<link rel="manifest" href="${url}">`,
  preload: (url) => `<link rel="preload" as="image" href="${url}">`,
  prefetch: (url) => `<link rel="prefetch" href="${url}">`,
  preconnect: (url) => `<link rel="preconnect" href="${url}"><link rel="dns-prefetch" href="${url}">`,
  modulepreload: (url) => `<link rel="modulepreload" href="${url}">`,
  'speculation rules': (url) =>
    `<script type="speculationrules">{"prefetch":[{"urls":["${url}"],"eagerness":"immediate"}],"prerender":[{"urls":["${url}"],"eagerness":"immediate"}]}</script>`,
  'form in a frame': (url) =>
    `<iframe name="f${hash(url)}"></iframe><form id="g${hash(url)}" method="post" action="${url}" target="f${hash(url)}"></form>${script(`document.getElementById('g${hash(url)}').submit()`)}`,
  popup: (url) => script(`window.open('${url}')`),
  'worker that asks': (url) => worker(`fetch('${url}', { mode: 'no-cors' }).catch(() => {})`),
  'worker that imports': (url) => worker(`try { importScripts('${url}') } catch {}`),
  'frame that moves on': (url) => `<iframe srcdoc="<script>location='${url}'</script>"></iframe>`,
  'frame that refreshes': (url) => `<iframe srcdoc='<meta http-equiv="refresh" content="0;url=${url}">'></iframe>`,
  WebSocket: (url) => script(`new WebSocket('${url.replace(/^http/, 'ws')}')`),
  WebTransport: (url) => script(`try { new WebTransport('${url.replace(/^http:/, 'https:')}') } catch {}`),
  WebRTC: (url) => script(webRtc(new URL(url).host)),
}

/** These do not reach the control server even if allowed, so the test cannot prove that they were tried. */
export const WITHOUT_PROOF = new Set([
  'icon',
  'manifest',
  'popup',
  'preconnect',
  'ping',
  'speculation rules',
  'track',
  'WebTransport',
  'WebRTC',
])

/** A response that navigates the browser to another URL. */
export type Lure = { status?: number; headers?: Record<string, string>; html?: string }

export const NAVIGATIONS: Record<string, (url: string) => Lure> = {
  'a redirect': (url) => ({ status: 302, headers: { location: url } }),
  'a permanent redirect': (url) => ({ status: 308, headers: { location: url } }),
  'a refresh header': (url) => ({ headers: { refresh: `0;url=${url}` } }),
  'a refresh': (url) => ({ html: `<meta http-equiv="refresh" content="0;url=${url}">` }),
  'a script': (url) => ({ html: script(`location.href = '${url}'`) }),
  'a script in no hurry': (url) => ({ html: script(`setTimeout(() => location.replace('${url}'), 50)`) }),
  'a form': (url) => ({ html: `<form method="post" action="${url}"></form>${script('document.forms[0].submit()')}` }),
  'a frame that breaks out': (url) => ({ html: `<iframe srcdoc="<script>top.location='${url}'</script>"></iframe>` }),
}

const script = (code: string) => `<script>{ ${code} }</script>`
const worker = (code: string) =>
  script(`new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'text/javascript' })))`)
const hash = (text: string) => Buffer.from(text).toString('hex')

const webRtc = (host: string) => `
  const peer = new RTCPeerConnection({ iceServers: [
    { urls: 'stun:${host}' }, { urls: 'turn:${host}', username: 'u', credential: 'c' },
    { urls: 'turn:${host}?transport=tcp', username: 'u', credential: 'c' },
  ] })
  peer.createDataChannel('x')
  peer.createOffer().then((offer) => peer.setLocalDescription(offer))`
