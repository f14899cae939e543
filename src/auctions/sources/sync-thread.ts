/** Runs one sync in a thread of its own, so that nobody waits for a million rows. */
import { systemClock } from '../../kernel/clock.ts'
import { serveSync } from './serve-sync.ts'

await serveSync({ clock: systemClock })
