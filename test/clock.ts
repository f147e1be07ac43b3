/** The time in milliseconds on the clock of the tests, which `npm test -- --clock` sets. */
export const readClock = (): number => Date.now()
