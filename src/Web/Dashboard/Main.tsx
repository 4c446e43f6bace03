/** Entry point of the pages: navigation, routing, theme, connection status, error boundary, and the "About" page. */

import { Component, type ComponentChildren, render } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { occurrenceStatuses } from "../../Schedule/OccurrenceStatus.ts"
import { readStored, store, tokenRejected, useFetch } from "./Api.ts"
import { Banner, Help, Loaded, Pairs, Press } from "./Components.tsx"
import { useEvent, useFollow, useNow, useStatus } from "./EventStream.ts"
import { count, moment, size, span } from "./Format.ts"
import { Page, Pages } from "./Pages.tsx"
import { Pipeline } from "./Pipeline.tsx"
import { type About as AboutIt, paths } from "./Protocol.ts"
import { type Route, to, useRoute } from "./Route.ts"
import { Run } from "./Run.tsx"
import { states } from "./RunProtocol.ts"
import { Runs } from "./Runs.tsx"
import { Schedules } from "./Schedules.tsx"
import { Active, Usage } from "./Service.tsx"
import { Icon, type IconName, lookOf, Mark, State } from "./Signs.tsx"
import { Start } from "./Start.tsx"
import { Watches } from "./Watches.tsx"

const descriptions: ReadonlyArray<readonly [path: string, title: string, what: string]> = [
  ["runs", "Runs", "running and finished runs, each with its steps, rejects, outputs, pages and log"],
  ["schedules", "Schedules", "when pipelines run, day by day"],
  ["watches", "Watches", "pages, sections and searches that are watched, and their latest changes"],
  ["pages", "Pages", "every page that a run has requested, and how it changed"],
  ["usage", "Usage", "credits by month, by pipeline and by API key"],
  ["active", "Active", "jobs and browser sessions of the service, with a live view"],
  ["start", "Run a pipeline", "a form for the inputs of a pipeline"]
]

const AboutFacts = ({ about }: { readonly about: AboutIt }) => {
  const now = useNow(true, 30_000)
  const facts: ReadonlyArray<readonly [string, string | undefined]> = [
    ["Version", about.version],
    ["Ledger", `${about.ledger}${about.ledgerBytes === undefined ? "" : `, ${size(about.ledgerBytes)}`}`],
    ["Runs in the ledger", count(about.runs)],
    ["Data folder", about.dataDir],
    ["Definitions", about.definitions ?? "none: start the dashboard with --pipelines"],
    ["Service", about.engine ?? "not connected"],
    ["Up since", `${moment(about.startedAt)}, ${span(now - about.startedAt)}`],
    ["Platform", `Node ${about.node.replace(/^v/, "")}, ${about.platform}`]
  ]
  return <Pairs pairs={facts} />
}

export const About = () => {
  const about = useFetch<AboutIt>(paths.about)
  return (
    <section class="screen text">
      <h1>About this dashboard</h1>
      <p class="lead">
        It shows the ledger that <code>sluice runs</code>, <code>show</code>, <code>replay</code> and{" "}
        <code>schedule</code> use. Times are in your time zone, which they name; months and daily budgets in UTC.
      </p>
      <Loaded asked={about}>{(value) => <AboutFacts about={value} />}</Loaded>
      <h2>Screens</h2>
      <Pairs
        pairs={descriptions.map(([path, title, what]) => [
          <a key={path} href={to([path])}>
            {title}
          </a>,
          what
        ])}
      />
      <h2>States</h2>
      <Pairs
        pairs={[...new Set([...states, ...occurrenceStatuses, "due"])].map((state) => [
          <State key={state} state={state} />,
          lookOf(state).meaning
        ])}
      />
    </section>
  )
}

const screens: ReadonlyArray<{ readonly name: IconName; readonly title: string }> = [
  { name: "runs", title: "Runs" },
  { name: "schedules", title: "Schedules" },
  { name: "watches", title: "Watches" },
  { name: "pages", title: "Pages" },
  { name: "usage", title: "Usage" },
  { name: "active", title: "Active" }
]

const titles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(screens.map(({ name, title }) => [name, title])),
  pipelines: "Pipeline",
  start: "Run a pipeline",
  about: "About"
}

const missing = (
  <section class="screen text">
    <h1>This screen does not exist</h1>
    <p>
      <a href={to(["runs"])}>Show all runs</a>
    </p>
  </section>
)

const screenOf = (route: Route): ComponentChildren => {
  const [name = "runs", id] = route.path
  switch (name) {
    case "runs":
      return id === undefined ? <Runs route={route} /> : <Run key={id} id={id} route={route} />
    case "pipelines":
      return id === undefined ? missing : <Pipeline key={id} name={id} route={route} />
    case "schedules":
      return <Schedules route={route} />
    case "watches":
      return <Watches />
    case "pages":
      return route.query.has("key") ? <Page route={route} /> : <Pages route={route} />
    case "usage":
      return <Usage route={route} />
    case "active":
      return <Active />
    case "start":
      return <Start route={route} />
    case "about":
      return <About />
    default:
      return missing
  }
}

const App = () => {
  const route = useRoute()
  const [theme, nextTheme] = useTheme()
  const [isLocked, setLocked] = useState(false)
  const [isHelping, setHelping] = useState(false)
  const main = useRef<HTMLElement>(null)
  tokenRejected.notify = () => setLocked(true)
  const [here = "runs", id] = route.path
  useFollow(here === "runs" ? id : undefined)

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select")
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === "?") setHelping(true)
      if (event.key !== "/") return
      event.preventDefault()
      document.querySelector<HTMLInputElement>("input[type=search]")?.focus()
    }
    window.addEventListener("keydown", press)
    return () => window.removeEventListener("keydown", press)
  }, [])
  // A new screen starts at the top and receives the focus, for screen readers.
  const screen = `${here}/${id ?? ""}`
  const shown = useRef(screen)
  useEffect(() => {
    if (shown.current === screen) return
    shown.current = screen
    main.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [screen])

  // The screen of a run sets its own title.
  useEffect(() => {
    if (here !== "runs" || id === undefined) document.title = `${titles[here] ?? "Dashboard"} · Sluice`
  }, [here, id])

  if (isLocked) return <Locked />
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header class="bar">
        <a class="home" href={to(["about"])} aria-label="Sluice: about this dashboard">
          <Mark /> <b>Sluice</b>
        </a>
        <nav aria-label="Screens">
          {screens.map(({ name, title }) => (
            <a key={name} href={to([name])} aria-current={here === name ? "page" : undefined}>
              <Icon name={name} /> <span>{title}</span>
            </a>
          ))}
        </nav>
        <div class="tools">
          <Status />
          <button
            type="button"
            class="tool"
            onClick={nextTheme}
            aria-label={`Theme: ${theme}. Change it`}
            title={`Theme: ${theme}`}
          >
            <Icon name={theme} />
          </button>
          <button type="button" class="tool" onClick={() => setHelping(true)} aria-label="Keys" title="Keys (?)">
            <b aria-hidden="true">?</b>
          </button>
          <a class="press main" href={to(["start"])} aria-current={here === "start" ? "page" : undefined}>
            <Icon name="start" size={16} /> Run a pipeline
          </a>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <ErrorBoundary key={here}>{screenOf(route)}</ErrorBoundary>
      </main>
      <Help isOpen={isHelping} close={() => setHelping(false)} />
    </>
  )
}

const statusText = { connecting: "Connecting", live: "Live", cut: "Reconnecting" } as const

const Status = () => {
  const status = useStatus()
  const [ledgerError, setLedgerError] = useState<string>()
  useEvent("ledger", ({ error }) => setLedgerError(error))
  return (
    <>
      <span class="link" data-is={status} role="status">
        <i aria-hidden="true" />
        <span>{statusText[status]}</span>
      </span>
      {ledgerError !== undefined && (
        <Banner tone="warn" role="alert">
          The ledger cannot be read: {ledgerError}
        </Banner>
      )}
    </>
  )
}

const Locked = () => (
  <main class="locked" id="main">
    <Mark />
    <h1>This page is locked</h1>
    <p>
      Open the link that <code>sluice</code> printed when it started the dashboard. The link contains a token, and each
      start creates a new one.
    </p>
  </main>
)

interface BoundaryProps {
  readonly children: ComponentChildren
}

class ErrorBoundary extends Component<BoundaryProps, { readonly failure?: Error }> {
  static override getDerivedStateFromError(failure: Error) {
    return { failure }
  }

  override render() {
    const { failure } = this.state
    if (failure === undefined) return this.props.children
    return (
      <section class="screen text">
        <h1>This screen failed</h1>
        <Banner role="alert">{failure.message}</Banner>
        <p>This is an error of the dashboard: runs are not affected. Try another screen, or reload this one.</p>
        <Press act={() => location.reload()}>Reload</Press>
      </section>
    )
  }
}

const themes = ["system", "light", "dark"] as const
type Theme = (typeof themes)[number]
const themeKey = "sluice-theme"

const show = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

const storedTheme = readStored(themeKey)
const firstTheme = themes.find((each) => each === storedTheme) ?? "system"
show(firstTheme)

/** The theme, and a function that selects the next one. */
const useTheme = (): readonly [theme: Theme, next: () => void] => {
  const [theme, setTheme] = useState<Theme>(firstTheme)
  const next = () => {
    const chosen = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"
    show(chosen)
    store(themeKey, chosen)
    setTheme(chosen)
  }
  return [theme, next]
}

const place = document.getElementById("app")
// Removes the page's placeholder.
place?.replaceChildren()
if (place !== null) render(<App />, place)
