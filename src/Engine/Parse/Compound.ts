/** Reads streams of an OLE2 compound file, the container of Word and Excel files before 2007. */

/** First number that is no sector: this and higher numbers mark free sectors and the ends of chains. */
const lastSector = 0xfffffffa
const headerSize = 512
const entrySize = 128
/** Maximum directory entries, because a broken directory chain may be endless. */
const maxEntries = 10_000

const u32 = (bytes: Buffer, at: number): number =>
  at >= 0 && at + 4 <= bytes.length ? bytes.readUInt32LE(at) : 0xffffffff

/** Returns the chain of sector numbers from `first`. Stops at a loop. */
const chain = (first: number, next: (sector: number) => number): ReadonlyArray<number> => {
  const sectors: Array<number> = []
  const seen = new Set<number>()
  for (let sector = first; sector < lastSector && !seen.has(sector); sector = next(sector)) {
    seen.add(sector)
    sectors.push(sector)
  }
  return sectors
}

const slices = (bytes: Buffer, sectors: ReadonlyArray<number>, size: number, start: number): Buffer =>
  Buffer.concat(
    sectors
      .map((sector) => bytes.subarray(start + sector * size, start + (sector + 1) * size))
      .filter((part) => part.length > 0)
  )

/** Returns the sectors of the allocation table: the first 109 are listed in the header, the others in a chain. */
const tableSectors = (bytes: Buffer, size: number): ReadonlyArray<number> => {
  const inHeader = Array.from({ length: 109 }, (_, index) => u32(bytes, 76 + 4 * index))
  const at = (sector: number, index: number) => u32(bytes, headerSize + sector * size + 4 * index)
  const perSector = size / 4 - 1
  const others = chain(u32(bytes, 68), (sector) => at(sector, perSector)).flatMap((sector) =>
    Array.from({ length: perSector }, (_, index) => at(sector, index))
  )
  // Drop repeated sectors, which would multiply the size of the file.
  return [...new Set([...inHeader, ...others])].filter((sector) => sector < lastSector)
}

/** Returns the content of the first stream with that name; undefined if there is none. */
export const streamOf = (bytes: Buffer, name: string): Buffer | undefined => {
  if (bytes.length < headerSize) return undefined
  const shift = bytes.readUInt16LE(30)
  const smallShift = bytes.readUInt16LE(32)
  if (shift < 7 || shift > 16 || smallShift > shift) return undefined
  const size = 1 << shift
  const table = slices(bytes, tableSectors(bytes, size), size, headerSize)
  const read = (first: number) =>
    slices(
      bytes,
      chain(first, (sector) => u32(table, 4 * sector)),
      size,
      headerSize
    )
  const directory = read(u32(bytes, 48))
  const root = u32(directory, 116)
  for (let at = 0; at + entrySize <= directory.length && at < maxEntries * entrySize; at += entrySize) {
    const length = directory.readUInt16LE(at + 64)
    if (length < 2 || directory.toString("utf16le", at, at + Math.min(length - 2, 62)) !== name) continue
    const first = u32(directory, at + 116)
    const total = u32(directory, at + 120)
    if (total >= u32(bytes, 56)) return read(first).subarray(0, total)
    const smallTable = read(u32(bytes, 60))
    const sectors = chain(first, (sector) => u32(smallTable, 4 * sector))
    return slices(read(root), sectors, 1 << smallShift, 0).subarray(0, total)
  }
  return undefined
}
