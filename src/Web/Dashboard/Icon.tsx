/** Small pictures, drawn here: nothing is fetched from elsewhere, and no font has to have them. */

const paths = {
  runs: "M5 6h14M5 12h14M5 18h9",
  start: "M8 5.5v13l11-6.5z",
  schedules: "M5 6.5h14v13H5zM5 10.5h14M9 4v4M15 4v4",
  pages: "M7 4h7l4 4v12H7zM14 4v4h4M10 13h5M10 16.5h5",
  usage: "M5 19.5h14M7.5 16v-4M12 16V6.5M16.5 16v-7",
  active: "M3 12h4l3-7 4 14 3-7h4",
  about: "M12 11v6M12 7.2v.1M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17z",
  light:
    "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1",
  dark: "M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z",
  system: "M4 6h16v10H4zM9 20h6M12 16v4",
  search: "M11 5a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15.5 15.5L20 20",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  replay: "M5 12a7 7 0 1 0 2.3-5.2L5 9M5 4v5h5",
  open: "M10 5H5v14h14v-5M14 5h5v5M19 5l-9 9",
  down: "M12 5v10M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14",
  cross: "M7 7l10 10M17 7L7 17"
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)

/** The sign of the house. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
    <rect width="24" height="24" rx="6" fill="currentColor" />
    <path
      class="water"
      d="M5 9.5c2.3-2 4.7-2 7 0s4.7 2 7 0M5 15c2.3-2 4.7-2 7 0s4.7 2 7 0"
      fill="none"
      stroke-width="2"
      stroke-linecap="round"
    />
  </svg>
)
