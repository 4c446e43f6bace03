/** Requests to the server: token, JSON requests, and the hooks that load responses and their further pages. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { idempotencyHeader, type RequestFailure, tokenHeader } from "./Protocol.ts"
import type { Next } from "./RunProtocol.ts"

/*
 * The token is not stored in a cookie: browsers send cookies to every port of a host, so also to other programs of this machine. Undefined
 * when the browser blocks storage; then values last until the page is reloaded.
 */
const storage = navigator.cookieEnabled ? localStorage : undefined

export const readStored = (name: string): string | undefined => storage?.getItem(name) ?? undefined

export const store = (name: string, value: string): void => storage?.setItem(name, value)

const tokenKey = "sluice-token"
const inLink = /^#token=([\w-]+)$/

const tokenInLink = inLink.exec(location.hash)?.[1]
// Users copy and share the page's URL, so the token is removed from it.
if (tokenInLink !== undefined) history.replaceState(null, "", location.pathname)

/** Token of the server; empty until its link has been opened. */
export const token = tokenInLink ?? readStored(tokenKey) ?? ""

/** Stores the token once the server has accepted it: an old link, or a link from another site, has a wrong token. */
const keepToken = (): void => {
  if (tokenInLink !== undefined && readStored(tokenKey) !== tokenInLink) store(tokenKey, tokenInLink)
}

// Reload when a link with another token is opened, in this tab or in another one.
window.addEventListener("hashchange", () => inLink.test(location.hash) && location.reload())
window.addEventListener("storage", ({ key, newValue }) => key === tokenKey && newValue !== token && location.reload())

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>

/** Failed request. Status 0: the server did not respond. */
export class RequestError extends Error {
  readonly status: number
  readonly trouble: RequestFailure

  constructor(status: number, trouble: RequestFailure) {
    super(trouble.error)
    this.status = status
    this.trouble = trouble
  }
}

/** URL of an API path: some parameters replace `:name`, all others become the query. */
export const addressOf = (path: string, given: Parameters = {}): string => {
  const rest = new URLSearchParams()
  let address = path
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === "") continue
    const part = address.replace(`:${name}`, () => encodeURIComponent(String(value)))
    if (part === address) rest.set(name, String(value))
    address = part
  }
  return rest.size === 0 ? address : `${address}?${rest}`
}

const unreachable = new RequestError(0, { error: "The dashboard does not respond. Is it still running?" })

/** Called when the server rejects the token. */
export const tokenRejected: { notify: () => void } = { notify: () => undefined }

interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** Sends a request with the token. */
export const request = (address: string, { headers, ...rest }: Call = {}): Promise<Response> =>
  fetch(address, { cache: "no-store", ...rest, headers: { ...headers, [tokenHeader]: token } }).then(
    (answer) => {
      if (answer.status === 401) tokenRejected.notify()
      else if (answer.ok) keepToken()
      return answer
    },
    (failure: Error) => {
      throw failure.name === "AbortError" ? failure : unreachable
    }
  )

const send = <A>(address: string, call: Call): Promise<A> =>
  request(address, call).then((answer) =>
    answer.json().then(
      (body: A | RequestFailure) => {
        if (answer.ok) return body as A
        throw new RequestError(answer.status, body as RequestFailure)
      },
      (failure: Error) => {
        if (failure.name === "AbortError") throw failure
        throw new RequestError(answer.status, {
          error: `The dashboard answered with status ${answer.status} and an unreadable body.`
        })
      }
    )
  )

export const getJson = <A>(path: string, given?: Parameters, signal?: AbortSignal): Promise<A> =>
  send(addressOf(path, given), signal === undefined ? {} : { signal })

/** Sends a POST request; requests with the same idempotency key take effect once. */
export const postJson = <A>(path: string, given: Parameters, body: object = {}, key?: string): Promise<A> =>
  send(addressOf(path, given), {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === undefined ? {} : { [idempotencyHeader]: key }) },
    body: JSON.stringify(body)
  })

/** New idempotency key. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

export interface Fetched<A> {
  /** Latest response; kept while the next one is loading. */
  readonly value: A | undefined
  readonly refusal: RequestError | undefined
  readonly isAsking: boolean
  readonly again: () => void
  readonly change: (change: (value: A) => A) => void
}

/** Loads a response on mount, when the address changes, and on `again`. Ignores responses to outdated requests. */
export const useFetch = <A>(path: string | undefined, given?: Parameters): Fetched<A> => {
  const address = path === undefined ? undefined : addressOf(path, given)
  const [{ isAsking, refusal, value }, setState] = useState<Omit<Fetched<A>, "again" | "change">>({
    value: undefined,
    refusal: undefined,
    isAsking: true
  })
  const running = useRef<AbortController | undefined>(undefined)
  const again = useCallback(() => {
    running.current?.abort()
    if (address === undefined) return
    const control = new AbortController()
    running.current = control
    setState((state) => ({ ...state, isAsking: true }))
    const done = (state: (before: Omit<Fetched<A>, "again" | "change">) => Omit<Fetched<A>, "again" | "change">) => {
      if (!control.signal.aborted) setState(state)
    }
    getJson<A>(address, {}, control.signal).then(
      (answer) => done(() => ({ value: answer, refusal: undefined, isAsking: false })),
      (failure: RequestError) => done((before) => ({ ...before, refusal: failure, isAsking: false }))
    )
  }, [address])
  useEffect(() => {
    setState({ value: undefined, refusal: undefined, isAsking: true })
    again()
    return () => running.current?.abort()
  }, [again])
  const change = useCallback((change: (value: A) => A) => {
    setState((state) => (state.value === undefined ? state : { ...state, value: change(state.value) }))
  }, [])
  return { value, refusal, isAsking, again, change }
}

type PagedParameters = Readonly<Record<string, string | number | undefined>>

interface Pieces<A> {
  readonly pieces: ReadonlyArray<A>
  readonly refusal: RequestError | undefined
}

/** Pages of a list: `more` loads the next one, `again` reloads the first one. */
export const useMore = <A extends { readonly next: Next }>(path: string, given: PagedParameters) => {
  const address = addressOf(path, given)
  const [{ pieces, refusal }, setState] = useState<Pieces<A>>({ pieces: [], refusal: undefined })
  const [isAsking, setAsking] = useState(true)
  const running = useRef<AbortController | undefined>(undefined)
  const next = pieces.at(-1)?.next ?? null

  const fetchFrom = useCallback(
    (after: string | undefined) => {
      running.current?.abort()
      const control = new AbortController()
      running.current = control
      setAsking(true)
      getJson<A>(
        after === undefined
          ? address
          : `${address}${address.includes("?") ? "&" : "?"}after=${encodeURIComponent(after)}`,
        {},
        control.signal
      )
        .then(
          (piece) =>
            setState((before) => ({
              pieces: after === undefined ? [piece] : [...before.pieces, piece],
              refusal: undefined
            })),
          (failure: RequestError) => {
            if (failure.name !== "AbortError") setState((before) => ({ ...before, refusal: failure }))
          }
        )
        .finally(() => {
          if (running.current === control) setAsking(false)
        })
    },
    [address]
  )
  const again = useCallback(() => fetchFrom(undefined), [fetchFrom])
  const more = useCallback(() => {
    if (next !== null && !isAsking) fetchFrom(next)
  }, [next, isAsking, fetchFrom])
  useEffect(() => {
    again()
    return () => running.current?.abort()
  }, [again])
  return { pieces, refusal, isAsking, hasMore: next !== null, again, more }
}
