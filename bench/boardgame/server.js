// A boardgame.io server with one game, whose state holds as many bytes as our news have.
//   node server.js SIZE
const { Server } = require("boardgame.io/server");

const news = "x".repeat(Number(process.argv[2]));
const game = {
  name: "bench",
  setup: () => ({ moves: 0, news }),
  moves: { go: ({ G }) => { G.moves += 1; } },
};

const server = Server({ games: [game], origins: ["http://localhost"] });
const listen = server.app.listen.bind(server.app);
server.app.listen = (_port, ...rest) => listen(0, "127.0.0.1", ...rest);  // Not for the network.
const write = console.log;
console.log = console.info = () => {};
server.run(0).then(({ appServer }) => write(JSON.stringify([appServer.address().port])));
