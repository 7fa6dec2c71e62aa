/** Findings as SARIF 2.1.0, which code hosts show beside the lines they are about. */
import { CHECKS } from './checks.js';
import type { Validated } from './validate.js';

export function asSarif(
  results: readonly Validated[],
  { file, version }: { file: string; version: string },
): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'mcpx',
            version,
            rules: Object.entries(CHECKS).map(([id, { title }]) => ({
              id,
              shortDescription: { text: title },
            })),
          },
        },
        results: results.flatMap(({ line, index, revision, findings }) =>
          findings.map(({ check, severity, pointer, message, allowed, exists, hint }) => ({
            ruleId: check,
            level: severity,
            message: { text: [`${pointer || '/'}: ${message}`, hint].filter(Boolean).join('. ') },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: file },
                  region: { startLine: line },
                },
                logicalLocations: [
                  { fullyQualifiedName: index === undefined ? pointer : `/${index}${pointer}` },
                ],
              },
            ],
            properties: { revision, allowed, exists },
          })),
        ),
      },
    ],
  };
}
