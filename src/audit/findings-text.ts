/** Findings as a person reads them: one paragraph each, and the sum. */
import type { Validated } from './validate.js';

export function findingsAsText(file: string, results: readonly Validated[]): string {
  const paragraphs = results.flatMap(({ line, index, revision, method, findings }) =>
    findings.map(({ check, severity, pointer, message, allowed, exists, hint }) => {
      const where = index === undefined ? `${file}:${line}` : `${file}[${index}]`;
      const what = [revision, method].filter((part) => part !== undefined).join(' ');
      return [
        `${where}: ${severity} ${check} at ${pointer || '/'}: ${message}`,
        ...(what === '' ? [] : [`    judged as ${what}`]),
        ...(allowed === undefined ? [] : [`    the revision has: ${allowed}`]),
        ...(exists === undefined ? [] : [`    exists: ${exists}`]),
        ...(hint === undefined ? [] : [`    hint: ${hint}`]),
      ].join('\n');
    }),
  );
  return `${[...paragraphs, sum(results)].join('\n')}\n`;
}

function sum(results: readonly Validated[]): string {
  const findings = results.flatMap((result) => result.findings);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  return `${count(results.length, 'message')}: ${count(errors, 'error')}, ${count(warnings, 'warning')}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
