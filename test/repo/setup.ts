import { shiftClock } from '../shifted-clock'

shiftClock()
