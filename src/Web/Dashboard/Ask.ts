/** What screens ask the server, and what becomes of it: an answer, or trouble in words. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import type { Trouble } from "./Protocol.ts"

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

/** Who hears that the cookie is not there any more. */
export const locked: { tell: () => void } = { tell: () => undefined }

const read = <A>(answer: Response): Promise<A> =>
  answer.json().then(
    (body: A | Trouble) => {
      if (answer.ok) return body as A
      if (answer.status === 401) locked.tell()
      throw new Refusal(answer.status, body as Trouble)
    },
    () => {
      if (answer.status === 401) locked.tell()
      throw new Refusal(answer.status, { error: `The server answered ${answer.status}, and nothing that can be read.` })
    }
  )

const send = <A>(address: string, request: RequestInit): Promise<A> =>
  fetch(address, { cache: "no-store", ...request }).then(
    (answer) => read<A>(answer),
    (failure: Error) => {
      throw failure.name === "AbortError" ? failure : unreachable
    }
  )

export const ask = <A>(path: string, given?: Given, signal?: AbortSignal): Promise<A> =>
  send(addressOf(path, given), signal === undefined ? {} : { signal })

/** Changes something. */
export const tell = <A>(path: string, given: Given, body: object = {}): Promise<A> =>
  send(addressOf(path, given), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

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
