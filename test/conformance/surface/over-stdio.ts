/** The surface as a stdio server, for mcpx to pass through. */
import { createSurface } from './surface.js';

await createSurface().stdio();
