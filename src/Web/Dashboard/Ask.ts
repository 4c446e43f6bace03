/** What screens ask the server, and what becomes of it: an answer, or trouble in words. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { onceHeader, type Trouble, tokenHeader } from "./Protocol.ts"
import { proven, token } from "./Token.ts"

type Given = Readonly<Record<string, string | number | boolean | undefined>>

/** Status 0: the server could not be reached at all. */
export class Refusal extends Error {
  readonly status: number
  readonly trouble: Trouble

  constructor(status: number, trouble: Trouble) {
    super(trouble.error)
    this.status = status
    this.trouble = trouble
  }
}

/** Puts what stands as `:name` in a path in there, and the rest behind it as a query. */
export const addressOf = (path: string, given: Given = {}): string => {
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

const unreachable = new Refusal(0, { error: "The server of this dashboard does not answer. Is it still running?" })

/** Who hears that the token is not the server's. */
export const locked: { tell: () => void } = { tell: () => undefined }

interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** Asks with the token; whoever has none is told so by the whole page. */
export const call = (address: string, { headers, ...rest }: Call = {}): Promise<Response> =>
  fetch(address, { cache: "no-store", ...rest, headers: { ...headers, [tokenHeader]: token } }).then(
    (answer) => {
      if (answer.status === 401) locked.tell()
      else if (answer.ok) proven()
      return answer
    },
    (failure: Error) => {
      throw failure.name === "AbortError" ? failure : unreachable
    }
  )

const send = <A>(address: string, request: Call): Promise<A> =>
  call(address, request).then((answer) =>
    answer.json().then(
      (body: A | Trouble) => {
        if (answer.ok) return body as A
        throw new Refusal(answer.status, body as Trouble)
      },
      (failure: Error) => {
        if (failure.name === "AbortError") throw failure
        throw new Refusal(answer.status, {
          error: `The server answered ${answer.status}, and nothing that can be read.`
        })
      }
    )
  )

export const ask = <A>(path: string, given?: Given, signal?: AbortSignal): Promise<A> =>
  send(addressOf(path, given), signal === undefined ? {} : { signal })

/** Changes something; under one `key` once, however often it is told. */
export const tell = <A>(path: string, given: Given, body: object = {}, key?: string): Promise<A> =>
  send(addressOf(path, given), {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === undefined ? {} : { [onceHeader]: key }) },
    body: JSON.stringify(body)
  })

/** A key for whatever should happen once. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

export interface Asked<A> {
  /** The newest answer; it stays while the next one is on its way. */
  readonly value: A | undefined
  readonly refusal: Refusal | undefined
  readonly isAsking: boolean
  readonly again: () => void
  readonly change: (change: (value: A) => A) => void
}

/** Asks when the screen opens, whenever the question changes, and `again`. An answer that comes too late counts for nothing. */
export const useAsk = <A>(path: string | undefined, given?: Given): Asked<A> => {
  const address = path === undefined ? undefined : addressOf(path, given)
  const [{ isAsking, refusal, value }, setState] = useState<Omit<Asked<A>, "again" | "change">>({
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
    const done = (state: (before: Omit<Asked<A>, "again" | "change">) => Omit<Asked<A>, "again" | "change">) => {
      if (!control.signal.aborted) setState(state)
    }
    ask<A>(address, {}, control.signal).then(
      (answer) => done(() => ({ value: answer, refusal: undefined, isAsking: false })),
      (failure: Refusal) => done((before) => ({ ...before, refusal: failure, isAsking: false }))
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
