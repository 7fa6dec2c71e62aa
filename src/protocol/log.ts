/** What mcpx needs of a logger; pino fits as it is. Nothing of it ever goes to stdout. */
export interface Logger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

const nothing = (): void => undefined;

export const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
