/** Difference between two versions of a page: fields, and contents line by line, side by side or unified. */
import { useMemo, useState } from "preact/hooks"
import { useFetch } from "./Api.ts"
import { Loaded, LongText, Pairs, Press, Scroll, Toggle } from "./Components.tsx"
import { commonEnds, diffRows, type Fold, type Pair, type Side } from "./DiffRows.ts"
import { count, moment } from "./Format.ts"
import { paths } from "./Protocol.ts"
import { type Route, setQuery } from "./Route.ts"
import type { DiffPart, PageDiff } from "./RunProtocol.ts"

const Contents = ({ diff, isSplit }: { readonly diff: PageDiff; readonly isSplit: boolean }) => {
  if (diff.parts === null) {
    return (
      <p class="dim">
        {diff.isSame === true
          ? "The contents are the same by their hashes."
          : `The contents ${diff.isSame === false ? "differ by their hashes, and " : ""}cannot be compared line by line: ${diff.why ?? "they no longer exist."}`}
      </p>
    )
  }
  if (diff.parts.every(({ kind }) => kind === "same"))
    return <p class="dim">The contents are the same, line by line.</p>
  return <DiffTable parts={diff.parts} isSplit={isSplit} />
}

const views = [
  ["split", "Side by side"],
  ["unified", "Unified"]
] as const

interface Props {
  readonly route: Route
  readonly pageKey: string
  readonly from: string
  readonly to: string
}

export const Diff = ({ from, pageKey, route, to }: Props) => {
  const asked = useFetch<PageDiff>(paths.diff, { key: pageKey, from, to })
  // Narrow screens have no space for two columns.
  const [isSplit, setSplit] = useState(
    (route.query.get("view") ?? (innerWidth < 800 ? "unified" : "split")) === "split"
  )
  const choose = (view: "split" | "unified") => {
    setSplit(view === "split")
    setQuery(route, { view })
  }
  return (
    <section class="card">
      <div class="top">
        <h2>Differences</h2>
        <Toggle label="Layout" value={isSplit ? "split" : "unified"} sides={views} choose={choose} />
      </div>
      <Loaded asked={asked}>
        {(diff) => (
          <>
            <p class="dim">
              From {moment(diff.from.at)} to {moment(diff.to.at)}
              {diff.of !== undefined && (
                <>
                  , <code>{diff.of}</code>
                </>
              )}
            </p>
            {diff.fields.length > 0 && (
              <Pairs
                pairs={diff.fields.map(({ from = "—", name, to = "—" }) => [
                  name,
                  <>
                    <del>{from}</del> → <ins>{to}</ins>
                  </>
                ])}
              />
            )}
            <Contents diff={diff} isSplit={isSplit} />
          </>
        )}
      </Loaded>
    </section>
  )
}

const rowsPerPress = 600

/** A line, with the part that differs from its counterpart marked. */
const LineText = ({ other, side }: { readonly side: Side | undefined; readonly other: Side | undefined }) => {
  if (side === undefined) return null
  const { text } = side
  if (other === undefined) return <LongText text={text} limit={2_000} />
  const [before, after] = commonEnds(text, other.text)
  const isAlike = before + after > 0 && text.length < 2_000
  if (!isAlike) return <LongText text={text} limit={2_000} />
  return (
    <>
      {text.slice(0, before)}
      <mark>{text.slice(before, text.length - after)}</mark>
      {text.slice(text.length - after)}
    </>
  )
}

const LineCells = ({
  kind,
  other,
  side
}: {
  readonly kind: string
  readonly side: Side | undefined
  readonly other?: Side | undefined
}) => (
  <>
    <td class="number" data-kind={side === undefined ? "none" : kind}>
      {side?.number}
    </td>
    <td class="line" data-kind={side === undefined ? "none" : kind}>
      <span class="sign" aria-hidden="true">
        {side === undefined || kind === "same" ? " " : kind === "removed" ? "−" : "+"}
      </span>
      {kind !== "same" && side !== undefined && <span class="unseen">{kind}: </span>}
      <LineText side={side} other={other} />
    </td>
  </>
)

const split = ({ from, kind, to }: Pair, key: string) => (
  <tr key={key}>
    <LineCells kind={kind === "same" ? "same" : "removed"} side={from} other={kind === "changed" ? to : undefined} />
    <LineCells kind={kind === "same" ? "same" : "added"} side={to} other={kind === "changed" ? from : undefined} />
  </tr>
)

const unified = ({ from, kind, to }: Pair, key: string) =>
  kind === "same" ? (
    <tr key={key}>
      <LineCells kind="same" side={to} />
    </tr>
  ) : (
    [
      from && (
        <tr key={`${key} from`}>
          <LineCells kind="removed" side={from} other={to} />
        </tr>
      ),
      to && (
        <tr key={`${key} to`}>
          <LineCells kind="added" side={to} other={from} />
        </tr>
      )
    ]
  )

export const DiffTable = ({
  isSplit,
  parts
}: {
  readonly parts: ReadonlyArray<DiffPart>
  readonly isSplit: boolean
}) => {
  const rows = useMemo(() => diffRows(parts), [parts])
  const [most, setMost] = useState(rowsPerPress)
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const draw = isSplit ? split : unified
  const foldOf = ({ at, pairs }: Fold) => (
    <tr key={`fold ${at}`} class="fold">
      <td colSpan={isSplit ? 4 : 2}>
        <button type="button" class="more" onClick={() => setOpened(new Set([...opened, at]))}>
          {count(pairs.length)} unchanged lines
        </button>
      </td>
    </tr>
  )
  const drawn = rows.flatMap((row, index) => {
    if (row.kind !== "fold") return [draw(row, String(index))]
    return opened.has(row.at) ? row.pairs.map((pair, offset) => draw(pair, `${index}.${offset}`)) : [foldOf(row)]
  })
  return (
    <>
      <Scroll kind={isSplit ? "diff split" : "diff"} label="Difference, line by line">
        <table>
          <colgroup>
            {(isSplit ? ["from", "from-text", "to", "to-text"] : ["line", "line-text"]).map((name) => (
              <col key={name} class={name.endsWith("text") ? "" : "numbers"} />
            ))}
          </colgroup>
          <tbody>{drawn.slice(0, most)}</tbody>
        </table>
      </Scroll>
      {drawn.length > most && (
        <Press act={() => setMost(most + rowsPerPress)}>{count(drawn.length - most)} more lines</Press>
      )}
    </>
  )
}
