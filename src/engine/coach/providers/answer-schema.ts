/** Bounds of what a model may write, in characters. The parser holds every provider to them. */
export const textLimits = {
  analysis: 800,
  target: 80,
  edl: 600,
  description: 300,
  hint: 80,
  metric: 64,
  why: 300,
  wish: 200,
  wishes: 3,
  changes: 2,
} as const;

/**
 * The JSON schema a generating model is held to, in the subset that node-llama-cpp turns into a grammar. Names that
 * can be enumerated are, so that an unknown one cannot be written.
 */
export function answerSchema(metricNames: readonly string[]): object {
  const text = (maxLength: number, minLength = 0): object => ({ type: 'string', minLength, maxLength });
  const object = (properties: Record<string, object>): object => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const impact = object({
    metric: { enum: [...metricNames] },
    direction: { enum: ['up', 'down'] },
    size: { enum: ['small', 'medium', 'large'] },
    why: text(textLimits.why),
  });
  const change = object({
    op: { enum: ['add', 'modify', 'remove'] },
    target: text(textLimits.target, 1),
    edl: text(textLimits.edl),
    description: text(textLimits.description),
    implementation_hint: text(textLimits.hint),
    expected_impact: impact,
  });
  return object({
    analysis: text(textLimits.analysis),
    changes: { type: 'array', items: change, minItems: 1, maxItems: textLimits.changes },
    wishes: { type: 'array', items: text(textLimits.wish), maxItems: textLimits.wishes },
  });
}
