/** Parts of a scrape that need a browser. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type Format, formatName } from "../../Api/ScrapeOptions.ts"
import type { Options, Refusal } from "../ScrapeOptions.ts"
import * as Actions from "./Actions.ts"

/** A picture of the page. */
export interface Picture {
  readonly fullPage?: boolean | undefined
  /** Percent; then it is a JPEG. */
  readonly quality?: number | undefined
  readonly viewport?: Actions.Viewport | undefined
}

/** How a page is to be shown before it is read. */
export interface Rendering {
  /** Milliseconds after it is there. */
  readonly waitFor: number
  /** On a phone. */
  readonly mobile: boolean
  readonly actions: ReadonlyArray<Actions.Action>
  /** At the end. */
  readonly screenshot: Picture | undefined
  /** Of the team that asks: what earlier browsers have kept of sites. */
  readonly profile: { readonly name: string; readonly saveChanges: boolean } | undefined
}

/** Nothing asked for but that scripts have run. */
export const plain: Rendering = { waitFor: 0, mobile: false, actions: [], screenshot: undefined, profile: undefined }

const Screenshot = Schema.Struct({ type: Schema.String, ...Actions.pictureFields })

/** Whether a format is a picture, by the name before its `@`. */
export const isScreenshot = (name: string): boolean => name === "screenshot" || name === "screenshot@fullPage"

const readScreenshot = (format: Format | undefined): Either.Either<Picture | undefined, Refusal> => {
  if (format === undefined) return Either.right(undefined)
  const whole = formatName(format) === "screenshot@fullPage"
  if (typeof format === "string") return Either.right({ fullPage: whole })
  const decode = Schema.decodeUnknownEither(Screenshot, { errors: "all", onExcessProperty: "error" })
  return Either.mapBoth(decode(format), {
    onLeft: (error) => Actions.refusal(Actions.faultsOf(["formats", "screenshot"], error)),
    onRight: ({ type: _, ...picture }) => (whole ? { ...picture, fullPage: true } : picture)
  })
}

/** Undefined when the page can be read as it is sent. */
export const read = (options: Options): Either.Either<Rendering | undefined, Refusal> =>
  Either.gen(function* () {
    const actions = yield* Actions.read(options)
    const screenshot = yield* readScreenshot(options.formats.find((format) => isScreenshot(formatName(format))))
    const { mobile, waitFor, zeroDataRetention } = options
    const profile =
      options.profile === undefined
        ? undefined
        : { name: options.profile.name, saveChanges: (options.profile.saveChanges ?? true) && !zeroDataRetention }
    const needed = waitFor > 0 || mobile || actions.length > 0 || screenshot !== undefined || profile !== undefined
    return needed ? { waitFor, mobile, actions, screenshot, profile } : undefined
  })
