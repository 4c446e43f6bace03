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

/** Offsets in the header of a picture: frame number, then page size. The JPEG follows. */
export const header = { bytes: 8, number: 0, width: 4, height: 6 }

/** Maximum frames sent to a viewer without acknowledgement. */
export const maxPendingFrames = 4

/** Maximum characters of texts and addresses, and limits for the sides of the page in pixels. */
export const bounds = { text: 100_000, address: 8_192, side: { least: 200, most: 2_560 } }
