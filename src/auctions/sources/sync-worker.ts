/** Worker thread that runs one sync, so that a million rows do not block requests. */
import { systemClock } from '../../kernel/clock.ts'
import { runSyncWorker } from './run-sync-worker.ts'

await runSyncWorker({ clock: systemClock })
