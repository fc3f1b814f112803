import type { GenerateRequest } from '../../types.ts';

/** Parameters that not every endpoint takes; `max_tokens` is then sent under its newer name. */
const optional = ['response_format', 'temperature', 'seed', 'max_tokens'] as const;
export type OptionalParameter = (typeof optional)[number];

/** The body of a chat completion, without the parameters that the endpoint refused. */
export function chatRequest(
  model: string,
  { prompt, schema, temperature, seed, maxTokens }: GenerateRequest,
  refused: ReadonlySet<OptionalParameter>,
): Readonly<Record<string, unknown>> {
  const parameters = {
    temperature,
    seed,
    max_tokens: maxTokens,
    ...(schema !== undefined && {
      response_format: { type: 'json_schema', json_schema: { name: 'proposal', strict: true, schema } },
    }),
  };
  return {
    model,
    messages: [{ role: 'user', content: prompt }],
    stream: false,
    ...Object.fromEntries(
      Object.entries(parameters).filter(([name]) => !refused.has(name as OptionalParameter)),
    ),
    ...(refused.has('max_tokens') && { max_completion_tokens: maxTokens }),
  };
}

/**
 * The parameter that a refusal is about and that the request had: the one it names; where it names none, the schema, which most
 * often is not known. Null: nothing is left to leave out.
 */
export function refusedParameter(
  request: Readonly<Record<string, unknown>>,
  { param, message }: { readonly param: string; readonly message: string },
): OptionalParameter | null {
  const sent = optional.filter((name) => name in request);
  const named =
    sent.find((name) => param === name || param.startsWith(`${name}.`)) ??
    sent.find((name) => message.includes(name));
  return named ?? sent.find((name) => name === 'response_format') ?? null;
}
