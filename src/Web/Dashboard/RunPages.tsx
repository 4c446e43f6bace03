/** The pages that a run has asked for, in its order. */
import { moment } from "./Format.ts"
import { List } from "./List.tsx"
import { useMore } from "./More.ts"
import type { PageVersion, RunPages as Piece } from "./Protocol/Pages.ts"
import { paths } from "./Protocol.ts"
import { go, to } from "./Route.ts"
import { Empty, Wrong } from "./Shown.tsx"

/** What became of an attempt: a sign, a colour and the status. */
export const Outcome = ({ page: { error, status } }: { readonly page: PageVersion }) => {
  const isBad = error !== undefined || (status ?? 0) >= 400
  return (
    <span class="outcome" data-tone={isBad ? "bad" : "good"} title={error}>
      {isBad ? "✕" : "✓"} {status ?? (isBad ? "failed" : "")}
    </span>
  )
}

export const priceOf = ({ credits, price }: PageVersion): string =>
  price === "unknown" ? "?" : price === "shared" ? "shared" : credits === undefined ? "" : String(credits)

const head = ["Status", "Page", "Step", "At", "Credits"]

export const RunPages = ({ run }: { readonly run: string }) => {
  const { again, hasMore, isAsking, more, pieces, refusal } = useMore<Piece>(paths.runPages, { id: run, limit: 200 })
  const pages = pieces.flatMap((piece) => piece.pages)
  if (refusal !== undefined) return <Wrong refusal={refusal} again={again} />
  if (!isAsking && pages.length === 0) {
    return (
      <Empty title="It has asked for no pages">
        <p>Pages stand here when their answers have come.</p>
      </Empty>
    )
  }
  return (
    <List
      kind="attempts"
      label="Pages of the run"
      head={head}
      count={pages.length + (hasMore ? 10 : 0)}
      cells={(index) => {
        const page = pages[index]
        return page === undefined
          ? undefined
          : [
              <Outcome key="outcome" page={page} />,
              <a key="page" class="name" href={to(["pages"], { key: page.key })} tabIndex={-1} title={page.key}>
                {page.key}
              </a>,
              page.step,
              moment(page.at),
              priceOf(page)
            ]
      }}
      open={(index) => {
        const page = pages[index]
        if (page !== undefined) go(["pages"], { key: page.key })
      }}
      seen={(_, last) => {
        if (hasMore && last > pages.length - 40) more()
      }}
    />
  )
}
