/** Repair proposed with the alarm of a held run: only changes proved by the pages that the run left in the page cache. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { replayReads } from "../../Ledger/Model.ts"
import type { ProposedRepair } from "../../Schedule/Model.ts"
import { storedPage } from "../../Step/Extract/StoredPage.ts"
import { shellWord } from "../Format.ts"
import type { Warned } from "../RunOutputs.ts"
import { changesOf, compare, leftOf } from "./Repair.ts"

const timeout = Duration.seconds(30)

/** Wait before the page cache is read: the engine stores pages after answering, so the last pages of a run that just ended come late. */
const storing = Duration.seconds(3)

/** Maximum changes that a notification lists, and maximum characters of a source. */
const [maxChanges, maxSource] = [10, 120]

const short = (text: string): string => (text.length > maxSource ? `${text.slice(0, maxSource)}…` : text)

/**
 * The proved changes of a definition, and the commands that apply them; undefined if there are none. Sends no request to a site, and never
 * fails.
 */
export const propose = (file: string, runId: string, env: Warned["env"]) =>
  Effect.gen(function* () {
    yield* Effect.sleep(storing)
    const compared = yield* compare(file, storedPage, { env, err: { write: () => {} } })
    const changes = compared.bad?.id === runId ? changesOf(compared) : []
    if (changes.length === 0) return undefined
    const left = leftOf(compared)
    const repair = `sluice extract --repair ${shellWord(file)}`
    const next =
      compared.bad !== undefined && replayReads(compared.bad) === "pages"
        ? `sluice replay ${runId}`
        : `sluice run ${shellWord(file)}`
    const proposed: ProposedRepair = {
      changes: changes.slice(0, maxChanges).map(({ from, name, proof, to }) => ({
        field: name,
        from: from === undefined ? undefined : short(from),
        to: short(to),
        proof
      })),
      ...(left.length === 0 ? {} : { notProved: left.map(({ name }) => name) }),
      // With a part of the changes the run would be held again: the first command says what is left to do by hand.
      command: left.length === 0 ? `${repair} --apply && ${next}` : `${repair} ${runId} --apply`
    }
    return proposed
  }).pipe(
    Effect.timeoutTo({ duration: timeout, onSuccess: (found) => found, onTimeout: () => undefined }),
    Effect.catchAllCause(() => Effect.succeed(undefined))
  )
