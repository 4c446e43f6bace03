/** Preview of an output: its first rows. */

/** The first rows of an output. */
export interface Preview {
  readonly path: string
  readonly format: string
  readonly columns: ReadonlyArray<string>
  /** By columns. Texts are as they are (JSON where they are no text), cut at 2,000 characters; null: not there. */
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>
  /** There are more. */
  readonly isCut: boolean
  /** Why there is nothing to show: the file has gone, was replaced by a later run, or is of no such format. */
  readonly why?: string | undefined
}
