/** Screen of the connected service: its jobs, browser sessions with their live views, and its queue. */
import { useEffect, useRef } from "preact/hooks"
import { useFetch } from "./Api.ts"
import { Empty, ExternalLink, Fact, Loaded } from "./Components.tsx"
import { useEvent, useNow } from "./EventStream.ts"
import { count, relative, size } from "./Format.ts"
import { type EngineNow, type Job, paths, type Session } from "./Protocol.ts"
import { Icon } from "./Signs.tsx"

const Missing = ({ what }: { readonly what: string }) => <p class="dim">The service did not return its {what}.</p>

const Jobs = ({ jobs, now }: { readonly jobs: ReadonlyArray<Job> | null; readonly now: number }) => (
  <section class="card">
    <h2>
      Jobs <small>{jobs === null ? "" : count(jobs.length)}</small>
    </h2>
    {jobs === null ? (
      <Missing what="jobs" />
    ) : jobs.length === 0 ? (
      <p class="dim">No active jobs.</p>
    ) : (
      <ul class="things">
        {jobs.map(({ createdAt, id, url }) => (
          <li key={id}>
            <span class="grow">{url === undefined ? <code>{id}</code> : <ExternalLink address={url} />}</span>
            {url !== undefined && <code class="id">{id}</code>}
            {createdAt !== undefined && <small>{relative(createdAt, now)}</small>}
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** A live view has another origin and opens in a new tab. */
const LiveViewLink = ({ address, text }: { readonly address: string | undefined; readonly text: string }) =>
  address !== undefined && /^https?:/i.test(address) ? (
    <a class="press" href={address} target="_blank" rel="noopener noreferrer">
      <Icon name="open" size={15} /> {text}
    </a>
  ) : null

const Sessions = ({ now, sessions }: { readonly sessions: ReadonlyArray<Session> | null; readonly now: number }) => (
  <section class="card">
    <h2>
      Browser sessions <small>{sessions === null ? "" : count(sessions.length)}</small>
    </h2>
    {sessions === null ? (
      <Missing what="sessions" />
    ) : sessions.length === 0 ? (
      <p class="dim">No open sessions.</p>
    ) : (
      <ul class="things">
        {sessions.map(({ expiresAt, id, steerUrl, watchUrl }) => (
          <li key={id}>
            <code class="grow">{id}</code>
            {expiresAt !== undefined && <small>ends {relative(expiresAt, now)}</small>}
            <LiveViewLink address={watchUrl} text="Watch" />
            <LiveViewLink address={steerUrl} text="Interact" />
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** Minimum milliseconds between two requests. */
const minInterval = 3_000

export const Active = () => {
  const asked = useFetch<EngineNow>(paths.engine)
  const now = useNow(true, 5_000)
  const timer = useRef(0)
  // The service sends no events; jobs change when runs do.
  useEvent("runs", () => {
    if (timer.current !== 0) return
    timer.current = window.setTimeout(() => {
      timer.current = 0
      asked.again()
    }, minInterval)
  })
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && asked.again()
    document.addEventListener("visibilitychange", look)
    return () => {
      document.removeEventListener("visibilitychange", look)
      clearTimeout(timer.current)
    }
  }, [asked.again])
  return (
    <section class="screen">
      <div class="top">
        <h1>Active</h1>
        <button type="button" class="press" disabled={asked.isAsking} onClick={asked.again}>
          Refresh
        </button>
      </div>
      <Loaded asked={asked}>
        {({ jobs, queue, sessions, storage, url, why }) =>
          url === null ? (
            <Empty title="No service connected">
              <p>
                Start one with <code>sluice serve --ui</code>, or set <code>SLUICE_BASE_URL</code>.
              </p>
            </Empty>
          ) : (
            <>
              <p class="dim">
                Reported by <code>{url}</code>
              </p>
              {why !== undefined && (
                <p class="banner" data-tone="warn">
                  {why}
                </p>
              )}
              {storage?.warning !== undefined && (
                <p class="banner" data-tone="warn">
                  {storage.warning}
                </p>
              )}
              {queue !== null && (
                <dl class="facts">
                  <Fact name="active requests">{count(queue.active)}</Fact>
                  <Fact name="waiting requests">{count(queue.waiting)}</Fact>
                  <Fact name="limit">{count(queue.limit)}</Fact>
                  {storage !== undefined && (
                    <Fact name="stored">
                      {size(storage.used)} of {size(storage.limit)}
                    </Fact>
                  )}
                </dl>
              )}
              <Jobs jobs={jobs} now={now} />
              <Sessions sessions={sessions} now={now} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}
