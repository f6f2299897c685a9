/** How many command ids of one player in one room (and, apart from them, of its drafts) are remembered. */
export const REMEMBERED_COMMANDS = 64
