/** What somebody sees who has run nothing yet: what this is, and what to do first. */
import type { About } from "./Protocol/About.ts"
import { to } from "./Route.ts"

export const Welcome = ({ about }: { readonly about: About | undefined }) => (
  <section class="screen text">
    <h1>Nothing has run here yet</h1>
    <p class="lead">
      A pipeline says where pages come from, what becomes of them, and where the rows go. Each time it works is a run,
      and this is where runs are watched.
    </p>
    <ol class="steps">
      <li>
        <b>Start one.</b>{" "}
        {about?.definitions == null ? (
          <>
            <code>npx sluice init</code> makes a project with a pipeline that runs; begin this dashboard with its
            folder.
          </>
        ) : (
          <>
            <a href={to(["start"])}>Run a pipeline</a> of <code>{about.definitions}</code> with a form, or write{" "}
            <code>npx sluice run pipelines/quickstart.yaml</code> in a terminal: it appears here by itself.
          </>
        )}
      </li>
      <li>
        <b>Watch it.</b> Its steps show rows as they pass, how fast, and where they wait.
      </li>
      <li>
        <b>See what failed.</b> A row that cannot go on is a reject with its reason: none is lost, and all can be
        replayed.
      </li>
    </ol>
    <p class="dim">
      Runs are kept in the ledger {about === undefined ? "" : <code>{about.ledger}</code>}.{" "}
      <a href={to(["about"])}>More about this dashboard</a>
    </p>
  </section>
)
