/** Plain text as HTML: paragraphs and line breaks as they were written. */

export function textAsHtml(text: string): string {
  const paragraphs = text.split(/\n[^\S\n]*\n\s*/).filter((paragraph) => paragraph.trim() !== '')
  return paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replace(/\r?\n/g, '<br>')}</p>`).join('\n')
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
