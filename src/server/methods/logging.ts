/** `logging/setLevel`: for a session; the modern era names a level in each request instead. */
import { invalidParams } from '../../protocol/errors.js';
import { LOGGING_LEVELS, isLoggingLevel } from '../../protocol/logging-levels.js';
import type { MethodFamily } from '../serving.js';

export const logging: MethodFamily = {
  'logging/setLevel': {
    needs: 'logging',
    handle(_serving, { params, connection }) {
      const { level } = params;
      if (!isLoggingLevel(level)) {
        const pointer = '/params/level';
        throw invalidParams(`${pointer} has to be one of ${LOGGING_LEVELS.join(', ')}`, {
          pointer,
        });
      }
      // Without a session there is nobody to remember it for.
      if (connection?.legacyPeer !== undefined) {
        connection.legacyPeer = { ...connection.legacyPeer, logLevel: level };
      }
      return {};
    },
  },
};
