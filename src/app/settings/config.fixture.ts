import assert from 'node:assert/strict'
import { ConfigError, loadConfig } from './config.ts'

/** The problems that loading these settings reports; empty if they are valid. */
export function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
  return []
}
