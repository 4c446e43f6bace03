/** All pages that runs have met: found by words of their addresses. */
import { serverNow } from "./Feed.ts"
import { away, count, many, moment, span } from "./Format.ts"
import { List } from "./List.tsx"
import { useMore } from "./More.ts"
import type { PageList } from "./Protocol/Pages.ts"
import { paths } from "./Protocol.ts"
import { go, narrow, type Route, to } from "./Route.ts"
import { Outcome } from "./RunPages.tsx"
import { Search } from "./Search.tsx"
import { Empty, Wrong } from "./Shown.tsx"

const head = ["Status", "Page", "Last seen", "Attempts", "Run"]

export const Pages = ({ route }: { readonly route: Route }) => {
  const text = route.query.get("text") ?? ""
  const { again, hasMore, isAsking, more, pieces, refusal } = useMore<PageList>(paths.pages, { text, limit: 100 })
  const pages = pieces.flatMap((piece) => piece.pages)
  const isPartial = pieces.at(-1)?.isPartial === true
  const now = serverNow()
  return (
    <section class="screen fill">
      <div class="top">
        <h1>Pages</h1>
        <div class="filters">
          <Search label="Words of the address" value={text} change={(next) => narrow(route, { text: next })} />
        </div>
        <p class="dim" role="status">
          {isAsking
            ? "Searching …"
            : `${count(pages.length)}${hasMore ? "+" : ""} found in ${span(pieces.reduce((sum, { took }) => sum + took, 0))}`}
        </p>
      </div>
      {refusal !== undefined && <Wrong refusal={refusal} again={again} />}
      {isPartial && !isAsking && (
        <p class="banner" data-tone="warn">
          The search was cut short for its time.{" "}
          <button type="button" class="press" onClick={more}>
            Go on searching
          </button>
        </p>
      )}
      {!isAsking && pages.length === 0 && !isPartial && refusal === undefined ? (
        <Empty title={text === "" ? "No run has asked for a page yet" : "No page has all these words"}>
          <p>Words may stand anywhere in an address, in any order.</p>
        </Empty>
      ) : (
        <List
          kind="ledger"
          label={`Pages${text === "" ? "" : ` with ${text}`}`}
          head={head}
          count={pages.length + (hasMore && !isPartial ? 10 : 0)}
          cells={(index) => {
            const page = pages[index]
            return page === undefined
              ? undefined
              : [
                  <Outcome key="outcome" page={page.last} />,
                  <a key="page" class="name" href={to(["pages"], { key: page.key })} tabIndex={-1} title={page.key}>
                    {page.key}
                  </a>,
                  <time key="seen" title={moment(page.lastSeen)}>
                    {away(page.lastSeen, now)}
                  </time>,
                  <span key="attempts" title={many(page.attempts, "attempt")}>
                    {count(page.attempts)}
                  </span>,
                  <a key="run" class="id" href={to(["runs", page.last.run])} tabIndex={-1}>
                    {page.last.run}
                  </a>
                ]
          }}
          open={(index) => {
            const page = pages[index]
            if (page !== undefined) go(["pages"], { key: page.key })
          }}
          seen={(_, last) => {
            if (hasMore && !isPartial && last > pages.length - 40) more()
          }}
        />
      )}
    </section>
  )
}
