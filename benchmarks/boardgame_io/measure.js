// How many moves a second boardgame.io takes: `node measure.js memory|files CLIENTS MOVES BYTES FOLDER`, from a folder
// where the packages of package.json are installed.
//
// The server and its clients are two processes, as ours are: this one is the clients, and starts itself once more as
// the server. Each client has a match and a connection of its own, and sends its next move when the one before was
// answered. The state is as large as one of ours. Prints {"seconds", "latencies": [seconds], "cpu": seconds of the
// server's processor}.

const { fork } = require("child_process");
const [kind, clients, moves, bytes, folder] = process.argv.slice(2);

const game = {
  name: "table",
  setup: () => ({ filler: "x".repeat(Number(bytes)), played: 0 }),
  moves: { play: ({ G }) => ({ ...G, played: G.played + 1 }) },
};

async function serve() {
  const { Server, FlatFile, Origins } = require("boardgame.io/server");
  const db = kind === "files" ? new FlatFile({ dir: folder, logging: false }) : undefined;
  const server = Server({ games: [game], db, origins: [Origins.LOCALHOST] });
  const probe = require("net").createServer().listen(0); // 0 would be its own port 8000
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  await server.run({ port, callback: () => {} });
  process.on("message", (said) => {
    if (said === "cpu") process.send({ cpu: process.cpuUsage() });
    else process.exit(0);
  });
  process.send({ port });
}

async function play(url, matchID) {
  const { io } = require("socket.io-client");
  const socket = io(`${url}/table`, { transports: ["websocket"] });
  const state = await new Promise((resolve) => {
    socket.on("sync", (id, info) => resolve(info.state));
    socket.on("connect", () => socket.emit("sync", matchID, "0", undefined, 2));
  });
  const payload = { type: "play", args: [], playerID: "0" };
  const move = (stateID) =>
    new Promise((resolve) => {
      socket.once("update", (id, next) => resolve(next._stateID));
      socket.emit("update", { type: "MAKE_MOVE", payload }, stateID, matchID, "0");
    });
  return { socket, move, stateID: state._stateID };
}

async function main() {
  const child = fork(__filename, [...process.argv.slice(2)], { env: { ...process.env, SERVE: "1" }, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const hear = () => new Promise((resolve) => child.once("message", resolve));
  const url = `http://localhost:${(await hear()).port}`;
  const players = [];
  for (let number = 0; number < Number(clients); number++) players.push(await play(url, `match-${number}`));
  const run = async (player, count, latencies) => {
    for (let number = 0; number < count; number++) {
      const begun = process.hrtime.bigint();
      player.stateID = await player.move(player.stateID);
      latencies.push(Number(process.hrtime.bigint() - begun) / 1e9);
    }
  };
  const cpu = async () => {
    child.send("cpu");
    const { user, system } = (await hear()).cpu;
    return (user + system) / 1e6;
  };
  await Promise.all(players.map((player) => run(player, 20, []))); // until it is warm
  const latencies = [];
  const before = await cpu();
  const begun = process.hrtime.bigint();
  await Promise.all(players.map((player) => run(player, Number(moves), latencies)));
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
  const spent = (await cpu()) - before;
  child.send("end");
  process.stdout.write(JSON.stringify({ seconds, latencies, cpu: spent, refused: [] }) + "\n");
  process.exit(0);
}

if (process.env.SERVE) serve();
else main();
