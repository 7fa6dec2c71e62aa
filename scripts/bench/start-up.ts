/** From the start of a process to its first right answer, and what it holds then. */
import { HttpLoad, type Served } from './http-load.js';
import type { Asked } from './requests.js';
import { ServerProcess, type Launch } from './server-process.js';

export interface StartUp {
  readonly ms: number;
  /** Processor time, in milliseconds. */
  readonly cpu: number;
  readonly rss: number;
}

export async function measureStartUp(name: string, launch: Launch, asked: Asked): Promise<StartUp> {
  const started = performance.now();
  const process = await ServerProcess.start(launch);
  try {
    const served: Served = { name, process, path: () => '/mcp', knowsSessions: true };
    const load = await HttpLoad.open(served, asked, 1);
    await load.once();
    const ms = performance.now() - started;
    const { cpu, rss } = await process.usage();
    load.close();
    return { ms, cpu: cpu / 1000, rss };
  } finally {
    await process.stop();
  }
}
