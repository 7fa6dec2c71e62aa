/** `completion/complete`. */
import type { CompleteRequestParams } from '../../../generated/newest/types.js';
import type { MethodFamily } from '../serving.js';

/** The schema of every revision allows no more (server/utilities/completion). */
const MAX_VALUES = 100;

export const completion: MethodFamily = {
  'completion/complete': {
    needs: 'completions',
    async handle({ catalog }, call) {
      const params = call.params as unknown as CompleteRequestParams;
      const result = await catalog.complete(params, call);
      const { values, total } = result.completion;
      if (values.length <= MAX_VALUES) return result;
      return {
        ...result,
        completion: {
          ...result.completion,
          values: values.slice(0, MAX_VALUES),
          total: total ?? values.length,
          hasMore: true,
        },
      };
    },
  },
};
