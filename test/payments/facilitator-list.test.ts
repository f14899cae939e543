import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { checkPayments } from '../../src/app/commands/payments-check.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import type { Upstream } from '../../src/kernel/upstream/client.ts'
import { startLivePayments } from '../support/live-payments.ts'

const page = readFileSync(new URL('../../docs/payments.md', import.meta.url), 'utf8')
/** The rows of the list that have a URL: name, URL and authentication. */
const LISTED = [...page.matchAll(/^\| ([^|]+) \| `(https:\/\/[^`]+)` \| ([^|]+) \|$/gm)].map(([, name, url, auth]) => ({
  name: name!,
  url: url!,
  auth: auth!,
}))

const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
const CDP_SECRET = Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')]).toString('base64')
const SETTINGS: Readonly<Record<string, Record<string, string>>> = {
  none: {},
  'CDP key': { ONOMA_X402_FACILITATOR_KEY_ID: 'key-1', ONOMA_X402_FACILITATOR_KEY_SECRET: CDP_SECRET },
}
const kind = (network: string, x402Version = 2) => ({ x402Version, scheme: 'exact', network })
/** What each says under /supported, by its documentation; and whether it can settle payments on Base. */
const SUPPORTED: Readonly<Record<string, { readonly kinds: object[]; readonly isReady: boolean }>> = {
  'https://api.cdp.coinbase.com/platform/v2/x402': {
    kinds: [kind('eip155:8453'), kind('eip155:84532'), kind('base', 1)],
    isReady: true,
  },
  'https://x402.org/facilitator': { kinds: [kind('eip155:84532'), kind('base-sepolia', 1)], isReady: false },
}

suite('the facilitators that docs/payments.md lists', () => {
  test('are those that are tried here', () => {
    assert.deepEqual(LISTED.map(({ url }) => url).toSorted(), Object.keys(SUPPORTED).toSorted())
  })

  for (const { name, url, auth } of LISTED) {
    test(`${name}: its URL and authentication are valid settings, and the check says whether it settles on Base`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'onoma-test-facilitators-'))
      t.after(() => rmSync(folder, { recursive: true }))
      const shop = await startLivePayments(t, { folder, schemes: ['x402'] })
      const config = loadConfig({
        ONOMA_DATA_DIR: folder,
        ONOMA_PUBLIC_URL: 'https://names.example',
        ONOMA_PAY_TO: '0x52908400098527886E0F7030069857D2E4169EE7',
        ONOMA_X402_RPC_URLS: 'https://base.example',
        ONOMA_X402_FACILITATOR_URL: url,
        ...SETTINGS[auth],
      })
      const asked: { url: string; headers: Record<string, string> }[] = []
      const { kinds, isReady } = SUPPORTED[url]!
      const outbound: typeof shop.outbound = {
        ...shop.outbound,
        open(provider) {
          const nodes = shop.outbound.open(provider)
          const request: Upstream['request'] = async (sent) => {
            if (!String(sent.url).startsWith(url)) return nodes.request(sent)
            asked.push({ url: String(sent.url), headers: sent.headers as Record<string, string> })
            return { json: () => ({ kinds, extensions: [], signers: {} }) } as never
          }
          return { ...nodes, request }
        },
      }
      let said = ''
      const output = { write: (text: string) => void (said += text) }
      assert.equal(await checkPayments({ config, output, clock: shop.clock, outbound }), isReady, said)
      assert.match(said, isReady ? /^x402: ready$/m : /facilitator does not settle "exact" payments on eip155:8453/)
      assert.deepEqual(
        asked.map((each) => each.url),
        [`${url}/supported`],
      )
      const [, claims] = (asked[0]!.headers['authorization'] ?? '').split('.')
      const uris = claims && (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { uris: string[] }).uris
      assert.deepEqual(uris, auth === 'CDP key' ? [`GET ${url.replace('https://', '')}/supported`] : undefined)
    })
  }
})
