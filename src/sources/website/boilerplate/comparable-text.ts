/** Only letters and digits, in lower case, so that titles with other punctuation or spacing compare as equal. */
export const comparableText = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
