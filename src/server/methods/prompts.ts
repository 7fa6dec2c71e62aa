/** `prompts/list` and `prompts/get`. */
import { listPage } from '../pages.js';
import { elsewhere, type MethodFamily } from '../serving.js';

export const prompts: MethodFamily = {
  'prompts/list': {
    needs: 'prompts',
    handle: (serving, call) => listPage(serving, call, 'prompts'),
  },
  'prompts/get': {
    needs: 'prompts',
    handle({ catalog, desk }, call) {
      if (desk.resume(call)) return elsewhere();
      const { name, arguments: args } = call.params as {
        name: string;
        arguments?: Record<string, string>;
      };
      return catalog.getPrompt(name, args ?? {}, call);
    },
  },
};
