/** What is at work in the service now: its jobs, its browser sessions with a live view, and its queue. */
import { useEffect, useRef } from "preact/hooks"
import { useFetch } from "./Api.ts"
import { Empty, ExternalLink, Fact, Loaded } from "./Components.tsx"
import { useEvent, useNow } from "./EventStream.ts"
import { away, count, size } from "./Format.ts"
import { type EngineNow, type Job, paths, type Session } from "./Protocol.ts"
import { Icon } from "./Signs.tsx"

const Missing = ({ what }: { readonly what: string }) => <p class="dim">The service did not say which {what} it has.</p>

const Jobs = ({ jobs, now }: { readonly jobs: ReadonlyArray<Job> | null; readonly now: number }) => (
  <section class="card">
    <h2>
      Jobs <small>{jobs === null ? "" : count(jobs.length)}</small>
    </h2>
    {jobs === null ? (
      <Missing what="jobs" />
    ) : jobs.length === 0 ? (
      <p class="dim">None is at work.</p>
    ) : (
      <ul class="things">
        {jobs.map(({ createdAt, id, url }) => (
          <li key={id}>
            <span class="grow">{url === undefined ? <code>{id}</code> : <ExternalLink address={url} />}</span>
            {url !== undefined && <code class="id">{id}</code>}
            {createdAt !== undefined && <small>{away(createdAt, now)}</small>}
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** A live view is of another origin, and opens beside the dashboard. */
const View = ({ address, text }: { readonly address: string | undefined; readonly text: string }) =>
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
      <p class="dim">None is open.</p>
    ) : (
      <ul class="things">
        {sessions.map(({ expiresAt, id, steerUrl, watchUrl }) => (
          <li key={id}>
            <code class="grow">{id}</code>
            {expiresAt !== undefined && <small>ends {away(expiresAt, now)}</small>}
            <View address={watchUrl} text="Watch" />
            <View address={steerUrl} text="Steer" />
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** Milliseconds between two questions at the least, however much happens. */
const rest = 3_000

export const Active = () => {
  const asked = useFetch<EngineNow>(paths.engine)
  const now = useNow(true, 5_000)
  const timer = useRef(0)
  // Where runs move, jobs come and go.
  useEvent("runs", () => {
    if (timer.current !== 0) return
    timer.current = window.setTimeout(() => {
      timer.current = 0
      asked.again()
    }, rest)
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
          Ask again
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
                As <code>{url}</code> says
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
                  <Fact name="requests at work">{count(queue.active)}</Fact>
                  <Fact name="waiting">{count(queue.waiting)}</Fact>
                  <Fact name="at once, at most">{count(queue.most)}</Fact>
                  {storage !== undefined && (
                    <Fact name="kept on disk">
                      {size(storage.used)} of {size(storage.most)}
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
