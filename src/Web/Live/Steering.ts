/** Messages of viewers to the engine, as their schemas. Scripts of the page import only the types. */
import * as Schema from "effect/Schema"
import { bounds } from "./Protocol.ts"

const place = Schema.Number.pipe(Schema.between(-10_000, 10_000))
const small = Schema.Int.pipe(Schema.between(0, 65_535))
const modifiers = Schema.Int.pipe(Schema.between(0, 15))
const short = Schema.String.pipe(Schema.maxLength(64))
const long = Schema.String.pipe(Schema.maxLength(bounds.text))
const side = Schema.Int.pipe(Schema.between(bounds.side.least, bounds.side.most))

/** Messages that every viewer may send. */
export const FromWatcher = Schema.Union(
  /** Acknowledges a frame. */
  Schema.Struct({ type: Schema.Literal("seen"), frame: Schema.NonNegativeInt }),
  /** Selects a tab. */
  Schema.Struct({ type: Schema.Literal("look"), tab: short })
)
export type FromWatcher = typeof FromWatcher.Type

const Point = Schema.Struct({ id: small, x: place, y: place })
export type Point = typeof Point.Type

/** Messages from viewers who control the session. Positions are in page pixels; modifiers are Alt 1, Ctrl 2, Meta 4, Shift 8. */
export const Steering = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("mouse"),
    action: Schema.Literal("down", "move", "up"),
    x: place,
    y: place,
    button: Schema.Literal("left", "middle", "none", "right"),
    /** Pressed buttons: left 1, right 2, middle 4. */
    buttons: Schema.Int.pipe(Schema.between(0, 7)),
    clicks: Schema.Int.pipe(Schema.between(0, 3)),
    modifiers
  }),
  Schema.Struct({ type: Schema.Literal("wheel"), x: place, y: place, dx: place, dy: place, modifiers }),
  Schema.Struct({
    type: Schema.Literal("key"),
    action: Schema.Literal("down", "up"),
    key: short,
    code: short,
    keyCode: small,
    /** Text of the key; empty for a command. */
    text: Schema.String.pipe(Schema.maxLength(8)),
    location: Schema.Int.pipe(Schema.between(0, 3)),
    isRepeat: Schema.Boolean,
    modifiers
  }),
  Schema.Struct({ type: Schema.Literal("text"), text: long }),
  /** Unfinished text of an input method editor. */
  Schema.Struct({
    type: Schema.Literal("compose"),
    text: long,
    start: Schema.NonNegativeInt,
    end: Schema.NonNegativeInt
  }),
  Schema.Struct({
    type: Schema.Literal("touch"),
    action: Schema.Literal("cancel", "end", "move", "start"),
    points: Schema.Array(Point).pipe(Schema.maxItems(10)),
    modifiers
  }),
  Schema.Struct({ type: Schema.Literal("go"), address: Schema.String.pipe(Schema.maxLength(bounds.address)) }),
  Schema.Struct({ type: Schema.Literal("back", "copy", "forward", "open", "ownSize", "reload", "stop") }),
  Schema.Struct({ type: Schema.Literal("close"), tab: short }),
  /** Sets the size of the page; `ownSize` restores the default size. */
  Schema.Struct({ type: Schema.Literal("size"), width: side, height: side }),
  /** Chooses one of the last `choices`. */
  Schema.Struct({ type: Schema.Literal("choose"), index: small }),
  Schema.Struct({ type: Schema.Literal("answer"), accept: Schema.Boolean, text: long })
)
export type Steering = typeof Steering.Type
