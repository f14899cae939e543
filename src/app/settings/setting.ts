import type { Kind } from './kinds.ts'

/** One setting. `.env.example` and `docs/settings.md` are generated from the table of all settings. */
export type Setting<Value = unknown> = {
  /** The default as an operator would write it; empty if it cannot be written. */
  readonly default: string
  /** What happens without a value, if `default` is empty. */
  readonly unset?: string
  readonly meaning: string
  /** Never displayed; can also be read from the file named by NAME_FILE. */
  readonly secret?: true
  /** Missing for a reserved name, which this version knows but does not use yet. */
  readonly kind?: Kind<Value>
}

export type SettingTable = Readonly<Record<string, Setting>>

type Description = { readonly meaning: string; readonly secret?: true }

export const used = <Value>(kind: Kind<Value>, about: Description & { readonly default: string }): Setting<Value> => ({
  ...about,
  kind,
})

/** A setting without a default: its value is null if not set. */
export const optional = <Value>(
  kind: Kind<Value>,
  about: Description & { readonly unset: string },
): Setting<Value | null> => ({
  ...about,
  default: '',
  kind,
})

const reserved = (meaning: string, unset: string): Setting<string> => ({ default: '', unset, meaning })
/** Reserved settings that may contain a key or password are secret already. */
export const reservedSecret = (meaning: string, unset: string): Setting<string> => ({
  ...reserved(meaning, unset),
  secret: true,
})
