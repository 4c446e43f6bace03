/** What a job begins with, and what it is extended by. */
import type { Repeat } from "../Repeat.ts"
import type { Spender } from "../Usage/Usage.ts"
import type { Found } from "./Finished.ts"
import type { Kind, Spec, Version } from "./Job.ts"

/** What a job begins with. */
export interface Start {
  readonly team: Spender
  readonly kind: Kind
  readonly version: Version
  readonly url: string
  readonly spec: Spec
  readonly pages: ReadonlyArray<Found>
  /** Whether the pages are all there is to begin with; a sitemap adds more otherwise. */
  readonly seeded: boolean
  readonly limit: number
  readonly invalidURLs: ReadonlyArray<string>
  readonly repeat?: Repeat | undefined
  /** Whom the job tells, sealed. */
  readonly webhook?: Uint8Array | undefined
}

export interface Started {
  readonly id: string
  readonly invalidURLs: ReadonlyArray<string>
}

/** What a batch is extended by. */
export interface More extends Pick<Start, "pages" | "invalidURLs" | "repeat"> {
  /** Options that were named, and `maxConcurrency` if it was; a job has one set of them. */
  readonly options: object
}
