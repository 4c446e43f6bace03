/** Picture of the page: draws each frame, scaled to the window, and acknowledges it. */
import { find, get } from "./Controls.ts"
import { header } from "./Protocol.ts"

export interface Position {
  readonly x: number
  readonly y: number
}

export interface Picture {
  readonly draw: (bytes: ArrayBuffer) => void
  /** Converts a point in the window to a position on the page. */
  readonly locate: (event: { readonly clientX: number; readonly clientY: number }) => Position
  /** Available size in CSS pixels. */
  readonly room: () => { readonly width: number; readonly height: number }
  readonly onRoom: (then: () => void) => void
}

/** Maximum scale. */
const maxScale = 1.5

const visible = (): Promise<unknown> =>
  document.visibilityState === "visible"
    ? Promise.resolve()
    : new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }))

export const make = (seen: (frame: number) => void): Picture => {
  const canvas = get<HTMLCanvasElement>("picture")
  const stage = get("stage")
  const context = canvas.getContext("2d", { alpha: false })
  let page = { width: canvas.width, height: canvas.height }
  let arrived = 0
  let drawn = 0

  const resize = () => {
    const scale = Math.min(stage.clientWidth / page.width, stage.clientHeight / page.height, maxScale)
    const [width, height] = [Math.round(page.width * scale), Math.round(page.height * scale)]
    canvas.style.width = `${width}px`
    canvas.style.height = `${height}px`
  }
  new ResizeObserver(resize).observe(stage)
  resize()

  const show = (image: ImageBitmap, width: number, height: number) => {
    if (canvas.width !== image.width || canvas.height !== image.height) {
      canvas.width = image.width
      canvas.height = image.height
    }
    context?.drawImage(image, 0, 0)
    if (page.width === width && page.height === height) return
    page = { width, height }
    resize()
  }

  const draw = (bytes: ArrayBuffer) => {
    const view = new DataView(bytes)
    const turn = ++arrived
    createImageBitmap(new Blob([new Uint8Array(bytes, header.bytes)], { type: "image/jpeg" }))
      .then((image) => {
        // Frames are decoded concurrently: skip a frame older than the one on the canvas.
        if (turn > drawn) {
          drawn = turn
          show(image, view.getUint16(header.width), view.getUint16(header.height))
          document.body.dataset.picture = String(turn)
          find("waiting")?.remove()
        }
        image.close()
      })
      .catch(() => undefined)
      // A hidden page does not acknowledge frames, so the engine sends none.
      .then(visible)
      .then(() => seen(view.getUint32(header.number)))
  }

  return {
    draw,
    locate: ({ clientX, clientY }) => {
      const { height, left, top, width } = canvas.getBoundingClientRect()
      const [x, y] = [((clientX - left) / width) * page.width, ((clientY - top) / height) * page.height]
      return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 }
    },
    room: () => ({ width: stage.clientWidth, height: stage.clientHeight }),
    onRoom: (then) => new ResizeObserver(then).observe(stage)
  }
}
