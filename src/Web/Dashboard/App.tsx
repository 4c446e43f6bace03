/** The frame of the dashboard: where one is, what else there is, and the screen. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { About } from "./About.tsx"
import { Active } from "./Active.tsx"
import { locked } from "./Ask.ts"
import { useFollow } from "./Feed.ts"
import { Guard } from "./Guard.tsx"
import { Help } from "./Help.tsx"
import { Icon, type IconName, Mark } from "./Icon.tsx"
import { Pages } from "./Pages.tsx"
import { Page } from "./PageVersions.tsx"
import { type Route, to, useRoute } from "./Route.ts"
import { Run } from "./Run.tsx"
import { Runs } from "./Runs.tsx"
import { Schedules } from "./Schedules.tsx"
import { Start } from "./Start.tsx"
import { Locked, Status } from "./Status.tsx"
import { useTheme } from "./Theme.ts"
import { Usage } from "./Usage.tsx"

const screens: ReadonlyArray<{ readonly name: IconName; readonly title: string }> = [
  { name: "runs", title: "Runs" },
  { name: "schedules", title: "Schedules" },
  { name: "pages", title: "Pages" },
  { name: "usage", title: "Usage" },
  { name: "active", title: "Active" }
]

const titles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(screens.map(({ name, title }) => [name, title])),
  start: "Run a pipeline",
  about: "About"
}

const screenOf = (route: Route): ComponentChildren => {
  const [name = "runs", id] = route.path
  switch (name) {
    case "runs":
      return id === undefined ? <Runs route={route} /> : <Run key={id} id={id} route={route} />
    case "schedules":
      return <Schedules route={route} />
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
      return (
        <section class="screen text">
          <h1>There is no such screen</h1>
          <p>
            <a href={to(["runs"])}>All runs</a> are a good place to begin.
          </p>
        </section>
      )
  }
}

export const App = () => {
  const route = useRoute()
  const [theme, nextTheme] = useTheme()
  const [isLocked, setLocked] = useState(false)
  const [isHelping, setHelping] = useState(false)
  const main = useRef<HTMLElement>(null)
  locked.tell = () => setLocked(true)
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
  // Another screen begins at its top, and those who do not see hear of it.
  const screen = `${here}/${id ?? ""}`
  const shown = useRef(screen)
  useEffect(() => {
    if (shown.current === screen) return
    shown.current = screen
    main.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [screen])

  // A run says itself what it is called.
  useEffect(() => {
    if (here !== "runs" || id === undefined) document.title = `${titles[here] ?? "Dashboard"} · Sluice`
  }, [here, id])

  if (isLocked) return <Locked />
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to what is shown
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
            aria-label={`Colours: ${theme}. Change them`}
            title={`Colours: ${theme}`}
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
        <Guard key={here}>{screenOf(route)}</Guard>
      </main>
      <Help isOpen={isHelping} close={() => setHelping(false)} />
    </>
  )
}
