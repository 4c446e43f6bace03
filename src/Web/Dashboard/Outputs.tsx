/** Tab "Outputs" of a run: its files as a folder tree, with the first rows and a profile of the selected file. */
import { useState } from "preact/hooks"
import { describePairs, pairRows, wordsOf } from "../../Row/PairRows.ts"
import { useFetch } from "./Api.ts"
import { Empty, Loaded, LongText, Table, Toggle, Value } from "./Components.tsx"
import { count, many, moment, percent, size } from "./Format.ts"
import { page, paths } from "./Protocol.ts"
import { type Route, setQuery, to } from "./Route.ts"
import type { ColumnProfile, OutputFile, OutputProfile, Preview, RunDetail } from "./RunProtocol.ts"

/** True for a date or time, which browsers would wrap at its hyphens. */
const isTime = (value: unknown): boolean =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d(T[\d:.]+\S{0,6})?$/.test(value)

const NoRows = ({ title, why }: { readonly title: string; readonly why: string }) => (
  <Empty title={title}>
    <p>{why}</p>
  </Empty>
)

interface OutputProps {
  readonly run: string
  readonly number: number
}

const Rows = ({ number, run }: OutputProps) => {
  const asked = useFetch<Preview>(paths.preview, { id: run, number, rows: 100 })
  return (
    <Loaded asked={asked}>
      {({ columns, isCut, rows, why }) =>
        why !== undefined ? (
          <NoRows title="No preview" why={why} />
        ) : (
          <>
            <Table kind="preview" label="First rows" columns={columns}>
              {rows.map((row, index) => (
                <tr key={index}>
                  {columns.map((column, at) => (
                    <td key={column} class={isTime(row[at]) ? "when" : undefined}>
                      <Value value={row[at]} />
                    </td>
                  ))}
                </tr>
              ))}
            </Table>
            <p class="dim">{isCut ? `The first ${many(rows.length, "row")}.` : `All ${many(rows.length, "row")}.`}</p>
          </>
        )
      }
    </Loaded>
  )
}

interface CompareProps extends OutputProps {
  readonly good: NonNullable<RunDetail["lastGood"]>
}

/** Text of a changed cell: tells an empty string from a missing value. */
const textOf = (cell: string | null | undefined): string => (cell === "" ? '""' : (cell ?? "—"))

/** Shows the rows of a held output next to those of the last good run. */
const Beside = ({ good, number, run }: CompareProps) => {
  const asked = useFetch<Preview>(paths.preview, { id: run, number, rows: page.most })
  const earlier = useFetch<Preview>(paths.preview, { id: good.id, number: good.outputs[number] ?? 0, rows: page.most })
  return (
    <Loaded asked={asked}>
      {(now) => (
        <Loaded asked={earlier}>
          {(before) => {
            const why = now.why ?? before.why
            if (why !== undefined) return <NoRows title="No comparison" why={why} />
            const { columns, key, pairs } = pairRows(now, before)
            const words = wordsOf(now, before)
            return (
              <>
                <p class="dim">
                  {describePairs(pairs, words)}, compared with the good run of{" "}
                  <a href={to(["runs", good.id])}>{moment(good.startedAt)}</a>
                  {key === undefined ? " row by row" : ` by ${key}`}
                  {(now.isCut || before.isCut) && `; the first ${count(page.most)} rows of each`}.
                </p>
                <Table kind="preview" label="Rows beside those of the last good run" columns={["", ...columns]}>
                  {pairs.map(({ before, cells, kind }, index) => (
                    <tr key={index} data-kind={kind}>
                      <th scope="row">{words[kind]}</th>
                      {columns.map((column, at) => (
                        <td key={column}>
                          {before !== undefined && before[at] !== cells[at] ? (
                            <>
                              <del>{textOf(before[at])}</del> <ins>{textOf(cells[at])}</ins>
                            </>
                          ) : (
                            <Value value={cells[at]} />
                          )}
                        </td>
                      ))}
                    </tr>
                  ))}
                </Table>
              </>
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

const exact = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 12 })

/** `2 to 9`; a single number if both are equal. */
const between = ({ greatest, least }: { readonly least: number; readonly greatest: number }): string =>
  least === greatest ? exact.format(least) : `${exact.format(least)} to ${exact.format(greatest)}`

/** Text with the range of the numbers, or of the lengths of the strings. */
const rangeOf = ({ lengths, range }: ColumnProfile): string =>
  [
    ...(range === undefined ? [] : [between(range)]),
    ...(lengths === undefined ? [] : [`${between(lengths)} ${lengths.greatest === 1 ? "character" : "characters"}`])
  ].join("; ")

const typesOf = ({ filled, types }: ColumnProfile): string =>
  types.map(({ rows, type }) => (types.length === 1 ? type : `${type} ${percent(rows / filled)}`)).join(", ")

const Profile = ({ number, run }: OutputProps) => {
  const asked = useFetch<OutputProfile>(paths.profile, { id: run, number })
  return (
    <Loaded asked={asked}>
      {({ columns, isCut, rows, why }) =>
        why !== undefined ? (
          <NoRows title="No profile" why={why} />
        ) : (
          <>
            <Table
              kind="preview profile"
              label="Profile of the columns"
              columns={["Column", "Filled", "Types", "Distinct", "Range", "Most frequent"]}
            >
              {columns.map((column) => (
                <tr key={column.name}>
                  <th scope="row">{column.name}</th>
                  <td class="number">
                    <meter min={0} max={rows} value={column.filled} aria-label={`Rows with ${column.name}`} />{" "}
                    {percent(column.filled / rows)}
                  </td>
                  <td>{typesOf(column)}</td>
                  <td class="number">
                    {count(column.distinct)}
                    {column.hasMore && "+"}
                  </td>
                  <td class="number">{rangeOf(column)}</td>
                  <td>
                    {column.top.map(({ rows, value }) => (
                      <div key={value}>
                        <LongText text={value} limit={60} /> <small>{count(rows)}</small>
                      </div>
                    ))}
                  </td>
                </tr>
              ))}
            </Table>
            <p class="dim">{isCut ? `Over the first ${many(rows, "row")}.` : `Over all ${many(rows, "row")}.`}</p>
          </>
        )
      }
    </Loaded>
  )
}

/** Path below the run's output folder, so that partitions have different names; for a file outside of it, the whole path. */
const nameOf = ({ path }: OutputFile, folder: string): string => {
  const isBelow = path.startsWith(folder) && /^[/\\]/.test(path.slice(folder.length))
  return isBelow ? path.slice(folder.length + 1) : path
}

interface Folder {
  readonly name: string
  readonly folders: ReadonlyArray<Folder>
  readonly files: ReadonlyArray<{ readonly name: string; readonly output: OutputFile }>
  /** Outputs of all files below the folder. */
  readonly outputs: ReadonlyArray<OutputFile>
}

interface Entry {
  /** Path segments below the current folder, ending with the file. */
  readonly parts: ReadonlyArray<string>
  readonly output: OutputFile
}

/** Tree of the entries. A folder that contains only one folder or file shares its line. */
const folderOf = (name: string, entries: ReadonlyArray<Entry>): Folder => {
  const below = new Map<string, Array<Entry>>()
  const files: Array<Folder["files"][number]> = []
  for (const { output, parts } of entries) {
    const [first = "", ...rest] = parts
    if (rest.length === 0) {
      files.push({ name: first, output })
      continue
    }
    const inside = below.get(first)
    if (inside === undefined) below.set(first, [{ parts: rest, output }])
    else inside.push({ parts: rest, output })
  }
  const folders: Array<Folder> = []
  for (const [name, inside] of below) {
    const [only] = inside
    // A folder with one file shares its line.
    if (only !== undefined && inside.length === 1)
      files.push({ name: [name, ...only.parts].join("/"), output: only.output })
    else folders.push(folderOf(name, inside))
  }
  const [only] = folders
  return only !== undefined && folders.length === 1 && files.length === 0 && name !== ""
    ? { ...only, name: `${name}/${only.name}` }
    : { name, folders, files, outputs: entries.map(({ output }) => output) }
}

const treeOf = (run: RunDetail): Folder =>
  folderOf(
    "",
    run.outputs.map((output) => {
      const [first = "", ...rest] = nameOf(output, run.out).split(/[/\\]/)
      // The path of a file outside the output folder begins with a separator.
      return {
        output,
        parts: first === "" && rest[0] !== undefined ? [`/${rest[0]}`, ...rest.slice(1)] : [first, ...rest]
      }
    })
  )

/** A folder with more entries than this is closed at first. */
const maxOpen = 20
const filesPerPress = 200

const sum = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0)

interface TreeProps {
  readonly folder: Folder
  readonly chosen: number
  readonly choose: (output: number) => void
}

const Tree = ({ choose, chosen, folder }: TreeProps) => {
  const [most, setMost] = useState(filesPerPress)
  return (
    <ul>
      {folder.folders.slice(0, most).map((each) => (
        <li key={each.name}>
          <Branch folder={each} chosen={chosen} choose={choose} />
        </li>
      ))}
      {folder.files.slice(0, most).map(({ name, output }) => (
        <li key={output.number}>
          <button
            type="button"
            aria-pressed={output.number === chosen}
            title={output.path}
            onClick={() => choose(output.number)}
          >
            <b>{name}</b>
            <small>
              {output.format} · {many(output.rows, "row")} · {size(output.bytes)}
            </small>
          </button>
        </li>
      ))}
      {Math.max(folder.folders.length, folder.files.length) > most && (
        <li>
          <button type="button" class="more" onClick={() => setMost(most + filesPerPress)}>
            Show more of {count(folder.folders.length + folder.files.length)}
          </button>
        </li>
      )}
    </ul>
  )
}

const Branch = ({ choose, chosen, folder }: TreeProps) => {
  const { files, folders, name, outputs } = folder
  const hasChosen = outputs.some(({ number }) => number === chosen)
  const [isOpen, setOpen] = useState(hasChosen || files.length + folders.length <= maxOpen)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <b>{name}/</b>{" "}
        <small>
          {many(outputs.length, "file")} · {many(sum(outputs.map(({ rows }) => rows)), "row")} ·{" "}
          {size(sum(outputs.map(({ bytes }) => bytes)))}
        </small>
      </summary>
      {isOpen && <Tree folder={folder} chosen={chosen} choose={choose} />}
    </details>
  )
}

type View = "beside" | "rows" | "profile"

export const Outputs = ({ route, run }: { readonly run: RunDetail; readonly route: Route }) => {
  const chosen = Number(route.query.get("output") ?? run.outputs[0]?.number ?? 0)
  const good = run.lastGood?.outputs[chosen] === undefined ? undefined : run.lastGood
  const views: ReadonlyArray<readonly [View, string]> = [
    ...(good === undefined ? [] : [["beside", "Beside the last good run"] as const]),
    ["rows", "Rows"],
    ["profile", "Profile"]
  ]
  const [first] = views
  const view = views.find(([name]) => name === route.query.get("view"))?.[0] ?? first?.[0]
  if (run.outputs.length === 0) {
    return (
      <Empty title="No outputs">
        <p>Files are published when a run completes.</p>
      </Empty>
    )
  }
  return (
    <>
      <nav class="tree card" aria-label="Outputs">
        <Tree folder={treeOf(run)} chosen={chosen} choose={(output) => setQuery(route, { output: String(output) })} />
      </nav>
      <div class="top">
        <code class="dim">{run.outputs.find(({ number }) => number === chosen)?.path}</code>
        <Toggle
          label="View"
          value={view ?? "rows"}
          sides={views}
          choose={(side) => setQuery(route, { view: side === first?.[0] ? undefined : side })}
        />
      </div>
      {view === "beside" && good !== undefined ? (
        <Beside key={chosen} run={run.id} number={chosen} good={good} />
      ) : view === "rows" ? (
        <Rows key={chosen} run={run.id} number={chosen} />
      ) : (
        <Profile key={chosen} run={run.id} number={chosen} />
      )}
    </>
  )
}
