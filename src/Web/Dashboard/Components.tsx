/** Components of all screens: loading and errors, values of unknown size, scrollable regions, toggles, the search field, long lists and dialogs. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import type { Fetched, RequestError } from "./Api.ts"
import type { DefinitionError } from "./Protocol.ts"
import { to } from "./Route.ts"
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

interface PressProps {
  readonly act: () => void
  readonly isOff?: boolean
  readonly children: ComponentChildren
}

export const Press = ({ act, children, isOff = false }: PressProps) => (
  <button type="button" class="press" disabled={isOff} onClick={act}>
    {children}
  </button>
)

interface BannerProps {
  readonly tone?: "bad" | "warn"
  readonly role?: "alert"
  readonly children: ComponentChildren
}

export const Banner = ({ children, role, tone = "bad" }: BannerProps) => (
  <div class="banner" data-tone={tone} role={role}>
    {children}
  </div>
)

export const ErrorBanner = ({ again, refusal }: { readonly refusal: RequestError; readonly again?: () => void }) => (
  <Banner role="alert">
    <p>{refusal.message}</p>
    {refusal.trouble.mistakes !== undefined && <DefinitionErrors mistakes={refusal.trouble.mistakes} />}
    {again !== undefined && <Press act={again}>Try again</Press>}
  </Banner>
)

export const Empty = ({ children, title }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

/** Shows a response with `children`. An error is shown above the previous response. */
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

/** A value with its label. */
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

/** True for http and https: addresses come from pages and may be `javascript:`. */
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

/** Scrolls the selected tab into view. */
const showChosenTab = (bar: HTMLElement | null): void => {
  const chosen = bar?.querySelector("[aria-current]")?.getBoundingClientRect()
  if (bar === null || chosen === undefined) return
  bar.scrollLeft += Math.max(0, chosen.right - bar.getBoundingClientRect().right)
}

interface TabsProps {
  readonly label: string
  /** Path of the screen, which shows the first tab. */
  readonly path: ReadonlyArray<string>
  readonly chosen: string
  readonly tabs: ReadonlyArray<readonly [name: string, title: string]>
}

export const Tabs = ({ chosen, label, path, tabs }: TabsProps) => (
  <nav class="tabs" ref={showChosenTab} aria-label={label}>
    {tabs.map(([name, title], index) => (
      <a key={name} href={to(index === 0 ? path : [...path, name])} aria-current={chosen === name ? "page" : undefined}>
        {title}
      </a>
    ))}
  </nav>
)

/** Link to the screen above. */
export const Back = ({ children, href }: { readonly href: string; readonly children: ComponentChildren }) => (
  <p class="trail">
    <a href={href}>
      <Icon name="back" size={14} /> {children}
    </a>
  </p>
)

interface PairsProps {
  readonly pairs: ReadonlyArray<readonly [name: ComponentChildren, value: ComponentChildren]>
}

export const Pairs = ({ pairs }: PairsProps) => (
  <dl class="pairs">
    {pairs.map(([name, value], index) => (
      <div key={index}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
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

interface TableProps extends WideProps {
  readonly class?: string
  readonly columns: ReadonlyArray<string>
}

/** Table that scrolls sideways where it is wider than its place. Its children are the rows. */
export const Table = ({ children, class: name, columns, ...wide }: TableProps) => (
  <Scroll {...wide}>
    <table class={name}>
      <TableHead columns={columns} />
      <tbody>{children}</tbody>
    </table>
  </Scroll>
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

interface SelectProps {
  /** Label for screen readers. */
  readonly label: string
  readonly value: string
  readonly choices: ReadonlyArray<readonly [value: string, title: string]>
  readonly choose: (value: string) => void
}

export const Select = ({ choices, choose, label, value }: SelectProps) => (
  <label>
    <span class="unseen">{label}</span>
    <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {choices.map(([choice, title]) => (
        <option key={choice} value={choice}>
          {title}
        </option>
      ))}
    </select>
  </label>
)

interface SearchProps {
  readonly label: string
  readonly value: string
  readonly change: (text: string) => void
}

/** Debounce of the search field, in milliseconds. */
const debounce = 180

export const Search = ({ change, label, value }: SearchProps) => {
  const [text, setText] = useState(value)
  const reported = useRef(value)
  const timer = useRef(0)
  // If something other than typing has changed the value, for example the back button, the field shows the new value.
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

interface ModalProps {
  readonly isOpen: boolean
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
}

/** The dialog element closes on Escape and restores the focus. */
const Modal = ({ children, close, isOpen, title }: ModalProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const name = useId()
  useEffect(() => {
    if (isOpen && !element.current?.open) element.current?.showModal()
    if (!isOpen) element.current?.close()
  }, [isOpen])
  return (
    <dialog ref={element} aria-labelledby={name} onClose={close}>
      <h2 id={name}>{title}</h2>
      {isOpen && children}
    </dialog>
  )
}

const helpKeys: ReadonlyArray<readonly [key: string, what: string]> = [
  ["/", "focuses the search"],
  ["↑ ↓", "moves by row in a list"],
  ["Page ↑ ↓, Home, End", "moves by page, or to the ends of a list"],
  ["Enter", "opens the row"],
  ["Tab", "moves to the next link or field"],
  ["Esc", "closes a dialog, clears the search"],
  ["?", "shows this list"]
]

export const Help = ({ close, isOpen }: { readonly isOpen: boolean; readonly close: () => void }) => (
  <Modal isOpen={isOpen} title="Keys" close={close}>
    <dl class="keys">
      {helpKeys.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <div class="answers">
      <Press act={close}>Close</Press>
    </div>
  </Modal>
)

interface ConfirmProps {
  readonly label: ComponentChildren
  readonly title: string
  readonly yes: string
  /** Action; if it rejects, the dialog shows the error. */
  readonly act: () => Promise<unknown>
  readonly isMain?: boolean
  readonly children: ComponentChildren
}

/** Button whose action is confirmed in a dialog. */
export const Confirm = ({ act, children, isMain = false, label, title, yes }: ConfirmProps) => {
  const [isOpen, setOpen] = useState(false)
  const [isActing, setActing] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const close = () => {
    setOpen(false)
    setRefusal(undefined)
  }
  const go = () => {
    setActing(true)
    act()
      .then(close, (failure: Error) => setRefusal(failure.message))
      .finally(() => setActing(false))
  }
  return (
    <>
      <button type="button" class={isMain ? "press main" : "press"} onClick={() => setOpen(true)}>
        {label}
      </button>
      <Modal isOpen={isOpen} title={title} close={close}>
        {children}
        {refusal !== undefined && <Banner role="alert">{refusal}</Banner>}
        <div class="answers">
          <Press act={close}>Cancel</Press>
          <button type="button" class="press main" disabled={isActing} onClick={go}>
            {yes}
          </button>
        </div>
      </Modal>
    </>
  )
}
