/** Activity of the service: jobs, browser sessions, queue and storage. */

export interface Job {
  readonly id: string
  readonly url?: string | undefined
  readonly createdAt?: number | undefined
}

export interface Session {
  readonly id: string
  /** Opened in a new window, because they have another origin. */
  readonly watchUrl?: string | undefined
  readonly steerUrl?: string | undefined
  readonly expiresAt?: number | undefined
}

export interface Storage {
  readonly used: number
  readonly most: number
  /** Set when space is running out; says what to do. */
  readonly warning?: string | undefined
}

/** Null when no service is known (`why` says how to name one); a part that it did not answer is null too. */
export interface EngineNow {
  readonly url: string | null
  readonly why?: string | undefined
  readonly jobs: ReadonlyArray<Job> | null
  readonly sessions: ReadonlyArray<Session> | null
  readonly queue: {
    readonly active: number
    readonly waiting: number
    /** Requests at once, at most. */
    readonly most: number
  } | null
  /** What the service keeps on disk for this team, in bytes, where it says so. */
  readonly storage?: Storage | undefined
}
