/** What the page keeps in this browser, by name. A browser that keeps nothing is served all the same. */
type Setting = 'language' | 'theme' | 'sound' | 'token' | 'seals' | `marks:${string}`

const PREFIX = 'junqi:'

export function readSetting(name: Setting): string | null {
  try {
    return localStorage.getItem(PREFIX + name)
  } catch {
    return null
  }
}

/** null takes it away. */
export function writeSetting(name: Setting, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name)
    else localStorage.setItem(PREFIX + name, value)
  } catch {
    // It is forgotten when the page is closed.
  }
}
