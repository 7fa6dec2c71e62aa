import { createServer } from 'mcpx';

const recipes: Record<string, Record<string, string>> = {
  soup: { leek: 'Leeks, potatoes, stock.', lentil: 'Lentils, carrots, cumin.' },
  dessert: { crumble: 'Apples, butter, oats.' },
};

const server = createServer({ name: 'recipes', version: '1.0.0' });

server.resource({ uri: 'recipe://index', name: 'index', mimeType: 'application/json' }, () =>
  JSON.stringify(Object.fromEntries(courses().map((course) => [course, names(course)]))),
);

server.resourceTemplate(
  {
    uriTemplate: 'recipe://{course}/{name}',
    name: 'recipe',
    mimeType: 'text/plain',
    complete: {
      course: (begun) => courses().filter((course) => course.startsWith(begun)),
      // What the user has settled already narrows what can follow.
      name: (begun, { course = '' }) => names(course).filter((name) => name.startsWith(begun)),
    },
  },
  // Undefined: there is no such resource.
  (_uri, { course = '', name = '' }) => recipes[course]?.[name],
);

function courses(): string[] {
  return Object.keys(recipes);
}

function names(course: string): string[] {
  return Object.keys(recipes[course] ?? {});
}

await server.stdio();
