/** What a page that another origin serves is told of its server (index.html). */
const named = document.querySelector('meta[name="junqi-server"]')?.getAttribute('content') ?? ''

/** Where the server is. */
export const SERVER_URL = named === '' ? location.origin : named

/** Whether the server itself serves the page: then a cookie that no script can read says who the player is. */
export const IS_BUNDLED = named === ''
