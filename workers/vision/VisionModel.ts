/** What the vision artifact names as its model: descriptions are sentences from measurements, text is PP-OCRv4's. */
export const VISION_MODEL = "footnote-vision-builtin (PP-OCRv4)"
