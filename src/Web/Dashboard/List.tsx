/** List of any length whose rows are rendered only where they are visible. */
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"

interface Props<Row> {
  /** Label for screen readers. */
  readonly label: string
  /** CSS class that sets the widths of the columns. */
  readonly kind: string
  readonly rows: ReadonlyArray<Row>
  /** Number of placeholder rows shown after `rows` while there are more to load. */
  readonly more: number
  readonly head: ReadonlyArray<string>
  readonly cells: (row: Row) => ReadonlyArray<ComponentChildren>
  readonly open: (row: Row) => void
  /** Called with the end of the range of visible rows. */
  readonly seen: (last: number) => void
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

export const List = <Row,>({ cells, head, kind, label, more, open, rows, seen }: Props<Row>) => {
  const count = rows.length + more
  const openAt = (index: number) => {
    const row = rows[index]
    if (row !== undefined) open(row)
  }
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
  useEffect(() => seen(last), [last, seen])

  const press = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.height / view.row) - 2)
    const step = steps[event.key]?.(page, count)
    if (event.key === "Enter" && event.target === event.currentTarget) return openAt(active)
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

  const rowAt = (index: number) => {
    const row = rows[index]
    return (
      <tr
        key={index}
        id={`${kind}-${index}`}
        aria-rowindex={index + 2}
        data-active={index === active}
        onClick={(event) => {
          setActive(index)
          if ((event.target as Element).closest("a, button, input") === null) openAt(index)
        }}
      >
        {(row === undefined ? head.map(() => <span class="ghost" />) : cells(row)).map((cell, column) => (
          <td key={head[column]} data-column={head[column]}>
            {cell}
          </td>
        ))}
      </tr>
    )
  }
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
          {Array.from({ length: Math.max(0, last - first) }, (_, offset) => rowAt(first + offset))}
          {gap("below", count - last)}
        </tbody>
      </table>
    </div>
  )
}
