/** Another configuration while mcpx serves: backends that it does not touch go on as if nothing were. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { ConfigProblem } from '../config/problem.js';
import { watchFile } from './watch-file.js';

/** Editors write a file in several steps; in milliseconds. */
const SETTLED = 200;

export interface Reloading {
  readonly file: string;
  /** Rejects with `ConfigProblem`. */
  readonly load: () => Promise<Config>;
  /** Has it take effect, as far as that goes at once. */
  readonly take: (config: Config) => void;
  readonly logger: Logger;
}

/** On SIGHUP, and when the file changes. One that cannot be used is told of, and the last one stays. */
export function reloadOnChange({ file, load, take, logger }: Reloading): void {
  let current: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const again = async (): Promise<void> => {
    try {
      const config = await load();
      for (const remark of config.remarks) logger.info(remark);
      for (const warning of config.warnings) logger.warn(warning);
      take(config);
    } catch (error) {
      const why = error instanceof ConfigProblem ? error.message : (error as Error).stack;
      logger.error(`the configuration stays as it was: ${why}`);
    }
  };
  const soon = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      current = current.then(again);
    }, ms);
  };
  process.on('SIGHUP', () => soon(0));
  watchFile(
    file,
    () => soon(SETTLED),
    (error) =>
      logger.warn({ err: error }, 'the configuration is not watched; SIGHUP has it read again'),
  );
}
