/** `mcpx probe` as a process of its own, with what it reports. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Reported } from '../../src/cli/probe/report.js';

export const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface ProbeReport {
  readonly code: number;
  /** One for each revision that was asked for. */
  readonly results: Reported[];
}

/** `args`: as on the command line, options before the target. */
export function probe(...args: string[]): Promise<ProbeReport> {
  const command = ['--import', 'tsx', MAIN, 'probe', '--format', 'json', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, (error, stdout) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, results: JSON.parse(stdout) as Reported[] });
    });
  });
}
