/** Components of all screens: loading and errors, values of unknown size, scrollable regions, toggles, the search field, long lists and dialogs. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks"
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

/** Scrolls the selected tab into view; used as the `ref` of the tab bar. */
export const showChosenTab = (bar: HTMLElement | null): void => {
  const chosen = bar?.querySelector("[aria-current]")?.getBoundingClientRect()
  if (bar === null || chosen === undefined) return
  bar.scrollLeft += Math.max(0, chosen.right - bar.getBoundingClientRect().right)
}

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

interface Props {
  /** Label for screen readers. */
  readonly label: string
  /** CSS class that sets the widths of the columns. */
  readonly kind: string
  readonly count: number
  readonly head: ReadonlyArray<string>
  /** Cells of a row; undefined while the row is loading. */
  readonly cells: (index: number) => ReadonlyArray<ComponentChildren> | undefined
  readonly open?: ((index: number) => void) | undefined
  /** Called with the range of visible rows. */
  readonly seen?: ((first: number, last: number) => void) | undefined
}

/** Rows rendered above and below the visible ones. */
const overscan = 8

const steps: Readonly<Record<string, (page: number, count: number) => (at: number) => number>> = {
  ArrowDown: () => (at) => at + 1,
  ArrowUp: () => (at) => at - 1,
  PageDown: (page) => (at) => at + page,
  PageUp: (page) => (at) => at - page,
  Home: () => () => 0,
  End: (_, count) => () => count - 1
}

export const List = ({ cells, count, head, kind, label, open, seen }: Props) => {
  const place = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600, row: 40 })
  const [active, setActive] = useState(0)

  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return
    const measure = () => {
      // The style sheet sets the height of rows: two lines on a phone.
      const row = Number.parseFloat(getComputedStyle(element).getPropertyValue("--row")) || 40
      setView({ top: element.scrollTop, height: element.clientHeight, row })
    }
    measure()
    const watcher = new ResizeObserver(measure)
    watcher.observe(element)
    element.addEventListener("scroll", measure, { passive: true })
    return () => {
      watcher.disconnect()
      element.removeEventListener("scroll", measure)
    }
  }, [])

  const first = Math.max(0, Math.min(count - 1, Math.floor(view.top / view.row) - overscan))
  const last = Math.min(count, Math.ceil((view.top + view.height) / view.row) + overscan)
  useEffect(() => seen?.(first, last), [first, last, seen])

  const press = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.height / view.row) - 2)
    const step = steps[event.key]?.(page, count)
    if (event.key === "Enter" && event.target === event.currentTarget) return open?.(active)
    if (step === undefined || event.target !== event.currentTarget || count === 0) return
    event.preventDefault()
    const next = Math.max(0, Math.min(count - 1, step(active)))
    setActive(next)
    const element = place.current
    if (element === null) return
    const top = next * view.row
    // The sticky header covers one row, so one row less is visible than the element is high.
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + view.row * 2 > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + view.row * 2 - element.clientHeight
    }
  }

  const row = (index: number) => (
    <tr
      key={index}
      id={`${kind}-${index}`}
      aria-rowindex={index + 2}
      data-active={index === active}
      data-opens={open !== undefined}
      onClick={(event) => {
        setActive(index)
        if ((event.target as Element).closest("a, button, input") === null) open?.(index)
      }}
    >
      {(cells(index) ?? head.map(() => <span class="ghost" />)).map((cell, column) => (
        <td key={head[column]} data-column={head[column]}>
          {cell}
        </td>
      ))}
    </tr>
  )
  const gap = (side: string, rows: number) =>
    rows > 0 && (
      <tr class="gap" key={side}>
        <td style={{ height: `${rows * view.row}px` }} />
      </tr>
    )

  return (
    <div ref={place} class={`list ${kind}`}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: keys move through it, as in a grid
        role="grid"
        aria-label={label}
        aria-rowcount={count + 1}
        aria-activedescendant={active >= first && active < last ? `${kind}-${active}` : undefined}
        tabIndex={0}
        onKeyDown={press}
      >
        <thead>
          <tr aria-rowindex={1}>
            {head.map((title) => (
              <th key={title} scope="col" data-column={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {gap("above", first)}
          {Array.from({ length: Math.max(0, last - first) }, (_, offset) => row(first + offset))}
          {gap("below", count - last)}
        </tbody>
      </table>
    </div>
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
      <button type="button" class="press" onClick={close}>
        Close
      </button>
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
        {refusal !== undefined && (
          <p class="banner" data-tone="bad" role="alert">
            {refusal}
          </p>
        )}
        <div class="answers">
          <button type="button" class="press" onClick={close}>
            Cancel
          </button>
          <button type="button" class="press main" disabled={isActing} onClick={go}>
            {yes}
          </button>
        </div>
      </Modal>
    </>
  )
}
