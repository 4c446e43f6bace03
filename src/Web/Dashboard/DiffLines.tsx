/** The lines of a difference: side by side or one below the other, what is the same folded, and long ones in pieces. */
import { useMemo, useState } from "preact/hooks"
import { count } from "./Format.ts"
import type { DiffPart } from "./Protocol/Pages.ts"
import { common, type Fold, type Pair, type Side, stretches } from "./Stretches.ts"
import { Long } from "./Value.tsx"
import { Wide } from "./Wide.tsx"

/** Rows that are drawn at first, and with each press of a button. */
const atOnce = 600

/** A line, with what differs from the other one marked. */
const Text = ({ other, side }: { readonly side: Side | undefined; readonly other: Side | undefined }) => {
  if (side === undefined) return null
  const { text } = side
  if (other === undefined) return <Long text={text} limit={2_000} />
  const [before, after] = common(text, other.text)
  const isAlike = before + after > 0 && text.length < 2_000
  if (!isAlike) return <Long text={text} limit={2_000} />
  return (
    <>
      {text.slice(0, before)}
      <mark>{text.slice(before, text.length - after)}</mark>
      {text.slice(text.length - after)}
    </>
  )
}

const Line = ({
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
      <Text side={side} other={other} />
    </td>
  </>
)

const split = ({ from, kind, to }: Pair, key: string) => (
  <tr key={key}>
    <Line kind={kind === "same" ? "same" : "removed"} side={from} other={kind === "changed" ? to : undefined} />
    <Line kind={kind === "same" ? "same" : "added"} side={to} other={kind === "changed" ? from : undefined} />
  </tr>
)

const unified = ({ from, kind, to }: Pair, key: string) =>
  kind === "same" ? (
    <tr key={key}>
      <Line kind="same" side={to} />
    </tr>
  ) : (
    [
      from && (
        <tr key={`${key} from`}>
          <Line kind="removed" side={from} other={to} />
        </tr>
      ),
      to && (
        <tr key={`${key} to`}>
          <Line kind="added" side={to} other={from} />
        </tr>
      )
    ]
  )

export const Parts = ({ isSplit, parts }: { readonly parts: ReadonlyArray<DiffPart>; readonly isSplit: boolean }) => {
  const rows = useMemo(() => stretches(parts), [parts])
  const [most, setMost] = useState(atOnce)
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const draw = isSplit ? split : unified
  const foldOf = ({ at, pairs }: Fold) => (
    <tr key={`fold ${at}`} class="fold">
      <td colSpan={isSplit ? 4 : 2}>
        <button type="button" class="more" onClick={() => setOpened(new Set([...opened, at]))}>
          {count(pairs.length)} lines that are the same
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
      <Wide kind={isSplit ? "diff split" : "diff"} label="Difference, line by line">
        <table>
          <colgroup>
            {(isSplit ? ["from", "from-text", "to", "to-text"] : ["line", "line-text"]).map((name) => (
              <col key={name} class={name.endsWith("text") ? "" : "numbers"} />
            ))}
          </colgroup>
          <tbody>{drawn.slice(0, most)}</tbody>
        </table>
      </Wide>
      {drawn.length > most && (
        <button type="button" class="press" onClick={() => setMost(most + atOnce)}>
          {count(drawn.length - most)} more lines
        </button>
      )}
    </>
  )
}
