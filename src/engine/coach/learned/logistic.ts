/** A fitted logistic regression: log-odds are bias + Σ weights × (x − means) / scales. */
export interface Logistic {
  readonly bias: number;
  readonly weights: number[];
  readonly means: number[];
  readonly scales: number[];
}

/** Newton steps at most; a convex problem of this size takes about six. */
const maxSteps = 50;
const tolerance = 1e-10;

/**
 * Ridge logistic regression on standardised columns, exactly: the penalised likelihood is strictly convex, so that Newton's
 * method finds its one optimum without seed, rate or stopping rule to choose. Labels are probabilities, 0..1; the bias is
 * not penalised.
 *
 * Requires: rows of one length, a label for each; ridge > 0. Cost: O(steps × (rows × columns² + columns³)).
 */
export function fitLogistic(
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  ridge: number,
): Logistic {
  const columns = rows[0]?.length ?? 0;
  const means = Array.from({ length: columns }, (_, j) => meanOf(rows, (row) => row[j] ?? 0));
  const scales = means.map((center, j) => {
    const deviation = Math.sqrt(meanOf(rows, (row) => ((row[j] ?? 0) - center) ** 2));
    // A column that never changes tells nothing, and stays at 0; its mean is rounded.
    return deviation <= 1e-9 * Math.abs(center) ? 1 : deviation;
  });
  const inputs = rows.map((row) => [1, ...row.map((x, j) => (x - (means[j] ?? 0)) / (scales[j] ?? 1))]);
  let at: number[] = Array(columns + 1).fill(0);
  for (let step = 0; step < maxSteps; step++) {
    const move = newtonStep(inputs, labels, at, ridge);
    let size = 1;
    // Far from the optimum a whole step may overshoot.
    while (
      size > 1e-6 &&
      lossOf(inputs, labels, shifted(at, move, size), ridge) > lossOf(inputs, labels, at, ridge)
    )
      size /= 2;
    at = shifted(at, move, size);
    if (Math.max(...move.map(Math.abs)) < tolerance) break;
  }
  const [bias = 0, ...weights] = at;
  return { bias, weights, means, scales };
}

/** The probability that a fitted model gives. */
export function predict({ bias, weights, means, scales }: Logistic, row: readonly number[]): number {
  const odds = weights.reduce(
    (sum, weight, j) => sum + (weight * ((row[j] ?? 0) - (means[j] ?? 0))) / (scales[j] ?? 1),
    bias,
  );
  return sigmoid(odds);
}

export function sigmoid(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

function meanOf(rows: readonly (readonly number[])[], of: (row: readonly number[]) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0) / Math.max(1, rows.length);
}

function shifted(at: readonly number[], move: readonly number[], size: number): number[] {
  return at.map((value, j) => value - size * (move[j] ?? 0));
}

function oddsOf(input: readonly number[], at: readonly number[]): number {
  return input.reduce((sum, x, j) => sum + x * (at[j] ?? 0), 0);
}

function lossOf(
  inputs: readonly (readonly number[])[],
  labels: readonly number[],
  at: readonly number[],
  ridge: number,
): number {
  const penalty = at.slice(1).reduce((sum, weight) => sum + weight ** 2, 0);
  return inputs.reduce(
    (sum, input, i) => {
      const odds = oddsOf(input, at);
      // log(1 + e^odds) − label × odds, without overflow.
      return sum + Math.max(0, odds) + Math.log1p(Math.exp(-Math.abs(odds))) - (labels[i] ?? 0) * odds;
    },
    (ridge * penalty) / 2,
  );
}

/** H⁻¹g of the penalised loss. */
function newtonStep(
  inputs: readonly (readonly number[])[],
  labels: readonly number[],
  at: readonly number[],
  ridge: number,
): number[] {
  const gradient = at.map((weight, j) => (j === 0 ? 0 : ridge * weight));
  // The bias alone is not penalised: a little keeps the matrix regular where all labels are 0 or 1.
  const hessian = at.map((_, j) => at.map((_weight, k) => (j !== k ? 0 : j === 0 ? 1e-9 : ridge)));
  for (const [i, input] of inputs.entries()) {
    const p = sigmoid(oddsOf(input, at));
    const error = p - (labels[i] ?? 0);
    const weight = p * (1 - p);
    for (const [j, x] of input.entries()) {
      gradient[j] = (gradient[j] ?? 0) + error * x;
      const row = hessian[j];
      if (row === undefined || x === 0) continue;
      for (const [k, y] of input.entries()) row[k] = (row[k] ?? 0) + weight * x * y;
    }
  }
  return solvePositive(hessian, gradient);
}

/** x of Ax = b for a symmetric positive definite A, by Cholesky's factors. */
function solvePositive(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const n = b.length;
  const low: number[][] = Array.from({ length: n }, () => Array<number>(n).fill(0));
  const of = (j: number, k: number): number => low[j]?.[k] ?? 0;
  for (let j = 0; j < n; j++) {
    for (let k = 0; k <= j; k++) {
      let sum = a[j]?.[k] ?? 0;
      for (let m = 0; m < k; m++) sum -= of(j, m) * of(k, m);
      const row = low[j];
      if (row !== undefined) row[k] = j === k ? Math.sqrt(sum) : sum / of(k, k);
    }
  }
  const forward: number[] = [];
  for (let j = 0; j < n; j++) {
    let sum = b[j] ?? 0;
    for (let k = 0; k < j; k++) sum -= of(j, k) * (forward[k] ?? 0);
    forward.push(sum / of(j, j));
  }
  const solution: number[] = Array<number>(n).fill(0);
  for (let j = n - 1; j >= 0; j--) {
    let sum = forward[j] ?? 0;
    for (let k = j + 1; k < n; k++) sum -= of(k, j) * (solution[k] ?? 0);
    solution[j] = sum / of(j, j);
  }
  return solution;
}
