/**
 * A command line in a process that reports to the bench: `node command-line.mjs FILE ARGS…`. It is
 * reached where it first listens, at `/mcp`, so its port may be 0.
 */
import { Server } from 'node:net';
import { pathToFileURL } from 'node:url';
import { ready } from './process-report.mjs';

const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  Server.prototype.listen = listen;
  this.once('listening', () => ready(`http://127.0.0.1:${this.address().port}/mcp`));
  return listen.apply(this, args);
};

process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1]).href);
