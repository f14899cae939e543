import type { ExpiryQuestion, MarkQuestion, Page, TextQuestion } from '../../search-index.ts'

/** What goes to a thread, and what comes back. */
export type Asked =
  | { readonly method: 'search'; readonly question: MarkQuestion }
  | { readonly method: 'byDescription' | 'byOwner'; readonly question: TextQuestion }
  | { readonly method: 'expiring'; readonly question: ExpiryQuestion }

export type Answer = { readonly ok: true; readonly page: Page } | { readonly ok: false; readonly reason: string }
