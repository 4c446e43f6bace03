/** WebSocket protocol between the live view and the engine: text messages are JSON, binary messages are pictures. */

/** Whether the link lets one look on only, or steer. */
export type Mode = "watch" | "interact"

export interface TabInfo {
  readonly id: string
  readonly title: string
  readonly url: string
}

/** A box that a page has opened, and that it waits for. */
export interface DialogInfo {
  readonly kind: "alert" | "beforeunload" | "confirm" | "prompt"
  readonly message: string
  /** What stands in the field of a prompt. */
  readonly value: string
}

/** What a field offers to choose from: a list that the browser itself draws outside of the page. */
export interface ChoiceInfo {
  readonly text: string
  readonly isDisabled: boolean
}

/** All that is to be shown beside the picture; each message replaces the one before. */
export interface State {
  readonly type: "state"
  readonly tabs: ReadonlyArray<TabInfo>
  /** The tab whose picture is sent. */
  readonly looking: string | undefined
  readonly canGoBack: boolean
  readonly canGoForward: boolean
  readonly isLoading: boolean
  readonly dialog: DialogInfo | undefined
}

export type FromEngine =
  | {
      readonly type: "hello"
      readonly mode: Mode
      /** Milliseconds that the session has left at most. */
      readonly left: number
    }
  | State
  /** The text that was selected in the page. */
  | { readonly type: "copied"; readonly text: string }
  | { readonly type: "choices"; readonly options: ReadonlyArray<ChoiceInfo>; readonly chosen: number }
  /** Something that was asked for did not work. */
  | { readonly type: "notice"; readonly text: string }
  /** The connection stands. */
  | { readonly type: "pulse" }
  /** The session is over. */
  | { readonly type: "end"; readonly text: string }

/** Allowed to everybody who looks on. */
export type FromWatcher =
  /** The picture with this number was drawn: there is room for another. */
  | { readonly type: "seen"; readonly frame: number }
  /** Another tab. */
  | { readonly type: "look"; readonly tab: string }

export interface Point {
  readonly id: number
  readonly x: number
  readonly y: number
}

/** Places are in the page's own pixels; modifiers are Alt 1, Ctrl 2, Meta 4, Shift 8. */
export type Steering =
  | {
      readonly type: "mouse"
      readonly action: "down" | "move" | "up"
      readonly x: number
      readonly y: number
      readonly button: "left" | "middle" | "none" | "right"
      /** All that are held: left 1, right 2, middle 4. */
      readonly buttons: number
      readonly clicks: number
      readonly modifiers: number
    }
  | {
      readonly type: "wheel"
      readonly x: number
      readonly y: number
      readonly dx: number
      readonly dy: number
      readonly modifiers: number
    }
  | {
      readonly type: "key"
      readonly action: "down" | "up"
      readonly key: string
      readonly code: string
      readonly keyCode: number
      /** What it writes. */
      readonly text: string
      readonly location: number
      readonly isRepeat: boolean
      readonly modifiers: number
    }
  | { readonly type: "text"; readonly text: string }
  /** Text that is not settled yet, as an input method writes it. */
  | { readonly type: "compose"; readonly text: string; readonly start: number; readonly end: number }
  | {
      readonly type: "touch"
      readonly action: "cancel" | "end" | "move" | "start"
      readonly points: ReadonlyArray<Point>
      readonly modifiers: number
    }
  | { readonly type: "go"; readonly address: string }
  | { readonly type: "back" | "copy" | "forward" | "open" | "reload" | "stop" }
  | { readonly type: "close"; readonly tab: string }
  /** How large the page is to be; its own size without numbers. */
  | { readonly type: "size"; readonly width: number; readonly height: number }
  | { readonly type: "ownSize" }
  /** One of the choices that were told last. */
  | { readonly type: "choose"; readonly index: number }
  | { readonly type: "answer"; readonly accept: boolean; readonly text: string }

/** A picture: these bytes, then the JPEG. Its number, then the size of the page in its own pixels. */
export const header = { bytes: 8, number: 0, width: 4, height: 6 }

/** Pictures that may be under way to one who looks on before the first of them was drawn. */
export const underWay = 4

/** Bounds of what is sent. */
export const bounds = { text: 100_000, address: 8_192, side: { least: 200, most: 2_560 } }
