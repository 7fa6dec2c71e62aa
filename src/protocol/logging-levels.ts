/** Log levels by severity (RFC 5424, which the specification's logging page names). */
import type { LoggingLevel } from '../../generated/newest/types.js';

const SEVERITY: Readonly<Record<LoggingLevel, number>> = {
  debug: 0,
  info: 1,
  notice: 2,
  warning: 3,
  error: 4,
  critical: 5,
  alert: 6,
  emergency: 7,
};

export const LOGGING_LEVELS = Object.keys(SEVERITY) as readonly LoggingLevel[];

export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return typeof value === 'string' && Object.hasOwn(SEVERITY, value);
}

/** Whether somebody who asked for `wanted` is to see a message of `level`. */
export function isWanted(level: LoggingLevel, wanted: LoggingLevel): boolean {
  return SEVERITY[level] >= SEVERITY[wanted];
}
