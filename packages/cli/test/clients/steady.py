"""A client that stays in a game whatever happens: sits down at JUNQI_ROOM, plays, and ends with the game.

WRONG names a thing that it does wrong, for the tests of `junqi conformance`.
"""
import asyncio, itertools, json, os, random, sys, urllib.request
import websockets

SERVER, ROOM, SEAT = (os.environ[f"JUNQI_{name}"] for name in ("SERVER", "ROOM", "SEAT"))
WRONG = os.environ.get("WRONG", "")
FINAL = (1000, 1007, 1008, 1009, 4400, 4401, 4403)  # close codes after which nobody comes back


def http(path, body=None):
    data = body and json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, data, {"content-type": "application/json"})
    return json.load(urllib.request.urlopen(request))


class Client:
    def __init__(self):
        self.token = http("/v1/guests", {"name": "Steady"})["token"]
        self.ids = (f"st-{n}" for n in itertools.count(1))
        self.waiting = {}  # what was not answered yet, by id
        self.version = None  # of the room, as far as it is known
        self.moved = None  # the turn of the last move
        self.due = None  # the turn that was told last, if it is ours
        self.is_seated = self.is_over = False
        self.socket = None
        self.failures = 0  # to connect, one after the other

    async def send(self, command):
        try:
            await self.socket.send(json.dumps(command))
        except websockets.ConnectionClosed:
            pass  # it goes out again on the next connection

    async def say(self, type, **fields):
        command = {"type": type, "id": next(self.ids), **fields}
        if type != "hello":
            self.waiting[command["id"]] = command
        await self.send(command)

    async def subscribe(self, whole=False):
        since = {} if whole or self.version is None else {"since": self.version}
        await self.say("subscribe", room=ROOM, **since)

    async def again(self, command, milliseconds):
        await asyncio.sleep((milliseconds or 1000) / 1000)
        if command["id"] not in self.waiting:
            return  # it was about a connection that is gone
        if WRONG == "retryable":
            del self.waiting[command["id"]]
            await self.say(**{k: v for k, v in command.items() if k != "id"})
        else:
            await self.send(command)

    async def greet(self):
        if WRONG != "hello":
            await self.say("hello", client="steady/1")
        unanswered = [command for command in self.waiting.values() if command["type"] != "subscribe"]
        self.waiting = {command["id"]: command for command in unanswered}
        await self.subscribe()
        for command in unanswered:
            if WRONG == "unanswered":
                command["id"] = next(self.ids)
            await self.send(command)

    async def hear(self, message):
        type, command = message["type"], self.waiting.get(message.get("re"))
        if type == "error" and message["retryable"] and command is not None:
            asyncio.create_task(self.again(command, message["retryAfterMs"]))
        elif command is not None:
            del self.waiting[message["re"]]
        if type == "error" and not message["retryable"] and WRONG == "stale":
            sys.exit("a move was refused")
        if type == "ack" and command is not None and command["type"] == "subscribe":
            await self.resume()
        if type == "snapshot":
            self.version = message["version"]
            await self.look(message["view"])
        elif type == "event":
            await self.follow(message)
        elif type not in KNOWN and WRONG == "unknown":
            sys.exit(f"what is a {type}?")

    async def resume(self):
        """Events follow, or none: which moves there are in a turn that is ours already is in none of them."""
        if self.due not in (None, self.moved) and WRONG != "resumed":
            await self.subscribe(whole=True)

    async def look(self, view):
        game = view["game"]
        self.due = game["turn"] if game and game["toMove"] == SEAT else None
        if not self.is_seated and view["seats"][SEAT] is None:
            self.is_seated = True
            await self.say("sit", room=ROOM, seat=SEAT)
            await self.say("ready", room=ROOM)
        if game and game["result"]:
            self.is_over = True
        elif game and game["toMove"] == SEAT and (game["turn"] != self.moved or WRONG == "duplicates"):
            self.moved = game["turn"]
            here = random.choice(list(view["legalMoves"]))
            to = {"from": here, "to": random.choice(view["legalMoves"][here])}
            await self.say("move", room=ROOM, turn=game["turn"], **to)

    async def follow(self, message):
        if self.version is None or (message["version"] <= self.version and WRONG != "duplicates"):
            return
        if message["version"] > self.version + 1 and WRONG != "gap":
            return await self.subscribe()
        self.version = message["version"]
        self.due = message["turn"] if message["next"] == SEAT else None
        for event in message["events"]:
            if event["type"] == "deploymentStarted":
                await self.say("submitFormation", room=ROOM, formation=http("/v1/random-formation")["formation"])
            if event["type"] == "turnSkipped" and WRONG == "missed":
                sys.exit("my turn is gone")
            self.is_over |= event["type"] == "gameEnded"
        if message["next"] == SEAT and not self.is_over:
            await self.subscribe(whole=True)

    async def connect(self):
        """Plays until the connection ends, and gives after how many seconds to come back; None: never."""
        protocols = ["junqi.v1", f"bearer.{self.token}"]
        address = SERVER.replace("http", "ws", 1) + "/v1/ws"
        async with websockets.connect(address, subprotocols=protocols, max_size=None) as self.socket:
            self.failures = 0
            await self.greet()
            try:
                async for text in self.socket:
                    await self.hear(json.loads(text))
                    if self.is_over:
                        return None
            except websockets.ConnectionClosed:
                pass
            if self.socket.close_code == 1012 and WRONG != "restart":
                return json.loads(self.socket.close_reason)["retryAfterMs"] / 1000
            return None if self.socket.close_code in FINAL else random.uniform(0, 1)

    async def keep_connected(self):
        """Like connect; a server that is not there, or takes nobody just now, is tried again, later and later."""
        try:
            return await self.connect()
        except (OSError, websockets.InvalidHandshake) as error:
            answer = getattr(error, "response", error)  # where it stands depends on the version of the library
            if WRONG == "refused" or getattr(answer, "status_code", None) in (401, 403):
                raise
            self.failures += 1
            return random.uniform(0.1, 0.2) * 2 ** min(self.failures, 6)


KNOWN = "welcome pong ack error event snapshot presence draft dropped said mutes onlookers seated seats".split()


async def main():
    client = Client()
    while (wait := await client.keep_connected()) is not None:
        if WRONG != "restart":
            await asyncio.sleep(wait)
    sys.exit(0 if client.is_over else 1)


asyncio.run(main())
