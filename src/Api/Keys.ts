/** Names of keys that the action `press` takes: those of Playwright's keyboard, which has the US layout. */

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** All names with more than one character, frequent ones first. */
export const keyNames: ReadonlyArray<string> = [
  ...`Enter Tab Escape Backspace Delete Space ArrowLeft ArrowUp ArrowRight ArrowDown PageUp PageDown Home End Insert Shift Control
  Alt Meta ControlOrMeta ShiftLeft ShiftRight ControlLeft ControlRight AltLeft AltRight AltGraph MetaLeft MetaRight CapsLock
  NumLock ScrollLock PrintScreen Pause ContextMenu Backquote Minus Equal Backslash BracketLeft BracketRight Semicolon Quote Comma
  Period Slash AudioVolumeMute AudioVolumeDown AudioVolumeUp MediaTrackNext MediaTrackPrevious MediaPlayPause NumpadDivide
  NumpadMultiply NumpadSubtract NumpadAdd NumpadDecimal NumpadEnter`.split(/\s+/),
  ...range(1, 12).map((number) => `F${number}`),
  ...range(0, 9).flatMap((digit) => [`Digit${digit}`, `Numpad${digit}`]),
  ...range(65, 90).map((code) => `Key${String.fromCharCode(code)}`)
]

/** Names that other tools and keyboards use, in lower case. */
export const keyAliases: Readonly<Record<string, string>> = {
  cmd: "Meta",
  command: "Meta",
  ctrl: "Control",
  del: "Delete",
  down: "ArrowDown",
  esc: "Escape",
  ins: "Insert",
  left: "ArrowLeft",
  opt: "Alt",
  option: "Alt",
  pgdn: "PageDown",
  pgup: "PageUp",
  return: "Enter",
  right: "ArrowRight",
  spacebar: "Space",
  super: "Meta",
  up: "ArrowUp",
  win: "Meta"
}

/** The first key of a chord such as `Control+a` that the keyboard does not have; undefined if it has all. */
export const unknownKeyIn = (chord: string): string | undefined =>
  chord.split(/\+(?!$)/).find((key) => !keyNames.includes(key) && !/^[ -~\n\r]$/.test(key))
