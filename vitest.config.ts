import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // End-to-end tests start real processes; a slow machine must not look like a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What one test learns of an upstream is not for the next, nor for whoever runs them.
    env: { MCPX_UPSTREAM_ERA_CACHE: 'false' },
  },
});
