/** A Postgres server for tests, where its programs are installed: one for each process of tests, with a schema for each test. */
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { postgres as binaries } from "./Needs.ts"

/** As it is before a test names another one. */
const temporary = tmpdir()

export const isHere = binaries !== undefined

/** Postgres refuses to run as root: root starts it as another user. */
const user = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const people = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const [, , uid, gid] =
    people.find(([name]) => name === "postgres") ?? people.find(([name]) => name === "nobody") ?? []
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) }
}

/** Ends when its standard input closes, for whatever reason, and removes its files. */
const script = `
"$1/initdb" -D "$2/data" -U postgres -A trust -E UTF8 --locale=C --no-sync --no-instructions >"$2/log" 2>&1 || exit 1
start() {
  "$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c fsync=off -c max_connections=200 \\
    -c shared_buffers=32MB -c log_min_messages=log >"$2/log" 2>&1 &
  until grep -q "ready to accept connections" "$2/log"; do kill -0 $! || exit 1; sleep 0.02; done
}
start "$1" "$2"
echo ready
while read -r word; do
  if [ "$word" = START ]; then start "$1" "$2"; else kill -s "$word" $!; wait $!; fi
  echo ready
done
kill -QUIT $! 2>/dev/null
wait $!
rm -rf "$2"
`

export interface Server {
  /** Its address; schemas are added by {@link place}. */
  readonly url: string
  /** Ends it: `INT` breaks connections, `QUIT` is a crash. */
  readonly end: (signal: "INT" | "QUIT") => Effect.Effect<void>
  /** Starts it again, on the same data. */
  readonly start: Effect.Effect<void>
  readonly restart: (signal: "INT" | "QUIT") => Effect.Effect<void>
}

const start = (): Promise<Server> =>
  new Promise((resolve, reject) => {
    const folder = mkdtempSync(join(temporary, "sluice-pg-"))
    const who = user()
    if (who.uid !== undefined && who.gid !== undefined) chownSync(folder, who.uid, who.gid)
    chmodSync(folder, 0o755)
    const child = spawn("sh", ["-c", script, "sh", binaries ?? "", folder], {
      ...who,
      cwd: folder,
      stdio: ["pipe", "pipe", "ignore"],
      // Ctrl-C is for the tests; the server ends with its input.
      detached: true
    })
    const said = () => new Promise<void>((done) => child.stdout.once("data", () => done()))
    child.once("exit", () => {
      reject(
        new Error(`Postgres did not start: ${existsSync(join(folder, "log")) ? readFileSync(join(folder, "log")) : ""}`)
      )
    })
    const tell = (word: string) =>
      Effect.promise(() => {
        const again = said()
        child.stdin.write(`${word}\n`)
        return again
      })
    said().then(() => {
      for (const each of [child, child.stdin, child.stdout] as ReadonlyArray<{ readonly unref?: () => void }>)
        each.unref?.()
      resolve({
        url: `postgres://postgres@/postgres?host=${folder}`,
        end: (signal) => tell(signal),
        start: tell("START"),
        restart: (signal) => Effect.zipRight(tell(signal), tell("START"))
      })
    })
  })

const shared = globalThis as { sluicePostgres?: Promise<Server> }

/** The server of this process of tests, started when it is first wanted. */
export const server: Effect.Effect<Server> = Effect.promise(() => {
  shared.sluicePostgres ??= start()
  return shared.sluicePostgres
})

/** A server of one's own, to be shut down at will. */
export const ownServer: Effect.Effect<Server> = Effect.promise(start)

/** The address of an empty schema, different for each test. */
export const place: Effect.Effect<string, never, Scope.Scope> = Effect.map(
  server,
  ({ url }) => `${url}&schema=t_${randomUUID().replaceAll("-", "")}`
)

/** Speaks to the schema of an address directly. */
export const client = (address: string) => {
  const url = new URLSearchParams(address.split("?")[1])
  const schema = url.get("schema") ?? "sluice"
  url.delete("schema")
  url.set("options", `-c search_path=${schema}`)
  return Layer.orDie(PgClient.layer({ url: Redacted.make(`${address.split("?")[0]}?${url}`), maxConnections: 2 }))
}
