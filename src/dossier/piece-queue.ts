/** Passes pieces from callbacks to one reader, in order. */
export function createPieceQueue<Piece>(): {
  push(piece: Piece): void
  /** No further piece follows. */
  end(): void
  /** Yields the pieces as they come, until the end. */
  read(): AsyncIterable<Piece>
} {
  const state = { pieces: [] as Piece[], isEnded: false, news: Promise.withResolvers<void>() }
  return {
    push(piece) {
      state.pieces.push(piece)
      state.news.resolve()
    },
    end() {
      state.isEnded = true
      state.news.resolve()
    },
    async *read() {
      for (;;) {
        yield* state.pieces.splice(0)
        if (state.pieces.length > 0) continue
        if (state.isEnded) return
        await state.news.promise
        state.news = Promise.withResolvers()
      }
    },
  }
}
