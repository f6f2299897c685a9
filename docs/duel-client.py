"""Plays a whole duel against a bot: python3 duel-client.py [http://127.0.0.1:8080]"""
import asyncio, itertools, json, random, sys, urllib.request
import websockets  # Debian has it as python3-websockets

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"

def http(path, body=None):  # a GET, or with a body a POST
    data = body and json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, data, {"content-type": "application/json"})
    return json.load(urllib.request.urlopen(request))

async def play(socket):
    ids, room, ready = itertools.count(1), {}, 0
    async def say(type, **fields):  # each message has an id of its own, and most are about the room
        await socket.send(json.dumps({"type": type, "id": f"py-{next(ids)}", **room, **fields}))

    await say("hello", client="duel-client/1")
    await say("createRoom", preset="duel", options={}, private=False)
    async for text in socket:
        message = json.loads(text)
        if message["type"] == "error":
            sys.exit(f"{message['code']}: {message['message']}")
        if message["type"] == "ack" and not room:  # the room is there: watch it, sit down
            room = {"room": message["room"]}
            await say("subscribe")
            await say("sit", seat="south")
            await say("addBot", seat="north", level="easy")
            await say("ready")
        if message["type"] == "snapshot" and message["view"]["game"]:  # asked for, to make a move
            moves = message["view"]["legalMoves"]  # by where a piece of ours is, where it may go
            here = random.choice(list(moves))
            target = {"from": here, "to": random.choice(moves[here])}
            await say("move", turn=message["view"]["game"]["turn"], **target)
        for event in message.get("events", []):  # what happened, in order
            ready += event["type"] == "readyChanged"
            if event["type"] == "readyChanged" and ready == 2:  # both; the bot was by itself
                await say("start")
            if event["type"] == "deploymentStarted":
                await say("submitFormation", formation=http("/v1/random-formation")["formation"])
            if event["type"] == "gameEnded":
                return f"{' and '.join(event['winners']) or 'nobody'} won: {event['reason']}"
        if message.get("next") == "south":  # our turn
            await say("subscribe")

async def main():
    protocols = ["junqi.v1", "bearer." + http("/v1/guests", {"name": "Fifty Lines"})["token"]]
    address = SERVER.replace("http", "ws", 1) + "/v1/ws"
    async with websockets.connect(address, subprotocols=protocols, max_size=None) as socket:
        print(await play(socket))
asyncio.run(main())
