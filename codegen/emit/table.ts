/**
 * First in a table that is asked by names from the wire: `constructor` is in it only if it was put
 * there. TypeScript takes it for an entry, hence the cast.
 */
export const NO_PROTOTYPE = '__proto__: null as never,';
