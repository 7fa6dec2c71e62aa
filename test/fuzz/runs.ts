/** How often, and from which seed: `FUZZ_RUNS=5000 FUZZ_SEED=42 npx vitest run test/fuzz`. */
export function fuzzRuns(usual: number): { numRuns: number; seed: number } {
  const numRuns = Number(process.env['FUZZ_RUNS'] ?? usual);
  const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
  console.log(`FUZZ_RUNS=${numRuns} FUZZ_SEED=${seed}`);
  return { numRuns, seed };
}
