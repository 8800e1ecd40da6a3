/** A moment before any message or page of a test: from here on something may have been written unheard. */
export const VendorOrigin = new Date("2026-01-01T00:00:00.000Z")
