/** Screens of the page ledger: search over all pages, the versions of one page, and the pages of one run. */

import { useMore } from "./Api.ts"
import { Back, Banner, Empty, ErrorBanner, ExternalLink, LongText, Press, Search, Table } from "./Components.tsx"
import { Diff } from "./Diff.tsx"
import { serverNow } from "./EventStream.ts"
import { count, many, moment, relative, span } from "./Format.ts"
import { List } from "./List.tsx"
import { paths } from "./Protocol.ts"
import { go, type Route, setQuery, to } from "./Route.ts"
import type { PageList, PageVersion, PageVersions, RunPages as Piece } from "./RunProtocol.ts"

const pageColumns = ["Status", "Page", "Last seen", "Attempts", "Run"]

/** Characters at the end of an address that always stay visible. */
const endLength = 18

/** An address on one line. If it does not fit, its middle is cut, because the addresses of a site begin alike. */
const PageLink = ({ address }: { readonly address: string }) => (
  <a class="name shortened" href={to(["pages"], { key: address })} tabIndex={-1} title={address} aria-label={address}>
    <span>{address.slice(0, -endLength)}</span>
    <span>{address.slice(-endLength)}</span>
  </a>
)

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
          <Search label="Search URLs" value={text} change={(next) => setQuery(route, { text: next })} />
        </div>
        <p class="dim" role="status">
          {isAsking
            ? "Searching …"
            : `${count(pages.length)}${hasMore ? "+" : ""} found in ${span(pieces.reduce((sum, { took }) => sum + took, 0))}`}
        </p>
      </div>
      {refusal !== undefined && <ErrorBanner refusal={refusal} again={again} />}
      {isPartial && !isAsking && (
        <Banner tone="warn">
          The search ran out of time. <Press act={more}>Continue</Press>
        </Banner>
      )}
      {!isAsking && pages.length === 0 && !isPartial && refusal === undefined ? (
        <Empty title={text === "" ? "No pages yet" : "No page matches"}>
          <p>
            {text === ""
              ? "Pages appear when runs request them."
              : "The search finds URLs that contain all words, in any order."}
          </p>
        </Empty>
      ) : (
        <List
          kind="ledger"
          label={`Pages${text === "" ? "" : ` with ${text}`}`}
          head={pageColumns}
          rows={pages}
          more={hasMore && !isPartial ? 10 : 0}
          cells={(page) => [
            <Outcome key="outcome" page={page.last} />,
            <PageLink key="page" address={page.key} />,
            <time key="seen" title={moment(page.lastSeen)}>
              {relative(page.lastSeen, now)}
            </time>,
            <span key="attempts" title={many(page.attempts, "attempt")}>
              {count(page.attempts)}
            </span>,
            <a key="run" class="id" href={to(["runs", page.last.run])} tabIndex={-1}>
              {page.last.run}
            </a>
          ]}
          open={({ key }) => go(["pages"], { key })}
          seen={(last) => {
            if (hasMore && !isPartial && last > pages.length - 40) more()
          }}
        />
      )}
    </section>
  )
}

const versionId = ({ number, run }: PageVersion): string => `${run}:${number}`

interface VersionsProps {
  readonly versions: ReadonlyArray<PageVersion>
  readonly route: Route
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Letter for each distinct content of a page, by its hash. */
const letters = (versions: ReadonlyArray<PageVersion>): ReadonlyMap<string, string> => {
  const known = new Map<string, string>()
  for (const { hash } of versions.toReversed()) {
    if (hash !== undefined && !known.has(hash))
      known.set(hash, known.size < 26 ? String.fromCharCode(65 + known.size) : hash.slice(0, 4))
  }
  return known
}

const Versions = ({ from, route, to: until, versions }: VersionsProps) => {
  const known = letters(versions)
  const isPair = versions.length > 1
  const choice = (side: "from" | "to", version: PageVersion) => (
    <input
      type="radio"
      name={side}
      aria-label={`${side === "from" ? "Compare" : "with"} ${moment(version.at)}`}
      checked={(side === "from" ? from : until) === versionId(version)}
      onChange={() => setQuery(route, { [side]: versionId(version) })}
    />
  )
  return (
    <Table
      kind="versions"
      label="Versions"
      columns={[...(isPair ? ["From", "To"] : []), "At", "Status", "Content", "Step", "Credits", "Run"]}
    >
      {versions.map((version) => (
        <tr key={versionId(version)}>
          {isPair && <td>{choice("from", version)}</td>}
          {isPair && <td>{choice("to", version)}</td>}
          <td class="when">{moment(version.at)}</td>
          <td>
            <Outcome page={version} />
            {version.error !== undefined && (
              <span class="wrong">
                {" "}
                <LongText text={version.error} limit={120} />
              </span>
            )}
          </td>
          <td>
            {version.hash === undefined ? (
              <span class="nothing">—</span>
            ) : (
              <code title={version.hash}>{known.get(version.hash)}</code>
            )}
          </td>
          <td>{version.step}</td>
          <td>{priceOf(version)}</td>
          <td>
            <a href={to(["runs", version.run])}>{version.run}</a>
          </td>
        </tr>
      ))}
    </Table>
  )
}

export const Page = ({ route }: { readonly route: Route }) => {
  const key = route.query.get("key") ?? ""
  const { again, hasMore, isAsking, more, pieces, refusal } = useMore<PageVersions>(paths.page, { key })
  const versions = pieces.flatMap((piece) => piece.versions)
  const [first] = pieces
  // If no two versions differ in content, the two latest attempts are compared.
  const [newer, older] = versions
  const from = route.query.get("from") ?? first?.compare?.from ?? (older && versionId(older))
  const until = route.query.get("to") ?? first?.compare?.to ?? (newer && versionId(newer))
  return (
    <section class="screen">
      <Back href={to(["pages"])}>Pages</Back>
      <h1 class="address">
        <ExternalLink address={key} />
      </h1>
      {refusal !== undefined && <ErrorBanner refusal={refusal} again={again} />}
      {first !== undefined && (
        <p class="dim">
          {many(first.attempts, "attempt")}
          {first.firstSeen !== undefined && `, first seen ${moment(first.firstSeen)}`}
          {first.lastSeen !== undefined && `, last seen ${moment(first.lastSeen)}`}
        </p>
      )}
      {first !== undefined && versions.length === 0 && (
        <Empty title="No attempts at this page">
          <p>The row failed before its page was requested, or it was built from other rows.</p>
        </Empty>
      )}
      {versions.length > 0 && <Versions versions={versions} route={route} from={from} to={until} />}
      {hasMore && (
        <Press act={more} isOff={isAsking}>
          Show older versions
        </Press>
      )}
      {from !== undefined && until !== undefined && versions.length > 1 && (
        <Diff route={route} pageKey={key} from={from} to={until} />
      )}
    </section>
  )
}

/** Outcome of an attempt: icon, colour and HTTP status. */
const Outcome = ({ page: { error, status } }: { readonly page: PageVersion }) => {
  const isBad = error !== undefined || (status ?? 0) >= 400
  return (
    <span class="outcome" data-tone={isBad ? "bad" : "good"} title={error}>
      {isBad ? "✕" : "✓"} {status ?? (isBad ? "failed" : "")}
    </span>
  )
}

const priceOf = ({ credits, price }: PageVersion): string =>
  price === "unknown" ? "?" : price === "shared" ? "shared" : credits === undefined ? "" : String(credits)

const attemptColumns = ["Status", "Page", "Step", "At", "Credits"]

export const RunPages = ({ run }: { readonly run: string }) => {
  const { again, hasMore, isAsking, more, pieces, refusal } = useMore<Piece>(paths.runPages, { id: run, limit: 200 })
  const pages = pieces.flatMap((piece) => piece.pages)
  if (refusal !== undefined) return <ErrorBanner refusal={refusal} again={again} />
  if (!isAsking && pages.length === 0) {
    return (
      <Empty title="No pages">
        <p>The run has not read any pages.</p>
      </Empty>
    )
  }
  return (
    <List
      kind="attempts"
      label="Pages of the run"
      head={attemptColumns}
      rows={pages}
      more={hasMore ? 10 : 0}
      cells={(page) => [
        <Outcome key="outcome" page={page} />,
        <PageLink key="page" address={page.key} />,
        page.step,
        moment(page.at),
        priceOf(page)
      ]}
      open={({ key }) => go(["pages"], { key })}
      seen={(last) => {
        if (hasMore && last > pages.length - 40) more()
      }}
    />
  )
}
