/** Steps of an import or merge; tests kill the process at each of them. */
export const FAILPOINTS = [
  'locked',
  'records opened',
  'file begun',
  'some of a file written',
  'file read',
  'file taken in',
  'files taken in',
  'segment about to be written',
  'segment written',
  'segment named',
  'superseded written',
  'superseded named',
  'about to swap',
  'manifest written',
  'manifest in place',
  'swapped',
  'an old file removed',
  'old files removed',
  'some old records removed',
  'old records removed',
  'done',
] as const
export type Failpoint = (typeof FAILPOINTS)[number]

/** Called as each step is passed. */
export type HitFailpoint = (point: Failpoint) => void
export const noFailpoint: HitFailpoint = () => {}
