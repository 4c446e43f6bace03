/** One page as runs have met it, and what differs between two of these times. */
import { Diff } from "./Diff.tsx"
import { many, moment } from "./Format.ts"
import { Icon } from "./Icon.tsx"
import { useMore } from "./More.ts"
import type { PageVersion, PageVersions } from "./Protocol/Pages.ts"
import { paths } from "./Protocol.ts"
import { narrow, type Route, to } from "./Route.ts"
import { Outcome, priceOf } from "./RunPages.tsx"
import { Empty, Wrong } from "./Shown.tsx"
import { Away, Long } from "./Value.tsx"
import { Wide } from "./Wide.tsx"

const nameOf = ({ number, run }: PageVersion): string => `${run}:${number}`

interface VersionsProps {
  readonly versions: ReadonlyArray<PageVersion>
  readonly route: Route
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Contents that are the same have the same letter. */
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
      checked={(side === "from" ? from : until) === nameOf(version)}
      onChange={() => narrow(route, { [side]: nameOf(version) })}
    />
  )
  return (
    <Wide kind="versions" label="Versions">
      <table>
        <thead>
          <tr>
            {[...(isPair ? ["From", "To"] : []), "At", "Status", "Content", "Step", "Credits", "Run"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <tr key={nameOf(version)}>
              {isPair && <td>{choice("from", version)}</td>}
              {isPair && <td>{choice("to", version)}</td>}
              <td class="when">{moment(version.at)}</td>
              <td>
                <Outcome page={version} />
                {version.error !== undefined && (
                  <span class="wrong">
                    {" "}
                    <Long text={version.error} limit={120} />
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
        </tbody>
      </table>
    </Wide>
  )
}

/** The newest two that went well, else the newest two: older one first. */
const pairOf = (versions: ReadonlyArray<PageVersion>): readonly [PageVersion | undefined, PageVersion | undefined] => {
  const good = versions.filter(({ hash }) => hash !== undefined)
  const [newest] = good
  // Two that are the same tell less than two that are not.
  const other = good.find(({ hash }) => hash !== newest?.hash) ?? good[1]
  return newest !== undefined && other !== undefined ? [other, newest] : [versions[1], versions[0]]
}

export const Page = ({ route }: { readonly route: Route }) => {
  const key = route.query.get("key") ?? ""
  const { again, hasMore, isAsking, more, pieces, refusal } = useMore<PageVersions>(paths.page, { key })
  const versions = pieces.flatMap((piece) => piece.versions)
  const [older, newer] = pairOf(versions)
  const from = route.query.get("from") ?? (older && nameOf(older))
  const until = route.query.get("to") ?? (newer && nameOf(newer))
  const [first] = pieces
  return (
    <section class="screen">
      <p class="trail">
        <a href={to(["pages"])}>
          <Icon name="back" size={14} /> Pages
        </a>
      </p>
      <h1 class="address">
        <Away address={key} />
      </h1>
      {refusal !== undefined && <Wrong refusal={refusal} again={again} />}
      {first !== undefined && (
        <p class="dim">
          {many(first.attempts, "attempt")}
          {first.firstSeen !== undefined && `, first seen ${moment(first.firstSeen)}`}
          {first.lastSeen !== undefined && `, last seen ${moment(first.lastSeen)}`}
        </p>
      )}
      {first !== undefined && versions.length === 0 && (
        <Empty title="No run has met this page">
          <p>
            A row that failed before its page was asked for has none, and one that was made of others has another name.
          </p>
        </Empty>
      )}
      {versions.length > 0 && <Versions versions={versions} route={route} from={from} to={until} />}
      {hasMore && (
        <button type="button" class="press" disabled={isAsking} onClick={more}>
          Older ones
        </button>
      )}
      {from !== undefined && until !== undefined && versions.length > 1 && (
        <Diff route={route} pageKey={key} from={from} to={until} />
      )}
    </section>
  )
}
