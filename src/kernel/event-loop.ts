/** Resolves in the next turn of the event loop, after pending I/O: long work calls it between its steps. */
export type NextTurn = () => Promise<void>

export const nextTurn: NextTurn = () => new Promise((resolve) => void setImmediate(resolve))

/** All that wait for the same turn go on in the same step: what they write then goes out together. */
export function shareTurn(nextTurn: NextTurn): NextTurn {
  let turn: Promise<void> | undefined
  return () =>
    (turn ??= nextTurn().finally(() => {
      turn = undefined
    }))
}
