/**
 * Forward proxy on loopback, the only way out of a browser: checks every address as a fetch does, and accepts connections of its
 * own user only.
 */
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Http from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { type Duplex, Transform } from "node:stream"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Agent } from "undici"
import { canParse } from "../../Api/Url.ts"
import { safely } from "../../Callback.ts"
import * as Dispatcher from "../Fetch/Dispatcher.ts"
import { connectionFailure, isDropped } from "../Fetch/FetchFailure.ts"
import { type Guard, refuseHost } from "../Fetch/Guard.ts"
import { askingFor } from "../Fetch/Names.ts"
import { Owner } from "../Shares.ts"
import {
  type Account,
  type Allowance,
  count,
  type Failure,
  hold,
  note,
  account as opened,
  type Pass,
  placeOf,
  portOf,
  refuse
} from "./Account.ts"

export interface Gateway {
  /** `host:port`. */
  readonly address: string
  readonly open: (allowance: Allowance) => Effect.Effect<Pass, never, Scope.Scope>
}

const connectionHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

/** Names and values in turn, without those that concern one connection only. */
const forwarded = (raw: ReadonlyArray<string>): Array<string> => {
  const kept: Array<string> = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string
    if (!connectionHeaders.has(name.toLowerCase())) kept.push(name, raw[at + 1] as string)
  }
  return kept
}

const statusOf = (failure: Failure): number => (failure._tag === "Forbidden" ? 403 : 502)

/** What passes is counted. */
const counted = (account: Account) =>
  new Transform({
    transform: (chunk: Buffer, _, done) => {
      count(account, chunk.length)
      done(null, chunk)
    }
  })

interface Outlets {
  readonly strict: Agent
  readonly lax: Agent
}

/** Passes on one plain request; https comes as a tunnel. */
const forward = (request: Http.IncomingMessage, response: Http.ServerResponse, account: Account, out: Outlets) => {
  const url = new URL(request.url ?? "")
  const { method = "GET" } = request
  const isRead = method === "GET" || method === "HEAD"
  const abort = new AbortController()
  response.once(
    "close",
    safely(() => abort.abort())
  )
  const body = isRead ? null : request.pipe(counted(account))
  const ask = () =>
    (account.allowance.skipTlsVerification ? out.lax : out.strict).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as "GET",
      headers: forwarded(request.rawHeaders),
      body,
      signal: abort.signal,
      responseHeaders: "raw"
    })
  // Nothing was answered yet, and reading may be asked for again.
  const again = (cause: unknown) => (isRead && isDropped(cause) ? ask() : Promise.reject(cause))
  return askingFor(account.team, ask)
    .catch(again)
    .catch(again)
    .then(({ body, headers, statusCode }) => {
      account.failures.delete(url.href)
      response.writeHead(statusCode, forwarded(Array.isArray(headers) ? headers : []))
      body.on(
        "data",
        safely(
          (chunk: Buffer) => count(account, chunk.length),
          () => response.destroy()
        )
      )
      body.on(
        "error",
        safely(() => response.destroy())
      )
      body.pipe(response)
    })
}

/** The socket of a tunnel. */
const establish = (url: URL, connect: ReturnType<typeof Dispatcher.guardedConnector>) =>
  new Promise<Socket>((resolve, reject) => {
    // Brackets belong to addresses as they are written, not as they are dialled.
    const hostname = url.hostname.replace(/^\[|\]$/g, "")
    connect({ hostname, host: url.host, protocol: "http:", port: String(portOf(url)) }, (...[error, socket]) =>
      error === null ? resolve(socket) : reject(error)
    )
  })

/** Joins two ends and counts what passes. */
const join = (client: Duplex, server: Socket, account: Account) => {
  hold(account, server)
  for (const [from, to] of [
    [client, server],
    [server, client]
  ] as const) {
    from.on(
      "data",
      safely(
        (chunk: Buffer) => count(account, chunk.length),
        () => to.destroy()
      )
    )
    from.on(
      "error",
      safely(
        () => to.destroy(),
        () => to.destroy()
      )
    )
    from.on(
      "close",
      safely(
        () => to.destroy(),
        () => to.destroy()
      )
    )
    from.pipe(to)
  }
}

/**
 * Serves for as long as the scope is open; who may use it is decided pass by pass. With an allowance, or for a single pass,
 * it is not asked for and serves the programs of its own user only, where the system tells whose they are.
 */
export const make = (
  guard: Context.Tag.Service<typeof Guard>,
  allowance?: Allowance | "single"
): Effect.Effect<Gateway, never, Scope.Scope> =>
  Effect.gen(function* () {
    const out: Outlets = {
      strict: yield* Dispatcher.makeAgent(guard.openings, { verifyTls: true }),
      lax: yield* Dispatcher.makeAgent(guard.openings, { verifyTls: false })
    }
    const connect = Dispatcher.guardedConnector(guard.openings, true, yield* Dispatcher.outside)
    const accounts = new Map<string, Account>()
    const own = allowance === undefined || allowance === "single" ? undefined : opened(allowance, yield* Owner)
    if (own !== undefined) accounts.set("", own)

    const accountOf = ({ headers }: Http.IncomingMessage): Account | undefined =>
      own ??
      (allowance === "single" ? accounts.values().next().value : accounts.get(headers["proxy-authorization"] ?? ""))

    const onRequest = (request: Http.IncomingMessage, response: Http.ServerResponse) => {
      const account = accountOf(request)
      if (account === undefined) {
        response.writeHead(407, { "proxy-authenticate": 'Basic realm="gateway"', "content-length": 0 }).end()
        return
      }
      if (!canParse(request.url ?? "") || !/^https?:/i.test(request.url ?? "")) {
        response.writeHead(400, { "content-length": 0 }).end()
        return
      }
      const url = new URL(request.url ?? "")
      const end = (status: number) => {
        if (response.headersSent) response.destroy()
        else response.writeHead(status, { "content-length": 0 }).end()
      }
      const unwilling = refuse(account, url)
      if (unwilling !== undefined) return end(unwilling)
      hold(account, request.socket)
      const literal = refuseHost(url.hostname, portOf(url), guard.openings)
      if (literal !== undefined) {
        note(account, url.href, literal)
        return end(403)
      }
      void forward(request, response, account, out).catch((cause) => {
        const failure = connectionFailure(url, cause)
        if (!response.destroyed) note(account, url.href, failure)
        end(statusOf(failure))
      })
    }

    const onConnect = (request: Http.IncomingMessage, client: Duplex, head: Buffer) => {
      client.on(
        "error",
        safely(() => client.destroy())
      )
      const answer = (status: number, headers = "") =>
        client.end(`HTTP/1.1 ${status} ${Http.STATUS_CODES[status]}\r\n${headers}content-length: 0\r\n\r\n`)
      const account = accountOf(request)
      if (account === undefined) return answer(407, 'proxy-authenticate: Basic realm="gateway"\r\n')
      if (!canParse(`https://${request.url}`)) return answer(400)
      const url = new URL(`https://${request.url}`)
      const unwilling = refuse(account, url)
      if (unwilling !== undefined) return answer(unwilling)
      hold(account, client)
      void askingFor(account.team, () => establish(url, connect)).then(
        (server) => {
          if (client.destroyed) return server.destroy()
          account.failures.delete(placeOf(url))
          client.write("HTTP/1.1 200 Connection established\r\n\r\n")
          if (head.length > 0) server.write(head)
          return join(client, server, account)
        },
        (cause) => {
          const failure = connectionFailure(url, cause)
          note(account, placeOf(url), failure)
          answer(statusOf(failure))
        }
      )
    }

    const address = yield* Effect.acquireRelease(
      Effect.async<{ readonly server: Http.Server; readonly address: string }>((resume) => {
        const server = Http.createServer(
          { keepAliveTimeout: 10_000 },
          safely(onRequest, (_, [, response]) => response.destroy())
        ).on(
          "connect",
          safely(onConnect, (_, [, client]) => client.destroy())
        )
        if (allowance !== undefined)
          server.on(
            "connection",
            safely(
              (socket) => isStranger(socket) && socket.destroy(),
              (_, [socket]) => socket.destroy()
            )
          )
        // A page that is slow is bounded by its deadline.
        server.requestTimeout = 0
        // Without anybody who listens, a machine that is out of sockets would end the process.
        server.on(
          "error",
          safely((error) => resume(Effect.die(error)))
        )
        server.listen(
          0,
          "127.0.0.1",
          safely(() =>
            resume(Effect.succeed({ server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` }))
          )
        )
      }),
      ({ server }) =>
        Effect.sync(() => {
          for (const account of accounts.values()) for (const socket of account.sockets) socket.destroy()
          server.close()
          server.closeAllConnections()
        })
    )

    const open = (allowance: Allowance) =>
      Effect.acquireRelease(
        Effect.map(Owner, (team) => {
          const username = randomBytes(8).toString("hex")
          const password = randomBytes(24).toString("hex")
          const token = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
          const account = opened(allowance, team)
          accounts.set(token, account)
          const pass: Pass = { username, password, failures: account.failures, spent: () => account.spent }
          return { token, account, pass }
        }),
        ({ account, token }) =>
          Effect.sync(() => {
            accounts.delete(token)
            for (const socket of account.sockets) socket.destroy()
          })
      ).pipe(Effect.map(({ pass }) => pass))

    return { address: address.address, open }
  })

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0")

/** Line of `/proc/net/tcp` for the connecting end: `sl local remote state tx:rx timer retransmits uid …`. */
const row = (local: number, remote: number): RegExp =>
  new RegExp(`^ *\\d+: 0100007F:${hex(local)} 0100007F:${hex(remote)} \\w\\w \\S+ \\S+ \\S+ +(\\d+) `, "m")

/** True when another user opened the connection. Always false outside of Linux, which alone exposes the owner. */
export const isStranger = ({ localPort = 0, remoteAddress, remotePort = 0 }: Socket): boolean => {
  if (process.platform !== "linux") return false
  // From another local address, another user could connect with the same port number as a process of ours on 127.0.0.1.
  if (remoteAddress !== "127.0.0.1") return true
  try {
    const uid = row(remotePort, localPort).exec(readFileSync("/proc/net/tcp", "latin1"))?.[1]
    return uid === undefined || Number(uid) !== process.getuid?.()
  } catch {
    return false
  }
}
