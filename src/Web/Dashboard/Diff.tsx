/** What differs between two versions of a page: side by side, or one below the other. */
import { useState } from "preact/hooks"
import { useAsk } from "./Ask.ts"
import { Parts } from "./DiffLines.tsx"
import { moment } from "./Format.ts"
import type { PageDiff } from "./Protocol/Pages.ts"
import { paths } from "./Protocol.ts"
import { narrow, type Route } from "./Route.ts"
import { Shown } from "./Shown.tsx"
import { Toggle } from "./Wide.tsx"

const Contents = ({ diff, isSplit }: { readonly diff: PageDiff; readonly isSplit: boolean }) => {
  if (diff.parts === null) {
    return (
      <p class="dim">
        {diff.isSame === true
          ? "The contents are the same by their hashes."
          : `The contents ${diff.isSame === false ? "differ by their hashes, and " : ""}cannot be compared line by line: ${diff.why ?? "they are not there any more."}`}
      </p>
    )
  }
  if (diff.parts.every(({ kind }) => kind === "same"))
    return <p class="dim">The contents are the same, line by line.</p>
  return <Parts parts={diff.parts} isSplit={isSplit} />
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
  const asked = useAsk<PageDiff>(paths.diff, { key: pageKey, from, to })
  // Where there is no room for two, one below the other is what one wants.
  const [isSplit, setSplit] = useState(
    (route.query.get("view") ?? (innerWidth < 800 ? "unified" : "split")) === "split"
  )
  const choose = (view: "split" | "unified") => {
    setSplit(view === "split")
    narrow(route, { view })
  }
  return (
    <section class="card">
      <div class="top">
        <h2>What differs</h2>
        <Toggle label="How it is shown" value={isSplit ? "split" : "unified"} sides={views} choose={choose} />
      </div>
      <Shown asked={asked}>
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
              <dl class="pairs">
                {diff.fields.map((field) => (
                  <div key={field.name}>
                    <dt>{field.name}</dt>
                    <dd>
                      <del>{field.from ?? "—"}</del> → <ins>{field.to ?? "—"}</ins>
                    </dd>
                  </div>
                ))}
              </dl>
            )}
            <Contents diff={diff} isSplit={isSplit} />
          </>
        )}
      </Shown>
    </section>
  )
}
