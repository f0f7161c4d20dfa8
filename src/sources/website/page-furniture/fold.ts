/** A text by its letters and digits alone, so that a title is known again however it is set. */
export const fold = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
