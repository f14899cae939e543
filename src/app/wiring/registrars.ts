import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Availability } from '../../availability/service.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { DomainName } from '../../kernel/names.ts'
import type { Random } from '../../kernel/random.ts'
import { fileStore } from '../../protocols/rdap/file-store.ts'
import { loadBundledRegistrars, parseRegistrars, type Registrar } from '../../registrars/links.ts'
import type { PriceList } from '../../registrars/price-list.ts'
import { createPriceTable, type PriceTable } from '../../registrars/price-table.ts'
import { createPrices } from '../../registrars/prices.ts'
import { createQuotes } from '../../registrars/quotes.ts'
import type { Quote } from '../../registrars/registrar-check.ts'
import { namecheapCheck } from '../../registrars/sources/namecheap-check.ts'
import { porkbunCheck } from '../../registrars/sources/porkbun-check.ts'
import { fetchPorkbunPrices } from '../../registrars/sources/porkbun-prices.ts'
import type { Config } from '../settings/config.ts'
import type { Outbound } from './outbound.ts'
import { withPremium } from './premium.ts'

type Needs = {
  readonly config: Pick<Config, 'registrarsFile' | 'prices' | 'dataDir' | 'sandbox'>
  readonly outbound: Outbound
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** The registrars that links are made for, their prices, and the one that is asked about premium names. */
export type Registrars = {
  readonly registrars: readonly Registrar[]
  readonly priceListOf: (registrar: Registrar) => Promise<PriceList | null>
  /** What domains cost at the moment. Asks nobody. */
  readonly priceTable: () => Promise<PriceTable>
  readonly quoteOf?: (domain: DomainName, signal: AbortSignal) => Promise<Quote | undefined>
  /** The same verdicts, with what the operator's registrar says about premium names. */
  readonly withPremium: (availability: Availability) => Availability
  start(): Promise<void>
  close(): Promise<void>
}

export function openRegistrars({ config, outbound, clock, random, log }: Needs): Registrars {
  const { registrarsFile } = config
  const { url, premium } = config.prices
  const upstream = outbound.open('registrar')
  const registrars =
    registrarsFile === null
      ? loadBundledRegistrars()
      : parseRegistrars(readSettingFile('ONOMA_REGISTRARS', registrarsFile))
  // Nobody is asked for prices that no registrar shows.
  const isShown = registrars.some(({ priceList }) => priceList === 'porkbun')
  const store = fileStore(join(config.dataDir, 'registrar-prices.json'))
  const prices =
    url === null || !isShown
      ? null
      : createPrices({
          load: (signal) => fetchPorkbunPrices({ upstream, url }, signal),
          store,
          clock,
          random,
          log,
          isSimulated: config.sandbox,
        })
  const check =
    premium?.registrar === 'porkbun'
      ? porkbunCheck({ upstream, ...premium })
      : premium?.registrar === 'namecheap'
        ? namecheapCheck({ upstream, ...premium })
        : null
  const quotes = check && createQuotes({ registrar: check, clock, log })
  const priceListOf = async ({ priceList }: Registrar): Promise<PriceList | null> =>
    priceList === 'porkbun' && prices ? prices.current() : null
  return {
    registrars,
    priceListOf,
    async priceTable() {
      const listed = registrars.map(async (registrar) => ({ registrar, list: await priceListOf(registrar) }))
      return createPriceTable({ registrars: await Promise.all(listed), knownQuote: quotes?.known })
    },
    ...(quotes && { quoteOf: quotes.find }),
    withPremium: (availability) => (quotes ? withPremium(availability, quotes) : availability),
    async start() {
      await prices?.start()
    },
    async close() {
      prices?.close()
      await upstream.close()
    },
  }
}

function readSettingFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${setting} names a file that cannot be read: ${path}`, { cause })
  }
}
