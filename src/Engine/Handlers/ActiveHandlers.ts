/**
 * Handlers of group `activeCrawls`: list the running crawls of the team.
 *
 * Every key of the team can list them, so values that may be secret are masked: header values, judged by their names, and the text and
 * scripts of actions.
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { Team } from "../../Api/Auth.ts"
import { formatName } from "../../Api/ScrapeOptions.ts"
import { Api } from "../../Api.ts"
import { mayBeSecret } from "../Fetch/Headers.ts"
import { type JobRow, readSpec, type Spec, type Version } from "../Jobs/JobRecord.ts"
import { Jobs } from "../Jobs/Jobs.ts"

const mask = "***"

const maskValues = <A>(record: Readonly<Record<string, A>>, keys: ReadonlySet<string>): Record<string, A | string> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, keys.has(key) ? mask : value]))

/** Fields of an action that may hold secrets: the text that it types, and the script that it runs. */
const secretInActions = new Set(["script", "text"])

const maskOptions = ({ actions, headers, ...options }: Spec["options"]) => ({
  ...options,
  ...(headers === undefined ? {} : { headers: maskValues(headers, new Set(Object.keys(headers).filter(mayBeSecret))) }),
  ...(actions === undefined ? {} : { actions: actions.map((action) => maskValues(action, secretInActions)) })
})

/** Options of formats, as v1 reports them in separate fields; v2 has them inside the format. */
const particularsV1 = ({ options }: Spec) =>
  Object.fromEntries(
    Object.entries({ jsonOptions: ["json", "extract"], changeTrackingOptions: ["changeTracking"] }).flatMap(
      ([field, names]) =>
        options.formats
          .filter((format) => typeof format !== "string" && names.includes(format.type))
          .slice(0, 1)
          .map((format) => [field, Object.fromEntries(Object.entries(format).filter(([key]) => key !== "type"))])
    )
  )

/** Reports the scrape options. Both versions list formats by name; v1 has no `parsers`. */
const reportOptions = (spec: Spec, version: Version): Record<string, unknown> => {
  const options = maskOptions(spec.options)
  if (version === 2) {
    return {
      ...options,
      formats: options.formats.map(formatName),
      ...(options.parsers === undefined ? {} : { parsers: options.parsers.map(formatName) })
    }
  }
  const { onlyCleanContent: _, minAge: __, parsers, lockdown: ___, profile: ____, ...shared } = options
  return {
    ...shared,
    ...particularsV1(spec),
    formats: options.formats.map(formatName),
    parsePDF: parsers === undefined || parsers.length > 0
  }
}

const report = (job: JobRow, version: Version) => {
  const spec = readSpec(job)
  return {
    id: job.id,
    teamId: job.team,
    url: job.url,
    created_at: new Date(job.created_at).toISOString(),
    options: { ...spec.params, scrapeOptions: reportOptions(spec, version) }
  }
}

const active = (version: Version) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const team = yield* Team
    const rows = yield* jobs.activeCrawls(team.id)
    return { success: true, crawls: rows.map((job) => report(job, version)) }
  })

export const handlers = HttpApiBuilder.group(Api, "activeCrawls", (group) =>
  group.handle("active", () => active(2)).handle("activeV1", () => active(1))
)
