/** A slice of a page of results: documents one behind the other, as they are stored, with the commas between them. */

/** Positions of a job from one to before another. */
export interface Range {
  readonly jobId: string
  readonly from: number
  readonly end: number
  /** The page begins with it: no comma goes before it. */
  readonly first: boolean
}

/** The documents of a range; its parameters are the job, the first position and that behind the last. */
export const selectBodies =
  "SELECT body FROM job_results WHERE job_id = ? AND position >= ? AND position < ? ORDER BY position"

const comma = 0x2c

/** In memory of its own, so that it may be given away. */
export const join = (bodies: ReadonlyArray<Uint8Array>, first: boolean): Uint8Array<ArrayBuffer> => {
  const commas = Math.max(0, bodies.length - (first ? 1 : 0))
  const slice = new Uint8Array(bodies.reduce((sum, { byteLength }) => sum + byteLength, commas))
  let at = 0
  for (const [index, body] of bodies.entries()) {
    if (index > 0 || !first) slice[at++] = comma
    slice.set(body, at)
    at += body.byteLength
  }
  return slice
}
