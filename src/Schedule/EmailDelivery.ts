/** Sends a notification by e-mail. The mail library is loaded with the first message. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { version } from "../Version.ts"
import type { Message } from "./NotificationText.ts"
import * as Text from "./NotificationText.ts"
import { Undelivered } from "./Undelivered.ts"

/** Server and sender of e-mails, from `SLUICE_SMTP_URL` and `SLUICE_SMTP_FROM`. */
export interface MailServer {
  readonly url: Redacted.Redacted
  /** Sender; default: the user name in the address. */
  readonly from?: string | undefined
}

const isLoopback = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host)

/** Options of the transport. Sends a password only over an encrypted connection, except to this machine. */
const transportOf = ({ url }: MailServer, limit: number) => {
  const { hostname, password, port, protocol, username } = new URL(Redacted.value(url))
  const isSecure = protocol === "smtps:"
  const hasAccount = username !== ""
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: hasAccount && !isSecure && !isLoopback(hostname),
    ...(hasAccount ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    connectionTimeout: limit,
    greetingTimeout: limit,
    socketTimeout: limit,
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

const senderOf = ({ from, url }: MailServer): string => {
  const { hostname, username } = new URL(Redacted.value(url))
  const user = decodeURIComponent(username)
  return from ?? (user.includes("@") ? user : `${user === "" ? "sluice" : user}@${hostname}`)
}

/** Reason of a failure: only its code, because messages of servers and libraries may quote addresses and credentials. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "the mail server failed"
  const { code, responseCode } = cause as { readonly code?: unknown; readonly responseCode?: unknown }
  const kind = typeof code === "string" ? code : cause.name
  return typeof responseCode === "number" ? `the mail server answered ${responseCode} (${kind})` : `mail: ${kind}`
}

/** Sends a message. Succeeds when the server has accepted it for at least one recipient. */
export const mail = (
  server: MailServer | undefined,
  to: string | ReadonlyArray<string>,
  message: Message,
  limit: Duration.DurationInput
): Effect.Effect<void, Undelivered> => {
  if (server === undefined) return new Undelivered({ reason: "SLUICE_SMTP_URL is not set" })
  return Effect.gen(function* () {
    const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
    const from = senderOf(server)
    const sent = yield* Effect.acquireUseRelease(
      Effect.sync(() => createTransport(transportOf(server, Duration.toMillis(limit)))),
      (transport) =>
        Effect.tryPromise({
          try: () =>
            transport.sendMail({
              from,
              to: typeof to === "string" ? to : [...to],
              subject: Text.subject(message),
              text: Text.text(message),
              html: Text.html(message),
              // A repeated delivery has the same id, so that mail programs show the message once.
              messageId: `<${message.id}@${/@([\w.-]+)>?$/.exec(from)?.[1] ?? "sluice"}>`,
              headers: {
                "X-Sluice-Notice": message.id,
                "X-Mailer": `sluice ${version}`,
                "Auto-Submitted": "auto-generated"
              }
            }),
          catch: (cause) => new Undelivered({ reason: reasonOf(cause) })
        }),
      (transport) => Effect.sync(() => transport.close())
    )
    // Counts as delivered: another attempt would send the message to the other recipients twice.
    if (sent.rejected.length > 0) {
      yield* Effect.logWarning(`The mail server refused ${sent.rejected.length} of the receivers of a notification.`)
    }
  }).pipe(
    Effect.timeoutFail({
      duration: limit,
      onTimeout: () => new Undelivered({ reason: "the mail server did not answer in time", timedOut: true })
    })
  )
}
