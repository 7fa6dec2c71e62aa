/** The surface over HTTP, on a free port; prints the URL. */
import { createSurface } from './surface.js';

const server = createSurface();
const { url } = await server.http({ host: '127.0.0.1', port: 0 });
console.log(url);
process.once('SIGTERM', () => void server.close());
