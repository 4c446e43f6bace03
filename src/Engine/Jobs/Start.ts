/** Input for a new job, and for extending a batch. */
import type { Repeat } from "../Repeat.ts"
import type { Spender } from "../Usage/Usage.ts"
import type { Found } from "./Finished.ts"
import type { Kind, Spec, Version } from "./Job.ts"

/** Input for a new job. */
export interface Start {
  readonly team: Spender
  readonly kind: Kind
  readonly version: Version
  readonly url: string
  readonly spec: Spec
  readonly pages: ReadonlyArray<Found>
  /** True when `pages` is complete. When false, the sitemap adds more. */
  readonly seeded: boolean
  readonly limit: number
  readonly invalidURLs: ReadonlyArray<string>
  readonly repeat?: Repeat | undefined
  /** Webhook, encrypted. */
  readonly webhook?: Uint8Array | undefined
}

export interface Started {
  readonly id: string
  readonly invalidURLs: ReadonlyArray<string>
}

/** Pages and options to add to a batch. */
export interface More extends Pick<Start, "pages" | "invalidURLs" | "repeat"> {
  /** Options in the request, including `maxConcurrency`. A job has one set of options. */
  readonly options: object
}
