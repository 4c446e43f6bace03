/** Components of all screens: loading and errors, values of unknown size, scrollable regions, toggles and the search field. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { Fetched, RequestError } from "./Api.ts"
import type { DefinitionError } from "./Protocol.ts"
import { Icon } from "./Signs.tsx"

export const DefinitionErrors = ({ mistakes }: { readonly mistakes: ReadonlyArray<DefinitionError> }) => (
  <ul>
    {mistakes.map(({ column, line, message }) => (
      <li key={message}>
        {line !== undefined && <code>{`${line}:${column ?? 1} `}</code>}
        {message}
      </li>
    ))}
  </ul>
)

export const ErrorBanner = ({ again, refusal }: { readonly refusal: RequestError; readonly again?: () => void }) => (
  <div class="banner" data-tone="bad" role="alert">
    <p>{refusal.message}</p>
    {refusal.trouble.mistakes !== undefined && <DefinitionErrors mistakes={refusal.trouble.mistakes} />}
    {again !== undefined && (
      <button type="button" class="press" onClick={again}>
        Try again
      </button>
    )}
  </div>
)

export const Empty = ({ children, title }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

/** Shows a response with `children`; an error is shown above the previous response. */
export const Loaded = <A,>({
  asked,
  children
}: {
  readonly asked: Fetched<A>
  readonly children: (value: A) => ComponentChildren
}) => (
  <>
    {asked.refusal !== undefined && <ErrorBanner refusal={asked.refusal} again={asked.again} />}
    {asked.value !== undefined
      ? children(asked.value)
      : asked.refusal === undefined && (
          <p class="loading" role="status">
            Loading …
          </p>
        )}
  </>
)

/** A figure with its label. */
export const Fact = ({
  children,
  name,
  title,
  tone
}: {
  readonly name: string
  readonly children: ComponentChildren
  readonly tone?: string | undefined
  readonly title?: string | undefined
}) => (
  <div class="fact" data-tone={tone} title={title}>
    <dd>{children}</dd>
    <dt>{name}</dt>
  </div>
)

const maxLength = 240

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)

/** Only http and https: addresses come from pages and may be `javascript:`. */
const isWeb = (address: string): boolean => /^https?:\/\/[^\s]+$/i.test(address)

/** Cuts a string without splitting a surrogate pair. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")

export const LongText = ({ limit = maxLength, text }: { readonly text: string; readonly limit?: number }) => {
  const [isOpen, setOpen] = useState(false)
  if (text.length <= limit * 1.2) return <span class="value">{text}</span>
  return (
    <span class="value">
      {isOpen ? text : `${cut(text, limit)}…`}{" "}
      <button type="button" class="more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "less" : `${(text.length - limit).toLocaleString("en-US")} more`}
      </button>
    </span>
  )
}

/** Link to another site; plain text unless the address is http or https. */
export const ExternalLink = ({ address, text = address }: { readonly address: string; readonly text?: string }) =>
  isWeb(address) ? (
    <a href={address} target="_blank" rel="noopener noreferrer" class="away" title={address}>
      {cut(text, maxLength)}
    </a>
  ) : (
    <LongText text={text} />
  )

/** Any value of a row or an input. */
export const Value = ({ value }: { readonly value: unknown }) => {
  if (value === null || value === undefined) return <span class="nothing">{value === null ? "null" : "—"}</span>
  const text = textOf(value)
  if (typeof value === "string") return isWeb(text) ? <ExternalLink address={text} /> : <LongText text={text} />
  return <code class={typeof value === "number" ? "number" : undefined}>{<LongText text={text} />}</code>
}

interface WideProps {
  readonly label: string
  readonly kind?: string
  readonly children: ComponentChildren
}

export const Scroll = ({ children, kind = "", label }: WideProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that arrow keys scroll it
  <section class={`wide ${kind}`} tabIndex={0} aria-label={label}>
    {children}
  </section>
)

export const TableHead = ({ columns }: { readonly columns: ReadonlyArray<string> }) => (
  <thead>
    <tr>
      {columns.map((column) => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
    </tr>
  </thead>
)

interface ToggleProps<A extends string> {
  readonly label: string
  readonly value: A
  readonly sides: ReadonlyArray<readonly [side: A, title: string]>
  readonly choose: (side: A) => void
}

export const Toggle = <A extends string>({ choose, label, sides, value }: ToggleProps<A>) => (
  <fieldset class="toggle">
    <legend class="unseen">{label}</legend>
    {sides.map(([side, title]) => (
      <button key={side} type="button" aria-pressed={side === value} onClick={() => choose(side)}>
        {title}
      </button>
    ))}
  </fieldset>
)

interface SearchProps {
  readonly label: string
  readonly value: string
  readonly change: (text: string) => void
}

/** Milliseconds. */
const debounce = 180

export const Search = ({ change, label, value }: SearchProps) => {
  const [text, setText] = useState(value)
  const reported = useRef(value)
  const timer = useRef(0)
  // The address has changed, for example by the back button.
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const enter = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      reported.current = next
      change(next)
    }, debounce)
  }
  return (
    <label class="search">
      <Icon name="search" />
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={text}
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="search"
        aria-keyshortcuts="/"
        onInput={(event) => enter(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return
          if (text === "") event.currentTarget.blur()
          else enter("")
        }}
      />
      <kbd title="Press / to search">/</kbd>
    </label>
  )
}
