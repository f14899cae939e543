// Made from the endpoints by `npm run build:sdk`; do not edit.

/** A source that failed. */
export type AftermarketError = {
  /** Which source failed. */
  readonly source: string
  /** Why it failed. */
  readonly code: 'not_configured' | 'timeout' | 'rate_limited' | 'auth_error' | 'unavailable'
  /** The reason as a sentence. */
  readonly message: string
  /** Whether a retry can succeed. */
  readonly retryable: boolean
}
/** What one source says about a domain. */
export type AftermarketListing = {
  /** The source. */
  readonly source: 'source_a' | 'source_b' | 'source_c' | 'source_d' | 'dns_for_sale' | 'name_servers' | 'auctions' | 'listings' | 'page'
  /** Display name of the marketplace. */
  readonly platform: string
  /** Whether and how the domain is for sale there. */
  readonly status: 'listed' | 'notListed' | 'auction' | 'backorder' | 'error'
  /** How it can be bought; left out if it is not for sale. */
  readonly saleType?: 'buyNow' | 'makeOffer' | 'auction' | 'backorder'
  /** Left out if the seller gives no price. */
  readonly price?: {
    /** The amount. */
    readonly amount: number
    /** Currency code. */
    readonly currency: string
  }
  /** Whether offers are accepted. */
  readonly makeOffer: boolean
  /** Whether it is being auctioned. */
  readonly auction: boolean
  /** Only for auctions. */
  readonly auctionDetails?: {
    /** When the auction ends; null if unknown. */
    readonly endsAt: string | null
    /** Bids so far; null if unknown. */
    readonly bidCount: number | null
    /** Whether the reserve is met; null if unknown. */
    readonly reserveMet: boolean | null
  }
  /** The page of the offer. */
  readonly url: string
  /** The same page, with the affiliate id of this service if it has one. */
  readonly affiliateUrl: string
  /** When the source was queried, or when it saw the offer before, ISO 8601 in UTC. */
  readonly lastChecked: string
  /** Response time in milliseconds. */
  readonly responseMs: number
}
/** Where a domain is for sale. */
export type AftermarketReport = {
  /** Only if no requested source is configured (501). */
  readonly error?: "not_configured"
  /** The error as a sentence. */
  readonly message?: string
  /** The requested domain, in lower case. */
  readonly domain: string
  /** When the response was created, ISO 8601 in UTC. */
  readonly timestamp: string
  /** Whether it is for sale at any source. */
  readonly listed: boolean
  /** Totals over all sources. */
  readonly summary: {
    /** Number of sources. */
    readonly totalSources: number
    /** Sources queried, including those that failed. */
    readonly sourcesChecked: number
    /** Sources that answered. */
    readonly sourcesWithData: number
    /** Sources where it is for sale. */
    readonly listedCount: number
    /** The lowest price of all sources, compared in US dollars. */
    readonly lowestPrice?: {
      /** The amount. */
      readonly amount: number
      /** Currency code. */
      readonly currency: string
      /** The source with this price. */
      readonly source: string
      /** The kind of sale. */
      readonly saleType: string
    }
    /** Whether any source auctions it. */
    readonly hasAuction: boolean
    /** Whether any source accepts offers. */
    readonly hasMakeOffer: boolean
    /** Whether any source accepts backorders. */
    readonly hasBackorder: boolean
  }
  /** One for each source that answered; `page` only if the page offers the domain. */
  readonly listings: readonly AftermarketListing[]
  /** Sources that failed; the listings of the others are complete. */
  readonly errors: readonly AftermarketError[]
  /** About the response. */
  readonly meta: {
    /** Total time in milliseconds. */
    readonly totalMs: number
    /** Whether links are affiliate links. */
    readonly affiliateDisclosure: string
    /** Whether the listings came from the cache. */
    readonly cacheHit: boolean
    /** Seconds until the cached listings expire. */
    readonly cacheTTL: number
  }
}
/** One auction that has not ended. */
export type Auction = {
  /** Domain in ASCII. */
  readonly domain: string
  /** Everything after the first dot of the domain. */
  readonly tld: string
  /** Auction source. */
  readonly source: 'source_a' | 'source_b' | 'source_c'
  /** Page of the auction; left out if unknown. */
  readonly source_url?: string
  /** Current price, in `currency`. */
  readonly current_price: number
  /** Start price, in `currency`. */
  readonly start_price?: number
  /** ISO 4217 currency code. */
  readonly currency: string
  /** Current price in US dollars. */
  readonly price_usd: number
  /** Number of bids. */
  readonly bid_count: number
  /** When it began. ISO 8601. */
  readonly started_at?: string
  /** When it ends. ISO 8601. */
  readonly ends_at: string
  /** Quality score from 0 to 100, computed from the metrics, the bids and the name. */
  readonly quality_score: number
  readonly metrics?: AuctionMetrics
  /** When this entry last changed. ISO 8601. */
  readonly updated_at?: string
}
/** Third-party metrics; unknown ones are left out. */
export type AuctionMetrics = {
  /** Domain rating by the first provider, 0 to 100. */
  readonly metric_a_dr?: number
  /** Backlinks known to the first provider. */
  readonly metric_a_backlinks?: number
  /** Authority score by the second provider, 0 to 100. */
  readonly metric_b_score?: number
  /** Backlinks known to the second provider. */
  readonly metric_b_backlinks?: number
  /** Citation flow of the third provider, 0 to 100. */
  readonly metric_c_cf?: number
  /** Trust flow of the third provider, 0 to 100. */
  readonly metric_c_tf?: number
  /** Backlinks known to the third provider. */
  readonly metric_c_backlinks?: number
  /** Value estimated by the first appraiser. In US dollars. */
  readonly appraisal_a_value?: number
  /** Value estimated by the second appraiser. In US dollars. */
  readonly appraisal_b_value?: number
  /** Monthly searches for its keywords. */
  readonly keyword_search_volume?: number
  /** TLDs under which the same name is registered. */
  readonly extensions_taken?: number
  /** Registration date, `YYYY-MM-DD`. */
  readonly registered_date?: string
  /** Last sale price. In US dollars. */
  readonly last_sold_price?: number
  /** Year of the last sale. */
  readonly last_sold_year?: number
  /** Annual renewal price. In US dollars. */
  readonly renewal_price?: number
  /** Inbound links. */
  readonly inbound_links?: number
  /** Age of the registration in years. */
  readonly domain_age_years?: number
}
/** Matching auctions. */
export type Auctions = {
  /** One page of matches, in the requested order. */
  readonly auctions: readonly Auction[]
  /** Paging and sources. */
  readonly meta: {
    /** Exact number of matches. */
    readonly total: number
    /** Maximum number of auctions in this response. */
    readonly limit: number
    /** Number of matches skipped before this page. */
    readonly offset: number
    /** All configured sources. */
    readonly sources: Readonly<Record<string, {
      /** Last complete sync; left out before the first one. ISO 8601. */
      readonly last_sync?: string
      /** Live auctions of this source. */
      readonly count: number
    }>>
  }
}
/** A new credit. */
export type BoughtCredit = {
  /** The credit. Keep it secret: anybody who knows it can spend it. */
  readonly token: string
  /** Amount of the credit, in US dollars as decimal text. */
  readonly bought: string
  /** Always USD. */
  readonly currency: "USD"
  /** When unused credit expires; null: never. */
  readonly expiresAt: string | null
}
/** The answer for a list of domains. */
export type BulkCheck = {
  /** One entry per domain, in the order they became known. */
  readonly results: readonly CheckResult[]
  /** Domains that cannot be checked. */
  readonly refused?: readonly RefusedDomain[]
  readonly summary: CheckSummary
}
/** What is known of one domain. */
export type CheckResult = {
  /** The name without its TLD. */
  readonly name?: string
  /** Full domain. */
  readonly domain: string
  /** Its TLD, or its suffix such as `co.uk`. */
  readonly tld: string
  /** True only if the registry says so. */
  readonly available: boolean
  /** First `available`, `registered`, `reserved` or `unknown`; status values of the registry may follow. */
  readonly status: readonly string[]
  /** True if the registry, or the operator's registrar, calls it premium. */
  readonly premium: boolean
  /** The source that decided, or the last one asked if none could. */
  readonly source: 'dns' | 'rdap' | 'whois'
  /** When it was found out, ISO 8601 in UTC. */
  readonly checkedAt: string
  /** Milliseconds this domain took. */
  readonly responseMs: number
  /** Whether the answer was known from an earlier check. */
  readonly cached: boolean
  /** Why the first status flag is `unknown`. */
  readonly error?: 'timeout' | 'rate_limited' | 'upstream_error'
  /** Every query that was sent and its outcome, with `evidence=true`. */
  readonly evidence?: readonly Evidence[]
}
/** How many domains have each verdict. */
export type CheckSummary = {
  /** Domains checked. */
  readonly checked: number
  /** Available according to the registry. */
  readonly available: number
  /** Registered or reserved. */
  readonly unavailable: number
  /** Not known: no source that could decide answered in time. */
  readonly unknown: number
  /** Premium according to the registry or the operator's registrar. */
  readonly premium: number
}
/** This service does not offer it. */
export type ClosedPart = {
  /** Which of the four kinds this part is. */
  readonly state: "off"
  /** What the operator would have to set. */
  readonly message: string
}
/** Only the verdicts, with `view=compact`. */
export type CompactCheck = {
  /** The name, where all domains share it; the lists then hold TLDs. */
  readonly name?: string
  /** Available according to the registry; left out if empty. */
  readonly available?: readonly string[]
  /** Registered; left out if empty. */
  readonly registered?: readonly string[]
  /** Reserved by the registry; left out if empty. */
  readonly reserved?: readonly string[]
  /** No source that could decide answered in time; left out if empty. */
  readonly unknown?: readonly string[]
  /** Not checked: not a valid domain with a supported TLD; left out if empty. */
  readonly refused?: readonly string[]
}
/** At most 2 KB, with `view=compact`. */
export type CompactDossier = {
  /** The name without its TLD. */
  readonly name: string
  /** The domain, if one was asked for. */
  readonly domain?: string
  /** A summary in plain words. */
  readonly sentence: string
  /** TLDs under which it is available, 60 at most. */
  readonly available: readonly string[]
  /** Under how many TLDs it is registered or reserved. */
  readonly registered: number
  /** Under how many TLDs it is not known. */
  readonly unknown: number
  /** The state of each part, or its main figure. */
  readonly parts: Readonly<Record<string, string>>
}
/** A sale of a similar domain. */
export type ComparableSale = {
  /** The sold domain. */
  readonly domain: string
  /** Sale price, in US dollars. */
  readonly sale_price: number
  /** Date of the sale or of its publication, YYYY-MM-DD. */
  readonly sale_date: string
  /** Who published the sale. */
  readonly source: string
}
/** What is left of a credit. */
export type CreditBalance = {
  /** What can be spent now, in US dollars as decimal text. */
  readonly balance: string
  /** What was bought, in US dollars as decimal text. */
  readonly bought: string
  /** What was spent, in US dollars as decimal text. */
  readonly spent: string
  /** Price of requests that are being answered, in US dollars as decimal text. */
  readonly reserved: string
  /** `usable`, or `lost`: the chain has dropped the payment that bought it, and nothing can be spent. */
  readonly state: 'usable' | 'lost'
  /** Always USD. */
  readonly currency: "USD"
  /** When unused credit expires; null: never. */
  readonly expiresAt: string | null
}
/** The DNS records of a name. */
export type DnsRecords = {
  /** The domain asked about. */
  readonly domain: string
  /** The records of the name; an empty list means that there are no such records. */
  readonly records: {
    /** IPv4 addresses. */
    readonly a: readonly string[]
    /** IPv6 addresses. */
    readonly aaaa: readonly string[]
    /** Mail servers, in order of preference. */
    readonly mx: readonly ({
      /** Mail server; `.` if the name accepts no mail. */
      readonly host: string
      /** Lower is preferred. */
      readonly priority: number
    })[]
    /** Name servers. */
    readonly ns: readonly ({
      /** Name server. */
      readonly host: string
      /** Its first address; empty if it has none. */
      readonly ip: string
    })[]
    /** TXT records, each with its strings joined. */
    readonly txt: readonly string[]
    /** The name this is an alias of; null if it is not an alias. */
    readonly cname: string | null
    /** Start of authority; null if the name is not the apex of a zone. */
    readonly soa: {
      /** Primary name server. */
      readonly primary_ns: string
      /** Email address of the administrator of the zone. */
      readonly admin_email: string
      /** Version of the zone. */
      readonly serial: number
      /** How often secondaries check for a new version, in seconds. */
      readonly refresh: number
      /** How soon they retry after a failure, in seconds. */
      readonly retry: number
      /** When they stop answering without contact to the primary, in seconds. */
      readonly expire: number
      /** TTL of a negative answer, in seconds. */
      readonly min_ttl: number
    } | null
  }
  /** Whether the zone of the name has a DS record at its parent. */
  readonly dnssec: boolean
  /** Milliseconds the lookup took. */
  readonly query_time_ms: number
  /** When the lookup was made, ISO 8601 in UTC. */
  readonly queried_at: string
}
/** Whether a domain is parked, and its page as a visitor sees it. */
export type DomainIntel = {
  /** The requested domain. */
  readonly domain: string
  /** Whether it can be registered, according to the registry. */
  readonly available: boolean
  /** Whether it is parked. With `error` it is always false, because no page was captured. */
  readonly parked: boolean
  /** Probability that it is parked. Left out if no page was captured. */
  readonly parked_confidence?: number
  /** The signals for it, strongest first. */
  readonly parked_signals?: readonly string[]
  /** A screenshot of the page. */
  readonly screenshot_url?: string
  /** The URL after all redirects. */
  readonly final_url?: string
  /** Milliseconds until the page was loaded. */
  readonly load_time_ms?: number
  /** Why no page was captured; such a response is not charged. `site_not_resolved`: the name has no address. `site_unreachable`: its address does not accept connections, or closed the connection before a page was received. `site_timeout`: no page was received in time. `site_not_public`: its address, or one it redirects to, is not public. `screenshot_service_unavailable`: the browser failed. */
  readonly error?: string
}
/** Everything about a name. */
export type Dossier = {
  /** The name without its TLD. */
  readonly name: string
  /** The domain, if one was asked for. */
  readonly domain?: string
  /** A summary in plain words, the verdict first. */
  readonly sentence: string
  /** What is known, by part. */
  readonly parts: {
    /** Left out unless asked for. */
    readonly availability?: {
      /** Which of the four kinds this part is. */
      readonly state: "known"
      readonly data: BulkCheck
    } | EmptyPart | UnknownPart | ClosedPart
    /** Left out unless asked for. */
    readonly register?: {
      /** Which of the four kinds this part is. */
      readonly state: "known"
      /** Of the domains that are available. */
      readonly data: readonly RegistrationLinks[]
    } | EmptyPart | UnknownPart | ClosedPart
    /** Left out unless asked for. */
    readonly ens?: {
      /** Which of the four kinds this part is. */
      readonly state: "known"
      /** Whether the name can be registered at ENS, with its premium or expiry. */
      readonly data: EnsAvailability & ({
        /** The premium, if the name is available at one. */
        readonly premium?: EnsPremium
        /** When it expires, if it is registered. */
        readonly expiry?: EnsExpiry
      })
    } | EmptyPart | UnknownPart | ClosedPart
    /** Left out unless asked for. */
    readonly trademarks?: {
      /** Which of the four kinds this part is. */
      readonly state: "known"
      readonly data: TrademarkResults
    } | EmptyPart | UnknownPart | ClosedPart
    /** Left out unless asked for. */
    readonly aftermarket?: {
      /** Which of the four kinds this part is. */
      readonly state: "known"
      readonly data: AftermarketReport
    } | EmptyPart | UnknownPart | ClosedPart
    /** Left out unless asked for. */
    readonly auctions?: {
      /** Which of the four kinds this part is. */
      readonly state: "known"
      readonly data: Auctions
    } | EmptyPart | UnknownPart | ClosedPart
    /** Left out unless asked for. */
    readonly presence?: {
      /** Which of the four kinds this part is. */
      readonly state: "known"
      readonly data: Presence
    } | EmptyPart | UnknownPart | ClosedPart
    /** Left out unless asked for, and for a name without a TLD. */
    readonly whois?: {
      /** Which of the four kinds this part is. */
      readonly state: "known"
      readonly data: WhoisRecord
    } | EmptyPart | UnknownPart | ClosedPart
    /** Left out unless asked for, and for a name without a TLD. */
    readonly dns?: {
      /** Which of the four kinds this part is. */
      readonly state: "known"
      readonly data: DnsRecords
    } | EmptyPart | UnknownPart | ClosedPart
  }
  /** What can be bought about the domain; empty for a name. */
  readonly paid: readonly PaidPart[]
  /** Milliseconds for the whole request. */
  readonly totalMs: number
  /** When the answer was made, ISO 8601 in UTC. */
  readonly timestamp: string
}
/** It was looked up, and there is nothing. */
export type EmptyPart = {
  /** Which of the four kinds this part is. */
  readonly state: "nothing"
  /** Why there is nothing, if there is a reason. */
  readonly message?: string
}
/** Whether an ENS name can be registered. */
export type EnsAvailability = {
  /** The name with `.eth`, in lower case. */
  readonly name: string
  /** True only if the registrar accepts a registration now. */
  readonly available: boolean
  /** Owner of the name. Left out if the name is available. */
  readonly owner?: string
  /** Resolver contract of the name. Left out if the name is available or has none. */
  readonly resolver?: string
  /** Annual price by the length of the name, without a premium. Left out if the name is taken. */
  readonly registrationPrice?: {
    /** In wei. */
    readonly wei: string
    /** In ether. */
    readonly eth: string
    /** In US dollars. */
    readonly usdEstimate: number
  }
  /** Temporary premium on a recently expired name, paid once on top of the annual price; falls to zero within 21 days. Left out if none applies. */
  readonly premiumPrice?: {
    /** In wei. */
    readonly wei: string
    /** In ether. */
    readonly eth: string
    /** In US dollars. */
    readonly usdEstimate: number
  }
  /** Time taken to answer, in milliseconds. */
  readonly responseMs: number
  /** `rpc` is a fresh answer of the Ethereum node; `rpc+cache` is a cached one. */
  readonly source: 'rpc' | 'rpc+cache'
  /** When the node was read, ISO 8601 in UTC. */
  readonly checkedAt: string
}
/** The transaction in readable form, decoded from the bytes a wallet would sign. */
export type EnsDecoded = {
  /** Contract function that is called. */
  readonly function: string
  /** Contract the transaction is sent to. */
  readonly contract: string
  /** One sentence that says what the transaction does. */
  readonly summary: string
  /** Each argument in readable form. */
  readonly arguments: Readonly<Record<string, string>>
}
/** When an ENS name expires and what a renewal costs. */
export type EnsExpiry = {
  /** The name with `.eth`, in lower case. */
  readonly name: string
  /** When the registration ends, ISO 8601 in UTC. */
  readonly expires_at: string
  /** `expires_at` in seconds since 1970. */
  readonly expires_at_unix: number
  /** End of the grace period, 90 days after expiry. Until then the name cannot be registered by others. */
  readonly grace_period_ends: string
  /** Whether the registration has ended. */
  readonly is_expired: boolean
  /** Whether the registration has ended and can still be renewed. */
  readonly in_grace_period: boolean
  readonly renewal_cost: EnsRentPrice
}
/** Health of the ENS part of the service. */
export type EnsHealth = {
  /** `degraded` if no Ethereum node answers, or if no transaction can be prepared: fewer than two of several nodes answer and agree, or the registrar no longer authorizes the controller in use. */
  readonly status: 'ok' | 'degraded'
  /** Name of the service. */
  readonly service: string
  /** The connection to Ethereum. */
  readonly ens: {
    /** `ok`, or what is wrong. */
    readonly status: string
    /** Whether an Ethereum node answers. */
    readonly rpcConnected: boolean
  }
  /** Number of cached results. */
  readonly cacheStats: {
    /** Cached availability results. */
    readonly availability: number
    /** Cached metadata results. */
    readonly metadata: number
  }
}
/** Owner, resolver and records of an ENS name. */
export type EnsMetadata = {
  /** The name with `.eth`, in lower case. */
  readonly name: string
  /** Owner of the name; for a wrapped name, the owner of the wrapped token. */
  readonly owner: string
  /** Resolver contract of the name; empty if it has none. */
  readonly resolver: string
  /** Ethereum address the name resolves to; empty if none is set. */
  readonly address: string
  /** The records most clients show. */
  readonly records: {
    /** Avatar, as a URL or a token reference; empty if not set. */
    readonly avatar: string
    /** Home page; empty if not set. */
    readonly url: string
    /** Description set by the owner; empty if not set. */
    readonly description: string
    /** Handle at com.twitter; empty if not set. */
    readonly twitter: string
    /** Handle at com.github; empty if not set. */
    readonly github: string
    /** Mail address; empty if not set. */
    readonly email: string
    /** Content hash, in hexadecimal; empty if not set. */
    readonly contenthash: string
  }
  /** True if the records are stored off-chain at a gateway chosen by the owner, which this service does not call. */
  readonly offchain?: true
  /** Time taken to answer, in milliseconds. */
  readonly responseMs: number
  /** `rpc` is a fresh answer of the Ethereum node; `rpc+cache` is a cached one. */
  readonly source: 'rpc' | 'rpc+cache'
  /** When the node was read, ISO 8601 in UTC. */
  readonly checkedAt: string
}
/** Metadata of several names. */
export type EnsMetadataList = {
  /** Results in the order of the request, each name once. */
  readonly results: readonly (EnsMetadata | EnsNoMetadata)[]
  /** Time taken to answer, in milliseconds. */
  readonly responseMs: number
  /** When the response was created, ISO 8601 in UTC. */
  readonly timestamp: string
}
/** A requested name without metadata. */
export type EnsNoMetadata = {
  /** The name with `.eth`, in lower case. */
  readonly name: string
  /** Error code. */
  readonly error: string
  /** Explanation of the error. */
  readonly message: string
}
/** The falling premium of a recently expired name. */
export type EnsPremium = {
  /** The name with `.eth`, in lower case. */
  readonly name: string
  /** `grace`: expired, can only be renewed. `premium`: can be registered with a falling premium. */
  readonly state: 'registered' | 'grace' | 'premium' | 'available'
  /** Current premium, in US dollars; 0 if none applies. */
  readonly premium_usd: number
  /** Current premium the contract charges, in wei. Left out if none applies. */
  readonly premium_wei?: string
  /** When the premium starts or started. */
  readonly starts_at?: string
  /** When the premium reaches zero. */
  readonly ends_at?: string
  /** Future points of the curve. Left out for a name that was never registered or whose premium is over. */
  readonly curve?: readonly EnsPremiumPoint[]
  /** Only with `below_usd`. */
  readonly below?: {
    /** The requested threshold. */
    readonly usd: number
    /** When the premium falls below it; null if it is below already. */
    readonly at: string | null
  }
}
/** One point of the premium curve. */
export type EnsPremiumPoint = {
  /** Time of the point, ISO 8601 in UTC. */
  readonly at: string
  /** Premium at that time, in US dollars. */
  readonly premium_usd: number
}
/** First step of a registration. */
export type EnsPreparedCommit = {
  /** Token for the second step, valid for 24 hours. Keep it private: it contains the secret. */
  readonly registration_id: string
  /** The name with `.eth`, in lower case. */
  readonly name: string
  /** Random 32 bytes in the commitment. Anyone who knows them can find out which name is being registered. */
  readonly secret: string
  /** Commitment hash, published by the commit transaction. */
  readonly commitment: string
  readonly transaction: EnsTransaction
  /** Minimum wait after the commit is confirmed. */
  readonly min_wait_seconds: number
  /** Maximum wait after the commit is confirmed. */
  readonly max_wait_seconds: number
}
/** Second step of a registration. */
export type EnsPreparedRegister = {
  /** Token for the second step, valid for 24 hours. Keep it private: it contains the secret. */
  readonly registration_id: string
  /** The name with `.eth`, in lower case. */
  readonly name: string
  readonly transaction: EnsTransaction
  readonly rent_price: EnsRentPrice
  /** Value of the transaction: the price plus 10%; the contract refunds the excess. */
  readonly value_with_buffer: string
}
/** A prepared renewal. */
export type EnsPreparedRenewal = {
  /** The name with `.eth`, in lower case. */
  readonly name: string
  readonly transaction: EnsTransaction
  readonly rent_price: EnsRentPrice
  /** Value of the transaction: the price plus 10%; the contract refunds the excess. */
  readonly value_with_buffer: string
  /** When the name would expire after the renewal, ISO 8601 in UTC. */
  readonly new_expiry: string
}
/** A prepared record update. */
export type EnsPreparedUpdate = {
  /** The name with `.eth`, in lower case. */
  readonly name: string
  /** Resolver the transaction is sent to. */
  readonly resolver: string
  readonly transaction: EnsTransaction
  /** The record changes, in order. */
  readonly changes: readonly EnsRecordChange[]
  /** Why the change would not be visible; left out if it would be. */
  readonly warning?: string
}
/** One record change. */
export type EnsRecordChange = {
  /** Kind of record. */
  readonly type: 'addr' | 'text' | 'contenthash'
  /** Coin, text key, or `contenthash`. */
  readonly key: string
  /** New value; empty if the record is cleared. */
  readonly value: string
}
/** The records of an ENS name that are set. */
export type EnsRecords = {
  /** The name with `.eth`, in lower case. */
  readonly name: string
  /** EIP-137 hash of the name. */
  readonly node: string
  /** Resolver contract of the name; empty if it has none. */
  readonly resolver: string
  /** Addresses by coin; only ETH is supported. */
  readonly addresses: Readonly<Record<string, string>>
  /** Text records by key; only those that are set. */
  readonly text: Readonly<Record<string, string>>
  /** Content hash in hexadecimal. Left out if not set. */
  readonly contenthash?: string
  /** True if the records are stored off-chain at a gateway chosen by the owner, which this service does not call. */
  readonly offchain?: true
}
/** Price, gas and waiting time of a registration. */
export type EnsRegistrationCheck = {
  /** The name with `.eth`, in lower case. */
  readonly name: string
  /** Whether the name can be registered now. If false, the other fields are left out. */
  readonly available: boolean
  readonly rent_price?: EnsRentPrice
  /** Gas of the two transactions, on top of the rent. */
  readonly gas_estimate?: {
    /** Typical gas of the commit transaction. */
    readonly commit_gas: number
    /** Typical gas of the register transaction. */
    readonly register_gas: number
    /** Current gas price, in wei. */
    readonly gas_price_wei: string
  }
  /** How long to wait after the commit is confirmed. */
  readonly commit_wait?: {
    /** Minimum time between the two transactions. */
    readonly min_seconds: number
    /** Maximum time between the two transactions. */
    readonly max_seconds: number
  }
}
/** The price the ENS controller charges. */
export type EnsRentPrice = {
  /** Rent without the premium. */
  readonly base_wei: string
  /** Temporary premium on a recently expired name; it falls every second. */
  readonly premium_wei: string
  /** Rent plus premium. */
  readonly total_wei: string
  /** The total in ether. */
  readonly total_eth: string
  /** The total in US dollars, at the rate of the price feed on the chain. */
  readonly usd_estimate?: number
}
/** An unsigned transaction. The caller signs and sends it; this service does neither. */
export type EnsTransaction = {
  /** Contract to send the transaction to. */
  readonly to: string
  /** Call data, in hexadecimal. */
  readonly data: string
  /** Wei to send, in hexadecimal. */
  readonly value: string
  /** Gas limit to use: the estimate of the node plus 20%. */
  readonly gas_estimate: number
  /** Always 1, Ethereum mainnet. */
  readonly chain_id: number
  /** `constant` if the node gave no estimate or an implausible one; `gas_estimate` is then a typical value. */
  readonly gas_source: 'node' | 'constant'
  readonly decoded: EnsDecoded
}
/** Status of a transaction. */
export type EnsTransactionStatus = {
  /** The requested transaction. */
  readonly tx_hash: string
  /** `failed` means mined and reverted. */
  readonly status: 'pending' | 'confirmed' | 'failed'
  /** False while no node knows the transaction: not sent yet, or dropped. */
  readonly seen: boolean
  /** Block that contains the transaction. Left out while pending. */
  readonly block_number?: number
  /** Gas used. Left out while pending. */
  readonly gas_used?: number
  /** Wei paid for each unit of gas. Left out while pending. */
  readonly effective_gas_price?: string
}
/** What went wrong. */
export type Error = {
  /** Error code for programs; its meaning never changes. */
  readonly error: string
  /** Explanation for people; its wording may change. */
  readonly message: string
}
/** One query and its outcome, so that an answer can be verified. */
export type Evidence = {
  /** The protocol. */
  readonly source: 'dns' | 'rdap' | 'whois'
  /** The server that was asked. */
  readonly server: string
  /** The query: a URL, a name and record type, or the line sent. */
  readonly question: string
  /** The outcome: an HTTP status, a DNS response code, or why there is no answer. */
  readonly outcome: string
  /** SHA-256 of the answer as received, in hexadecimal. */
  readonly sha256?: string
  /** `reduced` where this answer decided in place of the registry’s RDAP server, which is down. */
  readonly confidence?: "reduced"
  /** When the query was sent, ISO 8601 in UTC. */
  readonly at: string
  /** Milliseconds until the answer. */
  readonly ms: number
}
/** The state of the service. */
export type Health = {
  /** `ok` if the service answers. */
  readonly status: "ok"
  /** Version of the service and of its API. */
  readonly version: string
  /** How many TLDs are supported. */
  readonly tlds: number
  /** Current size of the caches. */
  readonly cacheStats: {
    /** Number of cached answers. */
    readonly size: number
  }
}
/** What is known of one domain. */
export type LegacyCheckResult = {
  /** Full domain. */
  readonly domain: string
  /** Its TLD, or its suffix such as `co.uk`. */
  readonly tld: string
  /** True only if the registry says so. */
  readonly available: boolean
  /** First `available`, `registered`, `reserved` or `unknown`; status values of the registry may follow. */
  readonly status: readonly string[]
  /** True if the registry, or the operator's registrar, calls it premium. */
  readonly premium: boolean
  /** The source that decided, or the last one asked if none could. */
  readonly source: 'dns' | 'rdap' | 'whois'
  /** When it was found out, ISO 8601 in UTC. */
  readonly checkedAt: string
  /** Milliseconds this domain took. */
  readonly responseMs: number
}
/** The answer for every TLD. */
export type LegacyChecks = {
  /** The name without its TLD. */
  readonly name: string
  /** One entry per TLD. */
  readonly results: readonly LegacyCheckResult[]
  /** Milliseconds for the whole request. */
  readonly totalMs: number
  /** When the answer was made, ISO 8601 in UTC. */
  readonly timestamp: string
}
/** The state of the service, in the format of old clients. */
export type LegacyHealth = {
  /** `ok` if the service answers. */
  readonly status: "ok"
  /** Version of the service and of its API. */
  readonly version: string
  /** Every supported TLD, alphabetically. */
  readonly tlds: readonly string[]
  /** Current size of the caches. */
  readonly cacheStats: {
    /** Number of cached answers. */
    readonly size: number
  }
}
/** One TLD in the format of old clients. */
export type LegacyTldInfo = {
  /** The TLD without a dot, in lower case. */
  readonly tld: string
  /** Generic TLD (gTLD) or country-code TLD (ccTLD). */
  readonly type: 'gTLD' | 'ccTLD'
  /** Base URL of the registry's RDAP server; empty if the registry has none. */
  readonly rdapServer: string
  /** Whether names under the TLD can be looked up at present. */
  readonly enabled: boolean
}
/** The whole catalogue in the format of old clients. */
export type LegacyTldList = {
  /** How many TLDs are supported. */
  readonly count: number
  /** Every supported TLD, alphabetically. */
  readonly tlds: readonly LegacyTldInfo[]
}
/** What can be bought about the domain. Never bought unasked. */
export type PaidPart = {
  /** What it tells. */
  readonly what: string
  /** Price in US dollars. */
  readonly usd: string
  /** The request that is paid for. */
  readonly path: string
  /** A command that pays for it and prints the answer; it needs Node, and the key of a wallet with funds in MPPX_PRIVATE_KEY. */
  readonly command: string
}
/** How to pay: by x402 (see `accepts`) or by MPP (see the header `WWW-Authenticate`). */
export type PaymentRequired = {
  /** Error code for programs. */
  readonly error: 'payment_required'
  /** The price, or why the payment was rejected. */
  readonly message: string
  /** The error as a URI of the `Payment` authentication scheme. */
  readonly type: string
  /** What the type means. */
  readonly title: string
  /** The HTTP status. */
  readonly status: 402
  /** The same sentence as `message`. */
  readonly detail: string
  /** Only if x402 is accepted. Version 2 is in `PAYMENT-REQUIRED`. */
  readonly x402Version?: 1
  /** Only if x402 is accepted: the accepted payments. */
  readonly accepts?: readonly X402Offer[]
  /** Only if MPP is accepted: the `id` of the challenge in `WWW-Authenticate`. */
  readonly challengeId?: string
}
/** How visible a name is on the web. */
export type Presence = {
  /** The requested name. */
  readonly name: string
  /** How visible the name is, over all engines that answered. */
  readonly score: number
  /** 0–10 clean, 11–30 low, 31–60 medium, 61–100 high. */
  readonly status: 'clean' | 'low' | 'medium' | 'high'
  /** The result in a few sentences; the wording varies. */
  readonly summary: string
  /** One for each engine that answered. */
  readonly engines: readonly PresenceEngine[]
  readonly signals: PresenceSignals
  /** Engines that failed; the results of the others are complete. */
  readonly errors: readonly PresenceError[]
  /** Total time in milliseconds. */
  readonly total_ms: number
  /** When the response was created, ISO 8601 in UTC. */
  readonly timestamp: string
  /** Whether the results came from the cache. */
  readonly cache_hit: boolean
}
/** Present if this engine searches only these open sources, not the web. Left out otherwise. */
export type PresenceCoverage = {
  /** The open sources that answered. */
  readonly answered: readonly ('wikidata' | 'wikipedia' | 'gleif' | 'github' | 'itunes' | 'dns')[]
  /** Those that failed: what they have is missing from the score. */
  readonly failed: readonly PresenceSourceError[]
}
/** What one engine found. */
export type PresenceEngine = {
  /** Which engine. */
  readonly engine: 'engine_a' | 'engine_b'
  /** How visible the name is in this engine, 0 to 100. */
  readonly score: number
  /** Results about exactly this name. */
  readonly exact_hits: number
  /** Results that only mention it, or something close. */
  readonly loose_hits: number
  /** The engine's estimate, or the number of results looked at if it gives none. */
  readonly total_results_estimate: number
  /** The best matches, at most five; posts in forums and social networks are left out. */
  readonly top_matches: readonly PresenceMatch[]
  /** Response time in milliseconds. */
  readonly response_ms: number
  readonly coverage?: PresenceCoverage
}
/** An engine that failed. */
export type PresenceError = {
  /** Which engine failed. */
  readonly engine: string
  /** Why it failed. */
  readonly message: string
}
/** A page that contains the name. */
export type PresenceMatch = {
  /** Title of the page. */
  readonly title: string
  /** URL of the page. */
  readonly url: string
  /** What the name refers to on this page. */
  readonly type: 'domain' | 'company' | 'product' | 'brand'
  /** How closely it is about the name. */
  readonly relevance: 'high' | 'medium' | 'low'
}
/** Evidence that the name is already in use. */
export type PresenceSignals = {
  /** Whether exactly this name was found anywhere. */
  readonly exact_phrase_found: boolean
  /** Whether a company, a product, a site or an account has this name. */
  readonly brand_exists: boolean
  /** Whether a company has this name, or several businesses have it in their names. */
  readonly company_exists: boolean
  /** Whether a product has this name. */
  readonly product_exists: boolean
  /** Whether its .com is registered, according to the registry; also false if unknown. */
  readonly domain_registered: boolean
  /** True if it is unknown whether its .com is registered; left out otherwise. */
  readonly domain_registered_unknown?: boolean
  /** Handles of exactly this name. */
  readonly social_handles_found: readonly string[]
  /** People with this name whom others write about. */
  readonly notable_individuals: readonly string[]
}
/** An open source that failed. */
export type PresenceSourceError = {
  /** Which open source failed. */
  readonly source: 'wikidata' | 'wikipedia' | 'gleif' | 'github' | 'itunes' | 'dns'
  /** Why it failed. */
  readonly message: string
}
/** The error with the members of RFC 9457. */
export type Problem = Error & ({
  /** The page about the error code. */
  readonly type: string
  /** What the error code means. */
  readonly title: string
  /** The HTTP status. */
  readonly status: number
  /** The same sentence as `message`. */
  readonly detail: string
  /** The request this happened to. */
  readonly instance: string
})
/** What one domain is worth. */
export type QuickValuation = {
  /** The requested domain. */
  readonly domain: string
  readonly estimate: ValueEstimate
  /** Probability that a sale is between half and twice `mid`. Above 0.7 is reliable. */
  readonly confidence: number
  /** Properties of the name; `numeric`, `hyphenated` and `long_name` lower its value. */
  readonly factors: readonly ('short_length' | 'dot_com' | 'dictionary_word' | 'high_search_volume' | 'brandable' | 'premium_tld' | 'exact_match' | 'numeric' | 'hyphenated' | 'long_name')[]
}
/** A domain of the list that cannot be checked. */
export type RefusedDomain = {
  /** The domain as it was given. */
  readonly domain: string
  /** Why it cannot be checked, as a code. */
  readonly error: string
  /** Why it cannot be checked, as a sentence. */
  readonly message: string
}
/** Where to register a domain. */
export type RegistrarLink = {
  /** Display name of the registrar. */
  readonly name: string
  /** Its identifier in requests. */
  readonly slug: 'registrar_a' | 'registrar_b' | 'registrar_c'
  /** Where the domain can be registered; an affiliate link if the operator has one. */
  readonly url: string
  /** US dollars for the first year, an estimate; only at registrar_a and only for com, org, app, xyz, ai, bot. */
  readonly estimatedPrice?: number
  /** US dollars for the first year, for any TLD in the price list of the registrar. Left out if unknown. */
  readonly registrationPrice?: number
  /** US dollars for every further year. Left out if unknown. */
  readonly renewalPrice?: number
  /** The day of the price list, if there is a price. */
  readonly priceAsOf?: string
}
/** Where one domain can be registered. */
export type RegistrationLinks = {
  /** The requested domain, in lower case. */
  readonly domain: string
  /** Whether the operator's registrar sells the name at a premium price; the usual prices are left out then. Left out if it was not asked. */
  readonly premium?: boolean
  /** US dollars for the first year of a premium name. */
  readonly premiumPrice?: number
  /** US dollars for every further year of a premium name. */
  readonly premiumRenewalPrice?: number
  /** One link for each requested registrar. */
  readonly registrars: readonly RegistrarLink[]
  /** When the response was created, ISO 8601 in UTC. */
  readonly timestamp: string
}
/** How one server has answered. */
export type RegistryHealth = {
  /** The server. */
  readonly server: string
  /** The protocol. */
  readonly source: 'rdap' | 'whois'
  /** Queries since the service started. */
  readonly asked: number
  /** Share of queries it answered, from 0 to 1. */
  readonly success: number
  /** Share of queries it refused because of its rate limit, from 0 to 1. */
  readonly throttled: number
  /** 95th percentile of the response time, in milliseconds. */
  readonly p95_ms: number
  /** `closed` if it is used as usual, `failing` if it answers with errors, `down` if it does not answer; then it gets one query at a time. */
  readonly breaker: 'closed' | 'failing' | 'down'
  /** Queries per second it allows, as learnt from its refusals; null if it has refused none. */
  readonly limit_per_second: number | null
  /** Milliseconds until it may be queried again, as it asked for. */
  readonly pause_ms: number
  /** Queries that wait for their turn. */
  readonly waiting: number
}
/** How the registries have answered recently. */
export type RegistryHealthReport = {
  /** The servers, the most queried first. */
  readonly registries: readonly RegistryHealth[]
  /** When the answer was made, ISO 8601 in UTC. */
  readonly timestamp: string
}
/** The answer for several domains. */
export type SeveralChecks = {
  /** The name, where all domains share it. */
  readonly name?: string
  /** One entry per domain, in the order asked for. */
  readonly results: readonly CheckResult[]
  readonly summary: CheckSummary
  /** Milliseconds for the whole request. */
  readonly totalMs: number
  /** When the answer was made, ISO 8601 in UTC. */
  readonly timestamp: string
}
/** The answer for one domain. */
export type SingleCheck = {
  /** The name without its TLD. */
  readonly name: string
  /** Full domain. */
  readonly domain: string
  /** Its TLD, or its suffix such as `co.uk`. */
  readonly tld: string
  /** True only if the registry says so. */
  readonly available: boolean
  /** First `available`, `registered`, `reserved` or `unknown`; status values of the registry may follow. */
  readonly status: readonly string[]
  /** True if the registry, or the operator's registrar, calls it premium. */
  readonly premium: boolean
  /** The source that decided, or the last one asked if none could. */
  readonly source: 'dns' | 'rdap' | 'whois'
  /** When it was found out, ISO 8601 in UTC. */
  readonly checkedAt: string
  /** Milliseconds this domain took. */
  readonly responseMs: number
  /** Whether the answer was known from an earlier check. */
  readonly cached: boolean
  /** Why the first status flag is `unknown`. */
  readonly error?: 'timeout' | 'rate_limited' | 'upstream_error'
  /** Every query that was sent and its outcome, with `evidence=true`. */
  readonly evidence?: readonly Evidence[]
}
/** A suffix of two labels. */
export type SuffixInfo = {
  /** The suffix without a leading dot, in lower case. */
  readonly suffix: string
  /** The TLD above it. */
  readonly tld: string
  /** The protocol by which its registry says whether a name is available. */
  readonly source: 'rdap' | 'whois'
  /** Base URL of the registry's RDAP server; empty if the registry has none. */
  readonly rdapServer: string
}
/** Suffixes of two labels under which names can be looked up. */
export type SuffixList = {
  /** How many suffixes are listed. */
  readonly total: number
  /** The suffixes, alphabetically. */
  readonly suffixes: readonly SuffixInfo[]
}
/** A named group of TLDs. A TLD may be in several, or in none. */
export type TldCategory = {
  /** Value of the parameter `category`. */
  readonly name: 'top20' | 'business' | 'country' | 'creative' | 'education' | 'finance' | 'food' | 'health' | 'realestate' | 'shopping' | 'social' | 'sports' | 'technology' | 'travel' | 'web'
  /** Display name. */
  readonly label: string
  /** What its TLDs have in common. */
  readonly description: string
  /** How many TLDs it has. */
  readonly count: number
  /** Its TLDs, the best known first where there is such an order. */
  readonly tlds: readonly string[]
}
/** One category: the answer to `category`. */
export type TldCategoryAnswer = {
  /** How many TLDs the category has. */
  readonly total: number
  /** The requested category. */
  readonly categories: readonly TldCategory[]
}
/** One TLD. */
export type TldInfo = {
  /** The TLD without a dot, in lower case. */
  readonly tld: string
  /** Generic TLD (gTLD) or country-code TLD (ccTLD). */
  readonly type: 'gTLD' | 'ccTLD'
  /** Base URL of the registry's RDAP server; empty if the registry has none. */
  readonly rdapServer: string
  /** The categories it is in; may be empty. */
  readonly categories: readonly ('top20' | 'business' | 'country' | 'creative' | 'education' | 'finance' | 'food' | 'health' | 'realestate' | 'shopping' | 'social' | 'sports' | 'technology' | 'travel' | 'web')[]
  /** Whether names under the TLD can be looked up at present. */
  readonly enabled: boolean
}
/** A flat list: the answer to `type`. */
export type TldList = {
  /** How many TLDs are listed. */
  readonly total: number
  /** The TLDs of that type, alphabetically. */
  readonly tlds: readonly TldInfo[]
}
/** The whole catalogue: the answer without parameters. */
export type TldOverview = {
  /** How many TLDs are supported. */
  readonly total: number
  /** Every category. */
  readonly categories: readonly TldCategory[]
  /** Every supported TLD, alphabetically. */
  readonly all: readonly string[]
}
/** One record of the register. */
export type Trademark = {
  /** Application serial number. */
  readonly serial_number: string
  /** Words of the mark; empty for a mark without words. */
  readonly mark_text: string
  /** Three-digit status code of the Office. */
  readonly status_code: string
  /** Day of the application. ISO 8601; `0001-01-01T00:00:00Z` if unknown. */
  readonly filing_date: string
  /** Day of the registration. ISO 8601; `0001-01-01T00:00:00Z` if unknown. */
  readonly registration_date: string
  /** Day the current term began. ISO 8601; `0001-01-01T00:00:00Z` if unknown. */
  readonly renewal_date: string
  /** Latest owner on record. */
  readonly owner_name: string
  /** Goods and services. */
  readonly goods_services: string
  /** Nice classes, zero-padded. */
  readonly class_numbers: readonly string[]
  /** 0 to 1; 1 means the same mark. */
  readonly match_score: number
  /** With `group=mark`: records with this text among the results, this one included. */
  readonly group_count?: number
  readonly match_details: TrademarkMatch
  /** Whether `record_data` is present. */
  readonly record_enriched: boolean
  readonly record_data?: TrademarkRecordData
}
/** Status of the trademark index. */
export type TrademarkIndexStatus = {
  /** Whether an index is loaded. */
  readonly available: boolean
  /** Records in the index. */
  readonly total_documents: number
  /** Size on disk in bytes. */
  readonly index_size_bytes: number
  /** When records were last added, ISO 8601; `0001-01-01T00:00:00Z` if never. */
  readonly last_updated: string
  /** Which part of the register is in the index, such as `only filed since 2024-01-01`; left out for all of it. */
  readonly scope?: string
}
/** How a mark matches the query. */
export type TrademarkMatch = {
  /** Whether the texts are equal, ignoring spaces, case and punctuation. */
  readonly exact_match: boolean
  /** Whether they sound the same. */
  readonly phonetic_match: boolean
  /** Edit distance: letters to change to make the texts equal. */
  readonly fuzzy_distance: number
  /** Similarity of the spelling, 0 to 1. */
  readonly string_similarity: number
  /** Whether one text begins with the other. */
  readonly prefix_match: boolean
  /** Phonetic codes of the query. */
  readonly phonetic_codes?: string
  /** Phonetic codes of the mark. */
  readonly matched_codes?: string
  /** Weight of the matched words; rarer words weigh more. */
  readonly index_score: number
  /** Why this mark is a result, in plain words. */
  readonly reasons: readonly string[]
}
/** Current details of the record. */
export type TrademarkRecordData = {
  /** Status as text. */
  readonly current_status: string
  /** Latest owner on record. */
  readonly current_owner: string
  /** `YYYY-MM-DD`; when the record last changed. */
  readonly last_updated: string
  /** Latest events, newest first, separated by semicolons. */
  readonly prosecution_history_summary: string
  /** Empty if unknown. */
  readonly attorney_of_record: string
  /** `LIVE` if registered or pending, else `DEAD`. */
  readonly live_dead: 'LIVE' | 'DEAD'
  /** Page of this record at the Office. */
  readonly record_url: string
  /** Nice classes. */
  readonly goods_services_classes: readonly string[]
}
/** Trademarks found. */
export type TrademarkResults = {
  /** Best first: by `match_score`, then live before dead, then newest, then by serial number. Expiring marks come soonest first. */
  readonly results: readonly Trademark[]
  /** Number of results; exact up to 10,000. */
  readonly total: number
  /** Present if there may be more: above 10,000, or if a large register has more candidates than were compared. */
  readonly total_is_lower_bound?: true
  /** Maximum number of results in this response. */
  readonly limit: number
  /** Number of results skipped. */
  readonly offset: number
  /** The query. */
  readonly query: string
  /** Duration of the search in milliseconds. */
  readonly took_ms: number
  /** The index that was searched. */
  readonly index_info: {
    /** Records in the index. */
    readonly total_documents: number
    /** When records were last added, ISO 8601. */
    readonly last_updated: string
    /** Version of the index; equal snapshots give equal results. */
    readonly snapshot: string
    /** Which part of the register is in the index, such as `only filed since 2024-01-01`; left out for all of it. */
    readonly scope?: string
  }
  /** Legal notice. */
  readonly disclaimer: string
}
/** No source answered in time. */
export type UnknownPart = {
  /** Which of the four kinds this part is. */
  readonly state: "unknown"
  /** Why it is not known. */
  readonly reason: 'timeout' | 'rate_limited' | 'upstream_error'
  /** The same in a sentence. */
  readonly message: string
  /** When to ask again. */
  readonly retryAfterSeconds: number
}
/** What a domain is worth. */
export type Valuation = {
  /** The requested domain. */
  readonly domain: string
  readonly estimate: ValueEstimate
  /** Probability that a sale is between half and twice `mid`. Above 0.7 is reliable. */
  readonly confidence: number
  /** Properties of the name; `numeric`, `hyphenated` and `long_name` lower its value. */
  readonly factors: readonly ('short_length' | 'dot_com' | 'dictionary_word' | 'high_search_volume' | 'brandable' | 'premium_tld' | 'exact_match' | 'numeric' | 'hyphenated' | 'long_name')[]
  /** The level of detail. */
  readonly tier: 'quick' | 'full'
  /** When the response was created, ISO 8601 in UTC. */
  readonly timestamp: string
  /** The valuation in a few sentences, for a buyer. Only `full`. */
  readonly explanation?: string
  /** Sales of similar domains, the most similar first. Only `full`. */
  readonly comparables?: readonly ComparableSale[]
  /** Only `full`. */
  readonly key_factors?: ValueKeyFactors
}
/** What several domains are worth. */
export type Valuations = {
  /** In the order of the request. */
  readonly valuations: readonly QuickValuation[]
  /** Number of valuations. */
  readonly total: number
  /** When the response was created, ISO 8601 in UTC. */
  readonly timestamp: string
}
/** The expected price range on the aftermarket. */
export type ValueEstimate = {
  /** About 80 % of sales should be above this price, in US dollars. */
  readonly low: number
  /** The expected price, in US dollars. */
  readonly mid: number
  /** About 80 % of sales should be below this price, in US dollars. */
  readonly high: number
  /** Always USD. */
  readonly currency: "USD"
}
/** Verifiable properties of the name. */
export type ValueKeyFactors = {
  /** Characters before the TLD. */
  readonly length: number
  /** The TLD, or a suffix such as `co.uk`. */
  readonly tld: string
  /** Whether it is one word of the dictionary. */
  readonly is_dictionary_word: boolean
  /** Whether it contains a hyphen. */
  readonly has_hyphens: boolean
  /** Whether it contains a digit. */
  readonly has_numbers: boolean
  /** The trade its words belong to, if any. */
  readonly category?: string
}
/** The registration record of a domain. */
export type WhoisRecord = {
  /** The domain asked about. */
  readonly domain: string
  /** True if the registry says that it is not registered. */
  readonly available: boolean
  /** The protocol by which the registry answered. */
  readonly source: 'rdap' | 'whois'
  /** The registrar. Left out if the domain is available. */
  readonly registrar?: {
    /** Name. */
    readonly name?: string
    /** Home page. */
    readonly url?: string
    /** Where to report abuse. */
    readonly abuseEmail?: string
    /** Telephone number to report abuse. */
    readonly abusePhone?: string
    /** Its number at IANA. */
    readonly ianaId?: string
  }
  /** ISO 8601 in UTC. Left out if the domain is available. */
  readonly dates?: {
    /** When it was registered. */
    readonly created?: string
    /** When the record last changed. */
    readonly updated?: string
    /** When the registration ends. */
    readonly expires?: string
  }
  /** EPP status values. Left out if the domain is available. */
  readonly status?: readonly string[]
  /** Left out if the domain is available. */
  readonly nameservers?: readonly string[]
  /** Left out if not known. */
  readonly dnssec?: {
    /** Whether the delegation is signed. */
    readonly delegationSigned: boolean
  }
  /** The holder; left out if redacted, which is common. */
  readonly registrant?: {
    /** Name. */
    readonly name?: string
    /** Organisation. */
    readonly organization?: string
    /** Country, as the registry writes it. */
    readonly country?: string
  }
  /** Whether the record came from the cache. */
  readonly cached: boolean
  /** When the record was cached; null if it is fresh. */
  readonly cachedAt: string | null
  /** When the registry was queried, ISO 8601 in UTC. */
  readonly queriedAt: string
  /** Every query that was sent and its outcome, with `evidence=true`. */
  readonly evidence?: readonly Evidence[]
}
/** What x402 version 1 accepts as payment. */
export type X402Offer = {
  /** Always `exact`. */
  readonly scheme: string
  /** Name of the chain. */
  readonly network: string
  /** Amount in the smallest unit of the asset. */
  readonly maxAmountRequired: string
  /** Absolute URL of the paid resource. */
  readonly resource: string
  /** Description of the purchase, for wallets to display. */
  readonly description: string
  /** Media type of the response. */
  readonly mimeType: string
  /** Address that receives the payment. */
  readonly payTo: string
  /** Maximum validity of a payment, in seconds. */
  readonly maxTimeoutSeconds: number
  /** Contract of the token. */
  readonly asset: string
  /** Domain of the token for the signature (EIP-712). */
  readonly extra: {
    /** Name of the token. */
    readonly name: string
    /** Its version. */
    readonly version: string
  }
}

/** Input, answer and error codes of every operation. */
export interface Operations {
  /** Check whether domains can be registered */
  checkDomains: {
    input: {
      /** Name without TLD; required unless `domain` is given. */
      readonly name?: string
      /** TLDs or suffixes such as `co.uk`, separated by commas, 20 at most. */
      readonly tld?: string | readonly string[]
      /** A category of TLDs with 20 members at most. */
      readonly category?: 'top20' | 'business' | 'country' | 'creative' | 'education' | 'finance' | 'food' | 'health' | 'realestate' | 'shopping' | 'social' | 'sports' | 'technology' | 'travel' | 'web'
      /** Full domains, separated by commas, 20 at most. */
      readonly domain?: string | readonly string[]
      /** True to include every query that was sent and its outcome. */
      readonly evidence?: boolean
      /** `compact` gives only the verdicts, grouped, in a few bytes per name. */
      readonly view?: 'full' | 'compact'
    }
    isOptional: true
    output: SingleCheck | SeveralChecks | CompactCheck
    error: 'internal_error' | 'invalid_category' | 'invalid_domain' | 'invalid_name' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limit_exceeded' | 'service_unavailable' | 'too_many_tlds' | 'unsupported_tld'
    streams: true
  }
  /** Check up to 10,000 domains, each result as soon as it is known */
  checkBulk: {
    input: {
      /** Full domains. */
      readonly domains: readonly string[]
      /** True to include every query that was sent and its outcome. */
      readonly evidence?: boolean
      /** `compact` gives only the verdicts, grouped, in a few bytes per name. */
      readonly view?: 'full' | 'compact'
    }
    isOptional: false
    output: BulkCheck | CompactCheck
    error: 'internal_error' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: true
  }
  /** Show how the registries have answered recently */
  registryHealth: {
    input: {}
    isOptional: true
    output: RegistryHealthReport
    error: 'internal_error' | 'invalid_request' | 'method_not_allowed'
    streams: false
  }
  /** List the supported TLDs and their categories */
  listTlds: {
    input: {
      /** Only TLDs of this type, as a flat list. */
      readonly type?: 'gTLD' | 'ccTLD'
      /** Only the TLDs of this category. */
      readonly category?: 'top20' | 'business' | 'country' | 'creative' | 'education' | 'finance' | 'food' | 'health' | 'realestate' | 'shopping' | 'social' | 'sports' | 'technology' | 'travel' | 'web'
    }
    isOptional: true
    output: TldOverview | TldCategoryAnswer | TldList
    error: 'internal_error' | 'invalid_category' | 'invalid_request' | 'invalid_type' | 'method_not_allowed' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** List suffixes such as co.uk under which names can be looked up */
  listSuffixes: {
    input: {
      /** Only suffixes under this TLD; the list may be empty. */
      readonly tld?: string
    }
    isOptional: true
    output: SuffixList
    error: 'internal_error' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Get links to register a domain at registrars */
  registrationLinks: {
    input: {
      /** Full domain including its TLD, in ASCII (an internationalised name in its punycode form). */
      readonly domain: string
      /** Only the link of this registrar. */
      readonly registrar?: 'registrar_a' | 'registrar_b' | 'registrar_c'
    }
    isOptional: false
    output: RegistrationLinks
    error: 'internal_error' | 'invalid_domain' | 'invalid_registrar' | 'invalid_request' | 'method_not_allowed' | 'missing_domain' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Find where a domain is for sale */
  findListings: {
    input: {
      /** Full domain including its TLD, in ASCII (an internationalised name in its punycode form). */
      readonly domain: string
      /** Only these, comma-separated: source_a, source_b, source_c, source_d, dns_for_sale, name_servers, auctions, listings, page. */
      readonly sources?: string | readonly string[]
      /** Timeout for each source in milliseconds; default 5000, at most 15000. */
      readonly timeout?: number
      /** Currency of prices; default USD. Prices in other currencies are not converted. */
      readonly currency?: 'USD' | 'EUR'
    }
    isOptional: false
    output: AftermarketReport
    error: 'internal_error' | 'invalid_domain' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_domain' | 'not_configured' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Find domains that are being auctioned */
  listAuctions: {
    input: {
      /** Substring of the domain including its TLD, case-insensitive, without wildcards. Combine with `tld` to search one TLD. */
      readonly q?: string
      /** Only domains of this TLD. */
      readonly tld?: string
      /** Only auctions of this source. */
      readonly source?: 'source_a' | 'source_b' | 'source_c'
      /** Minimum current price, in US dollars. */
      readonly min_price?: number
      /** Maximum current price, in US dollars. */
      readonly max_price?: number
      /** Minimum number of bids. */
      readonly min_bids?: number
      /** Only auctions that end within this time. */
      readonly ending_within?: '1h' | '6h' | '24h' | '3d' | '7d'
      /** Sort order; `ending_soon` by default. `price`, `end_time`, `bids` and `quality_score` belong to the second parameter set and can be reversed with `order`. */
      readonly sort?: 'ending_soon' | 'most_bids' | 'price_asc' | 'price_desc' | 'quality' | 'newest' | 'price' | 'end_time' | 'bids' | 'quality_score'
      /** Minimum quality score; 0 by default. */
      readonly quality_min?: number
      /** Same as `quality_min=60`, `min_bids=1`, `sort=quality`; explicit parameters take precedence. */
      readonly hot?: boolean
      /** Maximum number of auctions; values above 200 are treated as 200. */
      readonly limit?: number
      /** Number of matches to skip. */
      readonly offset?: number
      /** Alias of `q`; ignored if `q` is given. */
      readonly keyword?: string
      /** Direction for the sorts of the second parameter set: `desc` by default for bids and quality, otherwise `asc`. */
      readonly order?: 'asc' | 'desc'
    }
    isOptional: true
    output: Auctions
    error: 'internal_error' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Measure how visible a name already is in search engines */
  searchPresence: {
    input: {
      /** The name or brand, one word or a few. */
      readonly name: string
      /** Only these, comma-separated: engine_a, engine_b. */
      readonly engines?: string | readonly string[]
      /** Timeout for each engine in milliseconds; default 5000, at most 15000. */
      readonly timeout?: number
    }
    isOptional: false
    output: Presence
    error: 'internal_error' | 'invalid_name' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Tell whether a domain is parked, with a screenshot */
  domainIntel: {
    input: {
      /** Full domain including its TLD; a scheme before it and a path after it are ignored. */
      readonly domain: string
    }
    isOptional: false
    output: DomainIntel
    error: 'idempotency_key_reused' | 'internal_error' | 'invalid_domain' | 'invalid_request' | 'invalid_token' | 'method_not_allowed' | 'missing_parameter' | 'payment_identifier_conflict' | 'payment_required' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Estimate what a domain is worth */
  valueDomain: {
    input: {
      /** Full domain including its TLD, in ASCII (an internationalised name in its punycode form). */
      readonly domain: string
      /** `full` adds an explanation, sales of similar domains, and key factors. */
      readonly tier?: 'quick' | 'full'
    }
    isOptional: false
    output: Valuation
    error: 'idempotency_key_reused' | 'internal_error' | 'invalid_domain' | 'invalid_request' | 'invalid_tier' | 'invalid_token' | 'method_not_allowed' | 'missing_domain' | 'payment_identifier_conflict' | 'payment_required' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Estimate what many domains are worth, for one payment */
  valueDomains: {
    input: {
      /** Up to 1000 full domains. */
      readonly domains: readonly string[]
    }
    isOptional: false
    output: Valuations
    error: 'idempotency_key_reused' | 'internal_error' | 'invalid_domain' | 'invalid_request' | 'invalid_token' | 'method_not_allowed' | 'missing_parameter' | 'payment_identifier_conflict' | 'payment_required' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Get the registration record of a domain */
  whoisLookup: {
    input: {
      /** Full domain including its TLD, in ASCII (an internationalised name in its punycode form). */
      readonly domain: string
      /** True to query the registry even if the record is cached. */
      readonly refresh?: boolean
      /** True to include every query that was sent and its outcome. */
      readonly evidence?: boolean
    }
    isOptional: false
    output: WhoisRecord
    error: 'domain_not_found' | 'internal_error' | 'invalid_domain' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limited' | 'service_unavailable' | 'timeout' | 'unsupported_tld' | 'upstream_error'
    streams: false
  }
  /** Get the DNS records of a name */
  dnsRecords: {
    input: {
      /** Name to look up, including its TLD, in ASCII. Sub-domains and underscores are allowed. */
      readonly domain: string
    }
    isOptional: false
    output: DnsRecords
    error: 'domain_not_found' | 'internal_error' | 'invalid_domain' | 'invalid_request' | 'method_not_allowed' | 'missing_domain' | 'rate_limited' | 'service_unavailable' | 'timeout'
    streams: false
  }
  /** Check whether an ENS name can be registered */
  checkEns: {
    input: {
      /** ENS name, with or without `.eth`. */
      readonly name: string
      /** True to bypass the cache and read from the node. */
      readonly refresh?: boolean
    }
    isOptional: false
    output: EnsAvailability
    error: 'check_failed' | 'internal_error' | 'invalid_name' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Get owner, resolver and records of ENS names */
  ensMetadata: {
    input: {
      /** ENS name, with or without `.eth`. */
      readonly name?: string
      /** Several ENS names at once, comma-separated, 50 at most; instead of `name`. */
      readonly names?: string | readonly string[]
      /** True to bypass the cache and read from the node. */
      readonly refresh?: boolean
    }
    isOptional: true
    output: EnsMetadata | EnsMetadataList
    error: 'internal_error' | 'invalid_name' | 'invalid_parameter' | 'invalid_request' | 'metadata_failed' | 'method_not_allowed' | 'missing_parameter' | 'not_found' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Get the health of the ENS part of the service */
  ensHealth: {
    input: {}
    isOptional: true
    output: EnsHealth
    error: 'internal_error' | 'invalid_request' | 'method_not_allowed'
    streams: false
  }
  /** Get the status of a transaction */
  ensTransactionStatus: {
    input: {
      /** Transaction hash: 0x and 64 hexadecimal digits. */
      readonly hash: string
    }
    isOptional: false
    output: EnsTransactionStatus
    error: 'internal_error' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limit_exceeded' | 'service_unavailable' | 'tx_status_failed'
    streams: false
  }
  /** Get price, gas and waiting time of an ENS registration */
  checkEnsRegistration: {
    input: {
      /** ENS name, with or without `.eth`. */
      readonly name: string
      /** Years, 1 to 100. */
      readonly duration_years?: number
      /** Only `mainnet`, which is the default. */
      readonly network?: "mainnet"
    }
    isOptional: false
    output: EnsRegistrationCheck
    error: 'check_failed' | 'internal_error' | 'invalid_name' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limit_exceeded' | 'service_unavailable' | 'unsupported_network'
    streams: false
  }
  /** Prepare the first transaction of an ENS registration */
  prepareEnsCommit: {
    input: {
      /** ENS name, with or without `.eth`. */
      readonly name: string
      /** Ethereum address that will own the name. */
      readonly owner: string
      /** Years, 1 to 100. */
      readonly duration_years?: number
      /** Whether to make this name the primary name of the address. Also sets the address record. */
      readonly set_reverse_record?: boolean
      /** Only `mainnet`, which is the default. */
      readonly network?: "mainnet"
    }
    isOptional: false
    output: EnsPreparedCommit
    error: 'internal_error' | 'invalid_name' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'prepare_commit_failed' | 'rate_limit_exceeded' | 'service_unavailable' | 'unsupported_network'
    streams: false
  }
  /** Prepare the second transaction of an ENS registration */
  prepareEnsRegister: {
    input: {
      /** The `registration_id` from prepare-commit, at most 24 hours old. */
      readonly registration_id: string
      /** Only `mainnet`, which is the default. */
      readonly network?: "mainnet"
    }
    isOptional: false
    output: EnsPreparedRegister
    error: 'internal_error' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'prepare_register_failed' | 'rate_limit_exceeded' | 'service_unavailable' | 'unsupported_network'
    streams: false
  }
  /** Show the falling premium of a recently expired ENS name */
  ensPremium: {
    input: {
      /** ENS name, with or without `.eth`. */
      readonly name: string
      /** Also return when the premium falls below this amount, in US dollars. */
      readonly below_usd?: number
    }
    isOptional: false
    output: EnsPremium
    error: 'check_failed' | 'internal_error' | 'invalid_name' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Read the records of an ENS name */
  ensRecords: {
    input: {
      /** ENS name, with or without `.eth`. */
      readonly name: string
    }
    isOptional: false
    output: EnsRecords
    error: 'internal_error' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limit_exceeded' | 'records_failed' | 'service_unavailable'
    streams: false
  }
  /** Prepare a record update of an ENS name */
  prepareEnsUpdate: {
    input: {
      /** ENS name, with or without `.eth`. */
      readonly name: string
      /** Ethereum address that will send the transaction. */
      readonly owner: string
      /** Addresses by coin; only ETH is supported. */
      readonly addresses?: Readonly<Record<string, string>>
      /** Text records by key. */
      readonly text?: Readonly<Record<string, string>>
      /** Content hash in hexadecimal (ENSIP-7). */
      readonly contenthash?: string
      /** Only `mainnet`, which is the default. */
      readonly network?: "mainnet"
    }
    isOptional: false
    output: EnsPreparedUpdate
    error: 'internal_error' | 'invalid_name' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'prepare_update_failed' | 'rate_limit_exceeded' | 'service_unavailable' | 'unsupported_network'
    streams: false
  }
  /** Get the expiry of an ENS name and the cost of renewing it */
  ensExpiry: {
    input: {
      /** ENS name, with or without `.eth`. */
      readonly name: string
      /** Years, 1 to 100. */
      readonly duration_years?: number
    }
    isOptional: false
    output: EnsExpiry
    error: 'expiry_failed' | 'internal_error' | 'invalid_name' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Prepare the renewal of an ENS name */
  prepareEnsRenewal: {
    input: {
      /** ENS name, with or without `.eth`. */
      readonly name: string
      /** Years, 1 to 100. */
      readonly duration_years?: number
      /** Only `mainnet`, which is the default. */
      readonly network?: "mainnet"
    }
    isOptional: false
    output: EnsPreparedRenewal
    error: 'internal_error' | 'invalid_name' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'prepare_renew_failed' | 'rate_limit_exceeded' | 'service_unavailable' | 'unsupported_network'
    streams: false
  }
  /** Buy prepaid credit */
  buyCredit: {
    input: {
      /** Whole US dollars. */
      readonly amount: number
    }
    isOptional: false
    output: BoughtCredit
    error: 'internal_error' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'payment_identifier_conflict' | 'payment_required' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Show the balance of a credit */
  showCredit: {
    input: {}
    isOptional: true
    output: CreditBalance
    error: 'internal_error' | 'invalid_request' | 'invalid_token' | 'method_not_allowed' | 'rate_limit_exceeded' | 'service_unavailable'
    streams: false
  }
  /** Find marks that look or sound like a name */
  searchTrademarks: {
    input: {
      /** Mark text. */
      readonly q: string
      /** Maximum number of results; values above 100 are taken as 100. */
      readonly limit?: number
      /** Results to skip; `offset` plus `limit` is at most 10000. */
      readonly offset?: number
      /** Nice class: 9, 09 or 009; also A, B and 200. */
      readonly class?: string
      /** `live`: registered or pending. `dead`: abandoned, cancelled or expired. */
      readonly status?: 'live' | 'dead' | 'all'
      /** `mark` returns one result per mark text: its best record, with the number of records as `group_count`. `total` then counts texts. Texts that differ only in case, accents or punctuation are one text. */
      readonly group?: 'mark'
    }
    isOptional: false
    output: TrademarkResults
    error: 'internal_error' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limited' | 'service_unavailable'
    streams: false
  }
  /** Find marks by their goods and services */
  searchTrademarkDescriptions: {
    input: {
      /** Words of goods and services. */
      readonly q: string
      /** Maximum number of results; values above 100 are taken as 100. */
      readonly limit?: number
      /** Results to skip; `offset` plus `limit` is at most 10000. */
      readonly offset?: number
      /** `live`: registered or pending. `dead`: abandoned, cancelled or expired. */
      readonly status?: 'live' | 'dead' | 'all'
    }
    isOptional: false
    output: TrademarkResults
    error: 'internal_error' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limited' | 'service_unavailable'
    streams: false
  }
  /** Find marks by their owner */
  searchTrademarkOwners: {
    input: {
      /** Words of the owner's name. */
      readonly q: string
      /** Maximum number of results; values above 100 are taken as 100. */
      readonly limit?: number
      /** Results to skip; `offset` plus `limit` is at most 10000. */
      readonly offset?: number
      /** `live`: registered or pending. `dead`: abandoned, cancelled or expired. */
      readonly status?: 'live' | 'dead' | 'all'
    }
    isOptional: false
    output: TrademarkResults
    error: 'internal_error' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limited' | 'service_unavailable'
    streams: false
  }
  /** Find marks that expire soon */
  expiringTrademarks: {
    input: {
      /** Days from today, 1 to 3650. */
      readonly days: number
      /** Maximum number of results; values above 100 are taken as 100. */
      readonly limit?: number
      /** Results to skip; `offset` plus `limit` is at most 10000. */
      readonly offset?: number
    }
    isOptional: false
    output: TrademarkResults
    error: 'internal_error' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limited' | 'service_unavailable'
    streams: false
  }
  /** Show the status of the trademark index */
  trademarkStatus: {
    input: {}
    isOptional: true
    output: TrademarkIndexStatus
    error: 'internal_error' | 'invalid_request' | 'method_not_allowed' | 'rate_limited' | 'service_unavailable'
    streams: false
  }
  /** Check whether the service is up */
  health: {
    input: {
      /** True for the earlier format, in which `tlds` is a list. Deprecated. */
      readonly legacy?: boolean
    }
    isOptional: true
    output: Health | LegacyHealth | EnsHealth
    error: 'internal_error' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed'
    streams: false
  }
  /** Get everything about a name at once */
  nameDossier: {
    input: {
      /** A name, or a whole domain. */
      readonly name: string
      /** TLDs, separated by commas. */
      readonly tld?: string | readonly string[]
      /** A category of TLDs, or all of them; the 20 most popular ones by default. */
      readonly category?: 'top20' | 'business' | 'country' | 'creative' | 'education' | 'finance' | 'food' | 'health' | 'realestate' | 'shopping' | 'social' | 'sports' | 'technology' | 'travel' | 'web' | 'all'
      /** Only these parts, separated by commas: availability, register, ens, trademarks, aftermarket, auctions, presence, whois, dns. */
      readonly parts?: string | readonly string[]
      /** Seconds until the answer, at most 10. */
      readonly deadline?: number
      /** `compact` gives a summary of at most 2 KB, for agents. */
      readonly view?: 'full' | 'compact'
    }
    isOptional: false
    output: Dossier | CompactDossier
    error: 'internal_error' | 'invalid_domain' | 'invalid_name' | 'invalid_parameter' | 'invalid_request' | 'method_not_allowed' | 'missing_parameter' | 'rate_limit_exceeded' | 'service_unavailable' | 'unsupported_tld'
    streams: true
  }
}
