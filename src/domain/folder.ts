// The folder of a source: the names of folders inside each other, with a slash between them. A slash that belongs to a
// name has a backslash before it.

export function folderOf(names: readonly string[]): string | null {
  const parts = names.map((name) => name.trim()).filter((name) => name !== '')
  return parts.length === 0 ? null : parts.map((name) => name.replace(/[\\/]/g, '\\$&')).join('/')
}

export function folderNames(folder: string | null): string[] {
  const parts = (folder ?? '').match(/(?:\\.|[^\\/]|\\$)+/gs) ?? []
  return parts.map((part) => part.replace(/\\(.)/gs, '$1').trim()).filter((name) => name !== '')
}
