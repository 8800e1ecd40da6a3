/** As many digits as a computed number holds for sure: 4.1 times a million is 4099999.9999999995 in binary. */
const SURE_DIGITS = 15

/** A computed number in the decimal digits that it stands for. */
export const exactly = (value: number): number => Number(value.toPrecision(SURE_DIGITS))
