import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';

/** Where the study `spread-weights` finds it. */
export const writerPort = 8931;

/** Deviation of the logarithm of a weight: two of three lie within a factor of 4.5 of what is sensible. */
const spreadOfLog = 1.5;

/** What is sensible, per step. */
const centre = 2;

const terms: Readonly<Record<string, (weight: number) => string>> = {
  approach: (weight) =>
    `reward approach "Come near to a landmark" {\n  for a in agent\n  give -${weight} * distance(a, nearest(landmark)) / 1 m to a\n}`,
  apart: (weight) =>
    `reward apart "Keep away from each other" {\n  for a in agent\n  when any(b in ally(a) where distance(a, b) < 0.3 m)\n  give -${weight} to a\n}`,
};

/** The weight that a question's seed gives a term: log-normal around what is sensible, three digits. */
export function weightOf(seed: number, term: string): number {
  const digest = createHash('sha256').update(`${seed} ${term}`).digest();
  const radius = Math.sqrt(-2 * Math.log((digest.readUInt32LE(0) + 0.5) / 2 ** 32));
  const normal = radius * Math.cos((2 * Math.PI * digest.readUInt32LE(4)) / 2 ** 32);
  return Number((centre * Math.exp(spreadOfLog * normal)).toPrecision(3));
}

/** A proposal that writes both weights anew, as JSON. */
export function writeProposal(seed: number): string {
  const changes = Object.entries(terms).map(([name, edl]) => {
    const weight = weightOf(seed, name);
    return {
      op: 'modify',
      target: `reward ${name}`,
      edl: edl(weight),
      description: `Weigh ${name} with ${weight}.`,
      implementation_hint: 'distance',
      expected_impact: { metric: 'episode_return', direction: 'up', size: 'medium', why: 'a better balance' },
    };
  });
  return JSON.stringify({ analysis: 'The weights are out of balance.', changes, wishes: [] });
}

/**
 * A stand-in for a language model that has opinions about weights and changes them at every question: an endpoint on this machine,
 * in the form of OpenAI's chat completions. It reads nothing but the seed of the question, which run and round give, so
 * that every arm of a seed is told the same.
 */
export async function serveWeights(port = writerPort): Promise<Server> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { seed } = JSON.parse(body) as { seed: number };
      const message = { role: 'assistant', content: writeProposal(seed) };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }] }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return server;
}
