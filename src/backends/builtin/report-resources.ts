/** The generated reports as resources. */
import type { LocalBackend } from '../local/backend.js';
import { reportNames, reportText } from '../../audit/reports.js';

const BASE = 'report:///';

export function addReports(backend: LocalBackend): void {
  for (const name of reportNames().filter((file) => file.endsWith('.md'))) {
    backend.addResource(
      {
        uri: `${BASE}${name}`,
        name,
        title: titleOf(name),
        mimeType: 'text/markdown',
      },
      () => reportText(name) ?? '',
    );
  }
  backend.addResourceTemplate(
    {
      uriTemplate: `${BASE}{file}`,
      name: 'report',
      title: 'A report, as Markdown or as JSON',
      complete: { file: (value) => reportNames().filter((name) => name.startsWith(value)) },
    },
    (uri, { file }) => {
      const text = reportText(String(file));
      if (text === undefined) return undefined;
      const mimeType = uri.endsWith('.json') ? 'application/json' : 'text/markdown';
      return { contents: [{ uri, mimeType, text }] };
    },
  );
}

function titleOf(name: string): string {
  const [what, ...rest] = name.replace('.md', '').split(/-(?=\d{4}-\d\d-\d\d)/);
  switch (what) {
    case 'client':
      return `What a ${rest.join()} client gets`;
    case 'diff':
      return `What changed from ${rest.join(' to ')}`;
    case 'matrix':
      return 'Every field, every revision';
    default:
      return 'All reports';
  }
}
