/** Every field that a message of the protocol has while a game runs. One that is not here could tell anything. */
export const FIELDS: ReadonlySet<string> = new Set(
  `type re room version turn next until events
   protocol serverTime player id name limits frameBytes nameLength subscriptions rememberedCommands
   error code message retryable retryAfterMs answer goneSince formation
   view phase rules rooms invitation host seats swaps you game history legalMoves rematch closed
   spectators mode spectatorsChanged count players channel part at text phrase preset options ruleSet board alliances visibility turnOrder firstSeat emptyTerritory turnSeconds
   bankSeconds deploymentSeconds timeoutForfeit quietMoveLimit maxMoves resignFromMove landmine
   fieldMarshalRepelled bombFrontRow flyingBomb flagCapture railTurn leaveHeadquarters engineerScout
   fieldMarshalDeathRevealsFlag eliminatedView leaving scoring scoreFloor
   south east north west ready bankMs swap by with seat draft
   seal commitments salts
   pieces first toMove moves quiet skipped offer offers result formations
   out timeouts turns offeredAt number accepted
   from to outcome space reason accept`.split(/\s+/),
)

/** Words that hold the name of a kind and tell of none. */
export const HARMLESS_WORDS: ReadonlySet<string> = new Set(['flagRevealed', 'flagCaptured'])
