/** `resources/list`, `resources/templates/list` and `resources/read`. */
import { listPage } from '../pages.js';
import { elsewhere, type MethodFamily } from '../serving.js';

export const resources: MethodFamily = {
  'resources/list': {
    needs: 'resources',
    handle: (serving, call) =>
      listPage(serving, call, 'resources', serving.artifacts?.listFor(call.caller)),
  },
  'resources/templates/list': {
    needs: 'resources',
    handle: (serving, call) => listPage(serving, call, 'resourceTemplates'),
  },
  'resources/read': {
    needs: 'resources',
    handle: ({ catalog, desk }, call) =>
      desk.resume(call) ? elsewhere() : catalog.readResource(call.params['uri'] as string, call),
  },
};
