import { openRandomAccess, readBlocks, type RandomAccess } from '../../../kernel/random-access.ts'
import type { ZipEntry } from '../../../kernel/zip/directory.ts'
import { unzip } from '../../../kernel/zip/unzip.ts'
import { ZipError } from '../../../kernel/zip/zip-error.ts'
import type { TrademarkRecord } from '../../record.ts'
import { extractRecord, type Sparse } from './extract.ts'
import { RegisterError } from './register-error.ts'
import { createSplitter, type PlainReader } from './split.ts'

export type ReadingOptions = {
  /** Bytes read so far and the file size; in the last call both are equal. */
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

type ReadRecord = TrademarkRecord | Sparse

/** Receives the records of a file in their order. */
export type RecordSink = {
  /** Takes plain records itself; only others are added. */
  readonly plain?: PlainReader
  add(found: ReadRecord): void
}

/** The records of a file one by one; see `readInto`. */
export async function* readRegister(path: string, options: ReadingOptions = {}): AsyncGenerator<ReadRecord> {
  let portion: ReadRecord[] = []
  for await (const _chunk of readInto(path, { add: (found) => portion.push(found) }, options)) {
    yield* portion
    portion = []
  }
}

/**
 * Reads the records of one file of the register, zip or XML, and yields after some of them. Throws RegisterError, with a message
 * for the operator, if the file is incomplete, hostile or not a file of the register. Damage may be found only after the last
 * record, so use records only once the end was reached.
 */
export async function* readInto(path: string, sink: RecordSink, options: ReadingOptions = {}): AsyncGenerator<void> {
  const file = openRandomAccess(path)
  try {
    yield* readBytesInto(file, sink, options)
  } finally {
    file.close()
  }
}

/** `readInto` for bytes from any source. */
export async function* readBytesInto(
  file: RandomAccess,
  sink: RecordSink,
  { onProgress, signal }: ReadingOptions = {},
): AsyncGenerator<void> {
  let done = 0
  const read = async (position: number, length: number) => {
    signal?.throwIfAborted()
    const bytes = await file.read(position, length)
    // The directory at the end of a zip is read first; that does not count as progress.
    if (position <= done) done = Math.max(done, position + bytes.length)
    return bytes
  }
  const splitter = createSplitter({ plain: sink.plain })
  for await (const chunk of await xmlChunks({ size: file.size, read })) {
    for (const record of splitter.push(chunk)) sink.add(extract(record, splitter.records()))
    release(chunk)
    onProgress?.(Math.min(done, file.size), file.size)
    yield
  }
  splitter.end()
  onProgress?.(file.size, file.size)
}

/**
 * Frees the memory of a chunk that was read. Otherwise V8 collects the whole heap of this thread each time some tens of
 * megabytes were unpacked. Only the last chunk in an ArrayBuffer ends where that ends, and Node's pool is shared with others.
 */
function release({ buffer, byteOffset, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && byteOffset + length === buffer.byteLength && length > Buffer.poolSize)
    buffer.transfer(0)
}

function extract(record: Buffer, number: number): ReadRecord {
  try {
    return extractRecord(record)
  } catch (error) {
    if (!(error instanceof RegisterError)) throw error
    throw new RegisterError(`${error.message} (record ${number})`, { cause: error })
  }
}

/** Distinguishes zip and XML by the first bytes, not by the name: for a missing file the Office sends a web page. */
async function xmlChunks(file: RandomAccess): Promise<AsyncGenerator<Buffer>> {
  const start = await file.read(0, 512)
  if (start.length === 0) throw new RegisterError('the file is empty')
  const magic = start.toString('latin1', 0, 4)
  if (magic === 'PK\u0003\u0004' || magic === 'PK\u0005\u0006') return unzipXml(file)
  const text = start
    .toString()
    .replace(/^\u{feff}/u, '')
    .trimStart()
  if (/^<!doctype\s+html|^<html/i.test(text)) {
    throw new RegisterError('this is a web page and not a file of the register: the download found nothing')
  }
  if (!text.startsWith('<')) throw new RegisterError('this is neither a zip nor XML')
  return readBlocks(file, 0, file.size)
}

/** A zip of the register has one entry, so its directory is short. */
const MAX_DIRECTORY_BYTES = 1024 * 1024

async function* unzipXml(file: RandomAccess): AsyncGenerator<Buffer> {
  try {
    yield* unzip(file, chooseXml, { maxDirectoryBytes: MAX_DIRECTORY_BYTES })
  } catch (error) {
    throw error instanceof ZipError ? new RegisterError(error.message, { cause: error }) : error
  }
}

function chooseXml(entries: readonly ZipEntry[]): ZipEntry {
  for (const { name } of entries) checkName(name)
  const [entry, ...others] = entries.filter(({ name }) => /\.xml$/i.test(name))
  if (entry === undefined) throw new RegisterError('the zip is refused: it contains no XML file')
  if (others.length > 0)
    throw new RegisterError(`the zip is refused: it contains ${others.length + 1} XML files, and one is expected`)
  return entry
}

/** Entries are never written to disk under their names. Such a name still shows that the zip is not from the Office. */
function checkName(name: string): void {
  const isSafe = !/^[/\\]|^[A-Za-z]:|[\\\0]/.test(name) && !name.split('/').includes('..') && name !== ''
  if (!isSafe)
    throw new RegisterError(
      `the zip is refused: the entry name ${JSON.stringify(name.slice(0, 80))} is not a safe path`,
    )
}
