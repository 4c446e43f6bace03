/** The frame of the dashboard: where one is, what else there is, and the screen. */
export const App = () => <main id="main" />
