/** Resolves in the next turn of the event loop, after pending I/O: long work calls it between its steps. */
export type NextTurn = () => Promise<void>

export const nextTurn: NextTurn = () => new Promise((resolve) => void setImmediate(resolve))
