import type { Config } from '../settings/config.ts'

/** Something that this service does not do with its settings, and how its operator would switch it on. */
export type Switch = { readonly what: string; readonly how: string }

type Known = {
  readonly what: string
  readonly how: string
  /** Whether it is off by the settings. */
  isOff?(config: Config): boolean
  /** The part of `GET /ready` that says whether it is off. */
  readonly part?: string
}

const SWITCHES: readonly Known[] = [
  { what: 'Auctions', how: 'ONOMA_AUCTIONS=namecheap,sedo', part: 'auctions' },
  {
    what: 'Trademarks',
    how: 'ONOMA_TRADEMARK_OFFICE_KEY=… onoma trademark fetch --years 2 --import',
    part: 'trademarks',
  },
  {
    what: 'Offers at Sedo',
    how: 'ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID=… ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY=…',
    isOff: ({ aftermarket }) => aftermarket.sourceA === null,
  },
  {
    what: 'Offers at Dynadot',
    how: 'ONOMA_AFTERMARKET_SOURCE_B_KEY=…',
    isOff: ({ aftermarket }) => aftermarket.sourceB === null,
  },
  {
    what: 'Web search',
    how: 'ONOMA_ENGINE_B_KIND=brave ONOMA_ENGINE_B_KEY=…',
    // Without one, presence is looked up in open registers.
    isOff: ({ engines }) => [engines.a, engines.b].every((engine) => engine === null || engine.kind === 'open'),
  },
  { what: 'Screenshots', how: 'onoma browser install', part: 'browser' },
  {
    what: 'Payments',
    how: 'ONOMA_PAYMENTS=free, or ONOMA_PAY_TO=0x… ONOMA_X402_RPC_URLS=https://… ONOMA_X402_SETTLEMENT_KEY=…',
    isOff: ({ payments }) => payments.mode === 'off',
  },
  { what: 'Metrics', how: 'ONOMA_METRICS=on', isOff: ({ metrics }) => metrics === null },
]

/** What is off: by the settings, or by the given parts of `GET /ready`. */
export const findSwitches = (config: Config, isPartOff: (name: string) => boolean): Switch[] =>
  SWITCHES.filter(({ isOff, part }) => isOff?.(config) ?? isPartOff(part!)).map(({ what, how }) => ({ what, how }))
