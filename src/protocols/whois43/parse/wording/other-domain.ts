import { matchWhole } from './patterns.ts'

/** A line that says that another domain (`~`) was looked up. */
export const OTHER_SUBJECT = matchWhole(String.raw`
  (?:now |currently )?(?:searching|looking up|looking|querying|checking)(?: up)?(?: (?:for|in|on|about))?(?: the)?(?: domain(?: name)?| name)? ~
  (?:your |the )?(?:whois )?(?:search|results?|search results?|lookup|look-up|quer(?:y|ies)|request|information|data|records?|answer|response|you queried|you searched|you asked)(?: information| results?| data)? (?:for|about|on|of)(?: the)?(?: domain(?: name)?| name)? ~
  (?:[\d.:a-f]{3,40} )?(?:request|whois|whois query|query)(?: -\S+| [a-z]+[\d.]+){0,2} ~
  (?:the )?(?:domain|domain name|name|query|queried|requested|object|key|dom)(?: name)?(?: is| was)? ~
`)
