/** WebSocket protocol between the live view and the engine: text messages are JSON, binary messages are pictures. */

/** Kind of link: for watching only, or for controlling the session. */
export type Mode = "watch" | "interact"

export interface TabInfo {
  readonly id: string
  readonly title: string
  readonly url: string
}

/** A dialog that blocks the page. */
export interface DialogInfo {
  readonly kind: "alert" | "beforeunload" | "confirm" | "prompt"
  readonly message: string
  /** Default value of a prompt. */
  readonly value: string
}

/** An option of a select field; the browser's list of options is not part of the picture. */
export interface ChoiceInfo {
  readonly text: string
  readonly isDisabled: boolean
}

/** All state besides the picture; each message replaces the last one. */
export interface State {
  readonly type: "state"
  readonly tabs: ReadonlyArray<TabInfo>
  /** Tab whose picture is sent. */
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
      /** Maximum remaining time of the session in milliseconds. */
      readonly left: number
    }
  | State
  /** Text selected on the page. */
  | { readonly type: "copied"; readonly text: string }
  | { readonly type: "choices"; readonly options: ReadonlyArray<ChoiceInfo>; readonly chosen: number }
  /** Reports that a message failed. */
  | { readonly type: "notice"; readonly text: string }
  /** Keeps the connection open. */
  | { readonly type: "pulse" }
  /** The session is over. */
  | { readonly type: "end"; readonly text: string }

/** Messages that all viewers may send. */
export type FromWatcher =
  /** Acknowledges a frame. */
  | { readonly type: "seen"; readonly frame: number }
  /** Selects a tab. */
  | { readonly type: "look"; readonly tab: string }

export interface Point {
  readonly id: number
  readonly x: number
  readonly y: number
}

/** Messages from viewers who control the session. Positions are in page pixels; modifiers are Alt 1, Ctrl 2, Meta 4, Shift 8. */
export type Steering =
  | {
      readonly type: "mouse"
      readonly action: "down" | "move" | "up"
      readonly x: number
      readonly y: number
      readonly button: "left" | "middle" | "none" | "right"
      /** Pressed buttons: left 1, right 2, middle 4. */
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
      /** Text of the key; empty for a command. */
      readonly text: string
      readonly location: number
      readonly isRepeat: boolean
      readonly modifiers: number
    }
  | { readonly type: "text"; readonly text: string }
  /** Unfinished text of an input method editor. */
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
  /** Sets the size of the page; `ownSize` restores the default size. */
  | { readonly type: "size"; readonly width: number; readonly height: number }
  | { readonly type: "ownSize" }
  /** Chooses one of the last `choices`. */
  | { readonly type: "choose"; readonly index: number }
  | { readonly type: "answer"; readonly accept: boolean; readonly text: string }

/** Offsets in the header of a picture: frame number, then page size. The JPEG follows. */
export const header = { bytes: 8, number: 0, width: 4, height: 6 }

/** Maximum frames sent to a viewer without acknowledgement. */
export const maxPendingFrames = 4

/** Maximum characters of texts and addresses, and limits for the sides of the page in pixels. */
export const bounds = { text: 100_000, address: 8_192, side: { least: 200, most: 2_560 } }
