import { homedir } from 'node:os'
import type { Machine } from '../../intel/sources/chromium/places.ts'

/** This machine, for the search for a browser. */
export const thisMachine = (): Machine => ({
  platform: process.platform,
  arch: process.arch,
  home: homedir(),
  env: process.env,
})
