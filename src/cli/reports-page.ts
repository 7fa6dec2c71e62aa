/** `/reports`: the generated reports, for whoever has a browser and not the package at hand. */
import type { FastifyPluginCallback } from 'fastify';
import { reportText } from '../audit/reports.js';

const PAGE = 'index.html';
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
};

/** The page runs its own script, asks nobody for anything, and stands in nobody's frame. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export const reportsPage: FastifyPluginCallback = (app, _options, done) => {
  app.get('/reports', (_request, reply) => reply.redirect('/reports/'));
  app.get<{ Params: { '*': string } }>('/reports/*', (request, reply) => {
    const name = request.params['*'] || PAGE;
    const text = reportText(name);
    const type = TYPES[name.split('.').at(-1) ?? ''];
    if (text === undefined || type === undefined) {
      return reply.code(404).type('text/plain').send(`There is no report ${name}\n`);
    }
    return reply
      .headers({
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .type(type)
      .send(text);
  });
  done();
};
