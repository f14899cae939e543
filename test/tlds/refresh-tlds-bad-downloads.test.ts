import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { refreshTlds } from '../../scripts/refresh-tlds.ts'
import {
  BOOTSTRAP_PATH,
  bootstrapText,
  type RefreshWorld,
  ROOT_PATH,
  rootText,
  serverOf,
  startRefreshWorld,
} from './refresh-tlds.fixture.ts'

describe('a bad download never replaces the TLD data', () => {
  let world: RefreshWorld
  before(async () => {
    world = await startRefreshWorld()
  })
  after(() => world.stop())
  beforeEach(() => world.reset())

  const answer = (path: string, text: string, status = 200) => {
    world.handlers[path] = (_, response) => response.writeHead(status).end(text)
  }

  test('JSON cut in half', async () => {
    answer(BOOTSTRAP_PATH, bootstrapText(world.iana).slice(0, 9000))
    await world.rejects(/rdap\/dns\.json is not JSON/)
  })
  test('a body shorter than announced', async () => {
    world.handlers[ROOT_PATH] = (_, response) => {
      response.writeHead(200, { 'content-length': 10_000 }).write(rootText(world.iana).slice(0, 500))
      response.socket?.end()
    }
    await world.rejects(/could not fetch .*tlds-alpha-by-domain\.txt/)
  })
  test('a list cut in the middle of a line', async () => {
    answer(ROOT_PATH, rootText(world.iana).slice(0, -2))
    await world.rejects(/is incomplete/)
  })
  test('a list cut at the end of a line', async () => {
    world.iana.root = world.iana.root.slice(0, 505)
    await world.rejects(/6 of our TLDs seem to have left the root zone \(.*\); at most 5 are accepted/)
  })
  test('a list without TLDs', async () => {
    world.iana.root = []
    await world.rejects(/511 of our TLDs seem to have left the root zone/)
  })
  test('a list with a line that is not a TLD', async () => {
    world.iana.root.splice(3, 0, 'not a tld')
    await world.rejects(/has a line that is not a TLD: "NOT A TLD"/)
  })
  test('a bootstrap file with far fewer TLDs', async () => {
    world.iana.services = world.iana.services.slice(0, 400)
    await world.rejects(/\d+ of our TLDs seem to have lost their RDAP server/)
  })
  test('a web page instead of either file', async () => {
    answer(BOOTSTRAP_PATH, '<!doctype html><title>Sign in</title>')
    await world.rejects(/rdap\/dns\.json is not JSON but a web page/)
    delete world.handlers[BOOTSTRAP_PATH]
    answer(ROOT_PATH, '<!doctype html><title>Sign in</title>\n')
    await world.rejects(/tlds-alpha-by-domain\.txt is a web page/)
  })
  test('JSON with the wrong structure', async () => {
    const wrong: unknown[] = [[], null, { services: [] }, { publication: world.iana.publication, services: [['com']] }]
    for (const shape of wrong) {
      answer(BOOTSTRAP_PATH, JSON.stringify(shape))
      await world.rejects(/is not an RDAP bootstrap file/)
    }
  })
  test('a server that no longer has https', async () => {
    serverOf(world.iana, 'com')[1] = ['http://rdap.verisign.com/com/v1/']
    await world.rejects(/no https server for \.com; to accept http, add the TLD to plainHttp/)
  })
  test('a server URL that is invalid or private', async () => {
    for (const url of [
      'https://127.0.0.1/',
      'https://u:p@rdap.example/',
      'file:///etc/',
      'https://rdap.example/?x=/',
      'no',
    ]) {
      serverOf(world.iana, 'com')[1] = [url]
      await world.rejects(/has an invalid server for \.com/)
    }
  })
  test('a TLD listed twice', async () => {
    world.iana.services.push([['com'], ['https://rdap.other.example/']])
    await world.rejects(/lists \.com twice/)
  })
  test('a file older than ours', async () => {
    world.iana.publication = '2026-01-30T19:00:02Z'
    await world.rejects(/older than ours, 2026-03-23/)
    world.iana.publication = '2026-03-23T19:00:02Z'
    world.iana.version = '2026082000'
    await world.rejects(/version 2026082000, which is older than ours, 2026082001/)
  })
  test('a file that is too large', async () => {
    answer(BOOTSTRAP_PATH, ' '.repeat(3 * 1024 * 1024))
    await world.rejects(/it is larger than 2097152 bytes/)
  })
  test('a file that is not UTF-8', async () => {
    world.handlers[ROOT_PATH] = (_, response) => response.end(Buffer.from([0x23, 0xff, 0xfe, 0x0a]))
    await world.rejects(/not valid/)
  })
  test('an error status, a redirect, a closed connection', async () => {
    answer(ROOT_PATH, 'busy', 503)
    await world.rejects(/the status is 503/)
    world.handlers[ROOT_PATH] = (_, response) => response.writeHead(302, { location: `${world.base}/elsewhere` }).end()
    await world.rejects(/could not fetch .*redirect/)
    world.handlers[ROOT_PATH] = (request) => request.socket.destroy()
    await world.rejects(/could not fetch/)
  })
  test('no answer', async () => {
    world.handlers[ROOT_PATH] = () => {}
    const lines: string[] = []
    const needs = { print: (line: string) => void lines.push(line), timeoutMs: 50 }
    assert.equal(await refreshTlds(['--data', world.data, '--from', world.base, '--write'], needs), 1)
    assert.match(lines.join(), /timeout/)
  })
  test('a URL without https that is not loopback', async () => {
    const { code, text } = await world.run('--from', 'http://mirror.example')
    assert.equal(code, 1)
    assert.match(text, /--from must be a folder or an https URL/)
  })
})
