// Viewers of a boardgame.io match over its WebSocket; prints the lines that viewers.c prints.
//   node viewers.js PORT PID VIEWERS STALLED REQUESTS PAUSE_MS TIMEOUT_MS
// The frames are not parsed while it is measured; the answer is the news as its sender has it.
const fs = require("fs");
const WebSocket = require("ws");

const [port, pid, viewers, stalled, requests, pause, timeout] = process.argv.slice(2).map(Number);
const NEWS = '42/bench,["update"';
const TICK_NS = 10_000_000;  // Of the figures in /proc/PID/stat.
const lines = [];
let received = 0, watching = [];

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const now = () => Number(process.hrtime.bigint());

function usedNs() {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_NS;
}

// Connect, enter the match, and resolve when its whole state has come.
function connect(match, player) {
  const viewer = { heard: 0, socket: new WebSocket(
    `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`,
    { origin: "http://localhost", perMessageDeflate: false },
  ) };
  return new Promise((entered, failed) => {
    viewer.socket.on("error", failed);
    viewer.socket.on("message", (data) => {
      const at = now();
      received += data.length;
      const text = data.subarray(0, 24).toString();
      if (text.startsWith(NEWS)) viewer.heard = at;
      else if (text.startsWith("0")) viewer.socket.send("40/bench,");
      else if (text.startsWith("40/bench")) {
        viewer.socket.send(`42/bench,${JSON.stringify(["sync", match, player, null, 2])}`);
      } else if (text.startsWith('42/bench,["sync"')) entered(viewer);
      else if (text === "2") viewer.socket.send("3");
    });
  });
}

async function sendMove(match, state) {
  const move = { type: "MAKE_MOVE", payload: { type: "go", args: [], playerID: "0" } };
  received = 0;
  const begun = now(), deadline = begun + timeout * 1e6;
  watching[0].socket.send(`42/bench,${JSON.stringify(["update", move, state, match, "0"])}`);
  let reached = 0;
  while (reached < watching.length && now() < deadline) {
    await sleep(pause);
    reached = watching.filter((viewer) => viewer.heard > begun).length;
  }
  const waits = watching.map((viewer) => viewer.heard - begun).filter((wait) => wait > 0);
  return [watching[0].heard - begun, Math.min(...waits), Math.max(...waits), reached, received];
}

async function main() {
  const matchID = `match-${process.pid}`;  // Made by the first who enters.
  for (let n = 0; n < viewers; n += 1) {
    const viewer = await connect(matchID, n === 0 ? "0" : null);
    if (n < viewers - stalled) watching.push(viewer);
    else viewer.socket._socket.pause();
  }
  lines.push(`opened ${watching.length} ${received} 0`);
  const own = process.cpuUsage(), used = usedNs(), heard = [];
  for (let state = 0; state < requests; state += 1) heard.push(await sendMove(matchID, state));
  const cpu = Math.round((usedNs() - used) / requests), spent = process.cpuUsage(own);
  for (const [answer, first, last, reached, bytes] of heard) {
    lines.push(["1", "200", answer, first, last, reached, cpu, bytes].join(" "));
  }
  lines.push(`client ${(spent.user + spent.system) * 1000}`);
  fs.writeSync(1, `${lines.join("\n")}\n`);
  process.exit(0);
}

main().catch((error) => { console.error(String(error)); process.exit(1); });
