import type { Kind } from './kinds.ts'

/** One thing an operator can set. `.env.example` and `docs/settings.md` are made from the table of them below. */
export type Setting<Value = unknown> = {
  /** What is in force when nothing is set, as an operator would write it; empty where there is no such text. */
  readonly default: string
  /** What happens without a value, where `default` cannot say it. */
  readonly unset?: string
  readonly meaning: string
  /** Never shown; may also come from a file named by NAME_FILE. */
  readonly secret?: true
  /** Absent where the name is reserved: known to this version, but not used by it yet. */
  readonly kind?: Kind<Value>
}

export type SettingTable = Readonly<Record<string, Setting>>

type About = { readonly meaning: string; readonly secret?: true }

export const used = <Value>(kind: Kind<Value>, about: About & { readonly default: string }): Setting<Value> => ({
  ...about,
  kind,
})

/** Used, but without a text that stands for its default: its value is null then. */
export const optional = <Value>(
  kind: Kind<Value>,
  about: About & { readonly unset: string },
): Setting<Value | null> => ({
  ...about,
  default: '',
  kind,
})

const reserved = (meaning: string, unset: string): Setting<string> => ({ default: '', unset, meaning })
/** Whatever may hold a key or a password is treated as a secret from the first day. */
export const reservedSecret = (meaning: string, unset: string): Setting<string> => ({
  ...reserved(meaning, unset),
  secret: true,
})
