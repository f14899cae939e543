export const OPERATIONS: Readonly<Record<string, readonly [method: string, path: string, streams?: true]>>
