/** The WebSocket subprotocol, and the name of this version of the messages. */
export const PROTOCOL = 'junqi.v1'
