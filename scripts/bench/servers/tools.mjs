/** The tools that every server of the bench has: `echo`, and others that make the list long. */

const WORDS = ['ledger', 'parcel', 'meadow', 'signal', 'harbour', 'lantern', 'quarry', 'orchard'];

export const INFO = { name: 'bench', version: '1.0.0' };

export const ECHO = {
  name: 'echo',
  description: 'Says what it is told.',
  inputSchema: {
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  },
};

/** `count` tools, `echo` the first. About 280 bytes of JSON each, as in a small server. */
export function toolsOf(count) {
  const others = Array.from({ length: count - 1 }, (_, at) => {
    const word = WORDS[at % WORDS.length];
    return {
      name: `find_${word}_${at + 1}`,
      description: `Finds the ${word} numbered ${at + 1} by its name, and says who keeps it.`,
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: `Name of the ${word}` },
          limit: { type: 'integer', description: 'Most answers to give' },
        },
        required: ['name'],
      },
    };
  });
  return [ECHO, ...others];
}
