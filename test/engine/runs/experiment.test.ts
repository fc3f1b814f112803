import { describe, expect, test } from 'vitest';
import { type ExperimentHost, parseExperiment, requireExperiment } from '../../../src/engine/runs/index.ts';
import { toyEdl, toyText } from '../../support/toy/toy-edl.ts';
import { toyLearners } from '../../support/toy/toy-learner.ts';

const files: Record<string, string> = {
  'environments/toy.edl': toyText(0.5),
  'environments/clean.edl': toyText(0),
  'environments/broken.edl': 'environment broken extends nowhere {}',
  'prompts/coach.md': 'Propose.',
};

const host: ExperimentHost = {
  readText: (path) => files[path] ?? null,
  exists: (path) => path === 'models/tiny.gguf',
  scenarios: () => ['toy', 'simple_spread'],
  edl: toyEdl,
  learners: toyLearners,
  checkPrompt: (text) => (text.includes('{{nothing}}') ? ['unknown variable "nothing"'] : []),
};

const sound = `name: adversary-coached
environment: environments/toy.edl
learner: {algorithm: ippo, hidden: 16}
budget: {steps: 10_000, rounds: 4}
seeds: [1, 2, 3]
objective: {metric: episode_return, group: agent, environment: environments/clean.edl}
coach: {provider: rules, trigger: {plateau: 20}, mode: automatic, lag: 0, candidates: 2, whatif: {share: 25%, seeds: 2, retest: 4}}
arms: [{name: fixed, coach: none}, {name: random, coach: {provider: random}}, {name: coached}]
`;

function problemsOf(text: string): string[] {
  return parseExperiment(text, 'experiments/x.yaml', host).problems.map(
    ({ line, column, message }) => `${line}:${column} ${message}`,
  );
}

/** The sound file with one line replaced. */
function withLine(key: string, line: string): string {
  const replaced = sound.replace(new RegExp(`^${key}:.*$`, 'm'), line);
  if (replaced === sound) throw new Error(`no line "${key}"`);
  return replaced;
}

describe('parseExperiment', () => {
  test('fills in defaults and gives every arm what it inherits', () => {
    const { experiment, problems } = parseExperiment(sound, 'experiments/x.yaml', host);
    expect(problems).toEqual([]);
    expect(experiment).toMatchObject({
      name: 'adversary-coached',
      budget: { steps: 10_000, rounds: 4 },
      seeds: [1, 2, 3],
      evaluateEverySteps: 500,
      objective: { metric: 'episode_return', group: 'agent', better: 'higher', episodes: 256 },
    });
    const [fixed, random, coached] = experiment?.arms ?? [];
    expect(fixed?.coach.provider).toBe('none');
    expect(random?.coach).toEqual({ ...coached?.coach, provider: 'random' });
    expect(coached?.coach).toMatchObject({
      trigger: { interval: null, plateau: 20, minDelta: 0, issue: false },
      whatif: { share: 0.25, seeds: 2, retest: 4, episodes: 2048 },
    });
    expect(coached?.learner).toEqual({ ...toyLearners.defaults.ippo, hidden: 16 });
  });

  test('a bare scenario is an environment that changes nothing', () => {
    const { experiment } = parseExperiment(withLine('environment', 'environment: toy'), 'x.yaml', host);
    expect(experiment?.arms[0]?.environment).toMatchObject({ path: null, compiled: { scenario: 'toy' } });
  });

  test('opponents hold for training and objective; those of the objective for it alone', () => {
    const both = parseExperiment(`${sound}opponents: {rival: first}\n`, 'x.yaml', host).experiment;
    expect([both?.opponents, both?.objective.opponents]).toEqual([{ rival: 'first' }, { rival: 'first' }]);
    const line = 'objective: {metric: coverage, group: agent, environment: toy, opponents: {rival: last}}';
    const one = parseExperiment(withLine('objective', line), 'x.yaml', host).experiment;
    expect([one?.opponents, one?.objective.opponents]).toEqual([{}, { rival: 'last' }]);
  });

  test('arms take up changes of rewards as they are told, none by none', () => {
    const arms =
      'arms: [{name: a}, {name: b, coach: {shaping: {smoothing: none, share: none, term: none}}}, {name: c, coach: {shaping: {freeze: 100}}}]';
    const text = withLine('arms', arms).replace(
      'coach: {',
      'coach: {shaping: {freeze: 5000, ceiling: none}, ',
    );
    const { experiment, problems } = parseExperiment(text, 'x.yaml', host);
    expect(problems).toEqual([]);
    expect(experiment?.arms.map(({ coach }) => coach.shaping)).toEqual([
      { smoothing: 0.2, freeze: 5000, share: 1, term: 1, ceiling: null },
      { smoothing: 1, freeze: 5000, share: null, term: null, ceiling: null },
      { smoothing: 0.2, freeze: 100, share: 1, term: 1, ceiling: null },
    ]);
  });

  test('the best of an objective is said, or the end of a share', () => {
    const bestOf = (objective: string) =>
      parseExperiment(withLine('objective', `objective: {${objective}, group: agent}`), 'x.yaml', host)
        .experiment?.objective.best;
    expect(bestOf('metric: episode_return')).toBeNull();
    expect(bestOf('metric: episode_return, best: -8.8')).toBe(-8.8);
    expect(bestOf('metric: coverage')).toBe(1);
  });

  test('an edit that failed rests for two rounds unless told otherwise', () => {
    const arms = 'arms: [{name: a}, {name: b, coach: {coolDown: 0}}]';
    const { experiment } = parseExperiment(withLine('arms', arms), 'x.yaml', host);
    expect(experiment?.arms.map(({ coach }) => coach.coolDown)).toEqual([2, 0]);
  });

  test('a coach remembers where a block says so, with defaults; arms that draw or repeat never do', () => {
    const arms =
      'arms: [{name: a, coach: {memory: none}}, {name: b}, {name: c, coach: {memory: {reuse: none, examples: 0}}}, {name: d, coach: {provider: random}}]';
    const text = withLine('arms', arms).replace(/^coach:.*$/m, 'coach: {memory: {}}');
    const { experiment, problems } = parseExperiment(text, 'x.yaml', host);
    expect(problems).toEqual([]);
    expect(experiment?.arms.map(({ coach }) => coach.memory)).toEqual([
      null,
      { examples: 3, reuse: 0.9, vectors: 'auto' },
      { examples: 0, reuse: null, vectors: 'auto' },
      null,
    ]);
  });

  test('how a model is loaded is of arms that have one, key by key over what is inherited', () => {
    const text = withLine(
      'arms',
      'arms: [{name: a}, {name: b, coach: {llama: {gpu: 12, timeout: 60}}}, {name: c, coach: {provider: rules}}, {name: d, coach: {provider: random}}]',
    ).replace(
      /^coach:.*$/m,
      'coach: {provider: llama, model: models/tiny.gguf, llama: {context: 2048, adapters: [{file: models/tiny.gguf}]}}',
    );
    const { experiment, problems } = parseExperiment(text, 'x.yaml', host);
    expect(problems).toEqual([]);
    const adapters = [{ file: 'models/tiny.gguf', scale: 1 }];
    expect(experiment?.arms.map(({ coach }) => coach.llama)).toEqual([
      { context: 2048, gpu: 'auto', timeout: null, adapters },
      { context: 2048, gpu: 12, timeout: 60, adapters },
      undefined,
      undefined,
    ]);
  });

  test('an endpoint is of arms that ask one, and its answers are waited for while the next round trains', () => {
    const arms =
      'arms: [{name: a}, {name: b, coach: {model: other, http: {timeout: 60}}}, {name: c, coach: {provider: random}}, {name: d, coach: {http: {url: "https://elsewhere.example/v1"}}}]';
    const text = withLine('arms', arms).replace(
      /^coach:.*$/m,
      'coach: {provider: http, model: big, http: {url: "https://models.example/v1", key: MODEL_KEY}}',
    );
    const { experiment, problems } = parseExperiment(text, 'x.yaml', host);
    expect(problems).toEqual([]);
    const http = { url: 'https://models.example/v1', key: 'MODEL_KEY', timeout: 300, context: 8192 };
    expect(experiment?.arms.map(({ coach }) => [coach.http, coach.lag])).toEqual([
      [http, 1],
      [{ ...http, timeout: 60 }, 1],
      [undefined, 0],
      [{ ...http, url: 'https://elsewhere.example/v1', key: null }, 1],
    ]);
  });

  test('without such a block an arm is what it was before there were any', () => {
    const text = withLine('coach', 'coach: {provider: llama, model: models/tiny.gguf}');
    for (const { coach } of parseExperiment(text, 'x.yaml', host).experiment?.arms ?? [])
      expect(coach).not.toHaveProperty('llama');
  });

  test('a coach may write all but the curriculum, unless it is given other kinds', () => {
    const arms = 'arms: [{name: a}, {name: b, coach: {may: [set, stage]}}]';
    const { experiment } = parseExperiment(withLine('arms', arms), 'x.yaml', host);
    expect(experiment?.arms.map(({ coach }) => coach.may)).toEqual([
      ['reward', 'rule', 'set', 'event', 'npc', 'constraint'],
      ['set', 'stage'],
    ]);
  });

  test('a language model thinks with lag 1 unless told otherwise', () => {
    const text = withLine(
      'coach',
      'coach: {provider: llama, model: models/tiny.gguf, prompt: prompts/coach.md}',
    );
    const { experiment } = parseExperiment(text, 'x.yaml', host);
    expect(experiment?.arms[2]?.coach).toMatchObject({ lag: 1, proposing: 'auto', trigger: { issue: true } });
    expect(experiment?.prompts).toEqual([{ path: 'prompts/coach.md', text: 'Propose.' }]);
  });

  test.each([
    [
      'an unknown key names its place and the nearest known one',
      withLine('learner', 'learner: {algoritm: ippo}'),
      '3:11 unknown key "algoritm" in "learner"; did you mean "algorithm"?',
    ],
    ['an unknown top-level key', `${sound}buget: 1\n`, '9:1 unknown key "buget"; did you mean "budget"?'],
    [
      'an unknown key inside a union',
      withLine('coach', 'coach: {provider: rules, trigger: {interval: 2, platau: 3}}'),
      '7:49 unknown key "platau" in "coach.trigger"; did you mean "plateau"?',
    ],
    [
      'an unknown key in an arm',
      withLine('arms', 'arms: [{name: a, coch: none}]'),
      '8:18 unknown key "coch" in "arms.0"; did you mean "coach"?',
    ],
    [
      'a learner that is not there',
      withLine('learner', 'learner: {algorithm: mapo}'),
      '3:11 "learner.algorithm": must be one of ppo, ippo, mappo, vdn, qmix',
    ],
    ['budget 0', withLine('budget', 'budget: {steps: 0, rounds: 4}'), '4:10 "budget.steps": must be above 0'],
    [
      'a budget below one iteration a round',
      withLine('budget', 'budget: {steps: 60, rounds: 4}'),
      '4:10 60 steps in 4 rounds leave 15 a round, less than one iteration of arm "fixed" (numEnvs × numSteps = 20); raise the budget or lower numEnvs, numSteps or rounds',
    ],
    [
      'a minibatch larger than an iteration',
      withLine('learner', 'learner: {minibatchSize: 21}'),
      '3:11 minibatchSize 21 of arm "fixed" is more than one iteration gives (numEnvs × numSteps × agents of a group = 20)',
    ],
    ['no seeds', withLine('seeds', 'seeds: []'), '5:1 "seeds": must have at least 1 entry'],
    ['a seed twice', withLine('seeds', 'seeds: [1, 1]'), '5:1 "seeds": every seed once'],
    [
      'a missing environment',
      withLine('environment', 'environment: environments/gone.edl'),
      '2:1 there is no file "environments/gone.edl" in the workspace',
    ],
    [
      'a misspelt scenario',
      withLine('environment', 'environment: simple_spred'),
      '2:1 "simple_spred" is neither an .edl file nor a scenario; did you mean "simple_spread"?',
    ],
    [
      'an environment that does not compile',
      withLine('environment', 'environment: environments/broken.edl'),
      '2:1 environments/broken.edl:1:13 EDL101 unknown scenario',
    ],
    [
      'an unknown metric',
      withLine('objective', 'objective: {metric: coverge, group: agent}'),
      `6:13 no metric "coverge" in the objective's environment (toy); did you mean "coverage"?`,
    ],
    [
      'a metric without a better side',
      withLine('objective', 'objective: {metric: noise, group: agent}'),
      '6:13 "noise" has no better side of its own: add "better: higher" or "better: lower"',
    ],
    [
      'an unknown group',
      withLine('objective', 'objective: {metric: coverage, group: agents}'),
      '6:31 no group "agents" in toy; did you mean "agent"?',
    ],
    [
      'an objective for a scripted group',
      withLine('objective', 'objective: {metric: coverage, group: agent, opponents: {agent: first}}'),
      '6:31 group "agent" is played by "first": an objective needs a group that learns',
    ],
    [
      'an unknown built-in policy',
      `${sound}opponents: {rival: frist}\n`,
      '9:13 group "rival" has no built-in policy "frist"; did you mean "first"?',
    ],
    [
      'an opponent that would be lost',
      `${sound}opponents: {__proto__: first}\n`,
      '9:13 a key cannot be called "__proto__"',
    ],
    [
      'a rest that is no number of rounds',
      withLine('coach', 'coach: {coolDown: -1}'),
      '7:9 "coach.coolDown": must be at least 0',
    ],
    [
      'a kind that no coach may write',
      withLine('coach', 'coach: {may: [reward, mission]}'),
      '7:23 "coach.may.1": must be among reward, rule, set, event, npc, constraint, stage',
    ],
    ['a kind twice', withLine('coach', 'coach: {may: [set, set]}'), '7:9 "coach.may": every kind once'],
    [
      'a similarity beyond all',
      withLine('coach', 'coach: {memory: {reuse: 120%}}'),
      '7:18 "coach.memory.reuse": must be above 0 and at most 100%',
    ],
    [
      'a context that no prompt fits into',
      withLine('coach', 'coach: {llama: {context: 100}}'),
      '7:17 "coach.llama.context": must be at least 256',
    ],
    [
      'a key in place of the name of its variable',
      withLine('coach', 'coach: {provider: http, model: big, http: {url: "https://x/v1", key: sk-123}}'),
      '7:65 "coach.http.key": must be the name of an environment variable, not a key itself',
    ],
    [
      'an endpoint without an address',
      withLine('coach', 'coach: {provider: http, model: big}'),
      '7:1 provider "http" needs "http: {url: …}", the address up to /chat/completions',
    ],
    [
      'an address with a password in it',
      withLine('coach', 'coach: {provider: http, model: big, http: {url: "https://me:pw@x/v1"}}'),
      '7:44 holds a name or password; name the environment variable of a key in "key"',
    ],
    [
      'a key over http to another machine',
      withLine('coach', 'coach: {provider: http, model: big, http: {url: "http://x/v1", key: MODEL_KEY}}'),
      '7:44 a key is not sent over http to another machine: use https',
    ],
    [
      'an endpoint that is to rank',
      withLine('coach', 'coach: {provider: http, model: big, proposing: rank, http: {url: "https://x/v1"}}'),
      '7:37 an endpoint tells no probabilities of given texts: ranking needs provider "llama"',
    ],
    [
      'layers that are neither a number nor auto',
      withLine('coach', 'coach: {llama: {gpu: all}}'),
      '7:17 "coach.llama.gpu": must be auto or a number of layers, 0 for none',
    ],
    [
      'an adapter that changes nothing',
      withLine('coach', 'coach: {llama: {adapters: [{file: a.gguf, scale: 0}]}}'),
      '7:43 "coach.llama.adapters.0.scale": must be between -10 and 10, and not 0',
    ],
    [
      'an adapter that is not there',
      withLine(
        'coach',
        'coach: {provider: llama, model: models/tiny.gguf, llama: {adapters: [{file: a.gguf}]}}',
      ),
      '7:59 there is no adapter file "a.gguf"',
    ],
    [
      'an answer without any time',
      withLine('coach', 'coach: {llama: {timeout: 0}}'),
      '7:17 "coach.llama.timeout": must be at least 1',
    ],
    [
      'an unknown review mode',
      withLine('coach', 'coach: {mode: semi}'),
      '7:9 "coach.mode": must be one of automatic, semi-automatic, manual',
    ],
    [
      'a share of one half',
      withLine('coach', 'coach: {whatif: {share: 50%}}'),
      '7:18 "coach.whatif.share": must be at least 0 and below 50%: trials may not outweigh training',
    ],
    [
      'a share of nothing',
      withLine('coach', 'coach: {shaping: {smoothing: 0}}'),
      '7:19 "coach.shaping.smoothing": must be above 0 and at most 100%',
    ],
    [
      'a bound that bounds nothing',
      withLine('coach', 'coach: {shaping: {share: 2000%}}'),
      '7:19 "coach.shaping.share": must be above 0 and at most 1000%',
    ],
    [
      'a model that is not named',
      withLine('coach', 'coach: {provider: llama}'),
      '7:1 provider "llama" needs "model": the path of a GGUF file',
    ],
    [
      'a ranker that is not named',
      withLine('coach', 'coach: {provider: learned}'),
      '7:1 provider "learned" needs "model": the file that `gymwright coach learn` wrote',
    ],
    [
      'a ranker that is not there',
      withLine('coach', 'coach: {provider: learned, model: rankers/ranker-0.json}'),
      '7:28 there is no ranker "rankers/ranker-0.json"',
    ],
    [
      'a scorer that is not there',
      withLine('coach', 'coach: {provider: learned, model: models/tiny.gguf, scorer: models/gone.gguf}'),
      '7:53 there is no model file "models/gone.gguf"',
    ],
    [
      'a model that is not there',
      withLine('coach', 'coach: {provider: llama, model: models/gone.gguf}'),
      '7:26 there is no model file "models/gone.gguf"',
    ],
    [
      'a prompt that is not there',
      withLine('coach', 'coach: {provider: rules, prompt: prompts/gone.md}'),
      '7:26 there is no prompt file "prompts/gone.md" in the workspace',
    ],
    [
      'two arms of one name',
      withLine('arms', 'arms: [{name: a}, {name: a}]'),
      '8:1 "arms": every arm name once, and not in other cases either',
    ],
    [
      'arms whose names differ in case alone',
      withLine('arms', 'arms: [{name: fixed}, {name: Fixed}]'),
      '8:1 "arms": every arm name once, and not in other cases either',
    ],
    ['a missing block', sound.replace(/^budget.*\n/m, ''), '1:1 "budget" is missing'],
    ['a list instead of a map', '- 1\n', '1:1 must be a block of keys'],
    ['an empty file', '', '1:1 the file is empty'],
  ])('%s', (_title, text, expected) => {
    expect(problemsOf(text)).toContain(expected);
  });

  test.each([
    ['.nan', 'NaN'],
    ['.inf', 'number'],
    ['-1', 'must be above 0'],
    ['fast', 'must be a number'],
  ])('learningRate %s is refused', (value, expected) => {
    const problems = problemsOf(withLine('learner', `learner: {learningRate: ${value}}`));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^3:11 "learner.learningRate": /);
    expect(problems[0]).toContain(expected);
  });

  test('more copies than there is memory for are refused, with what they would take', () => {
    const text = withLine('learner', 'learner: {numEnvs: 65_536, numSteps: 65_536}');
    expect(problemsOf(text.replace('10_000', '100_000_000_000'))).toContainEqual(
      expect.stringMatching(
        /^3:11 arm "fixed" needs \d+ GiB for one iteration .*, at most 4\.00 GiB are given; lower numEnvs or numSteps$/,
      ),
    );
  });

  test('YAML that cannot be read says where', () => {
    expect(problemsOf('name: [1\nseeds: 2\n')[0]).toMatch(/^\d+:\d+ not readable as YAML: /);
    expect(problemsOf('name: a\nname: b\n')[0]).toMatch(/^2:1 not readable as YAML: .*unique/);
    expect(problemsOf('a: &a [1]\nb: *c\n')[0]).toMatch(/not readable as YAML: /);
  });

  test('aliases that would explode are refused', () => {
    const lines = ['a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]'];
    for (let i = 1; i < 9; i++)
      lines.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(problemsOf(lines.join('\n'))[0]).toMatch(/not readable as YAML: .*alias/);
  });

  test('a lag is not held against rounds that are missing', () => {
    const coach = 'coach: {provider: llama, model: models/tiny.gguf}';
    const text = withLine('coach', coach).replace(/^budget:.*$/m, 'budget: {steps: 100}');
    expect(text).not.toContain('rounds');
    expect(problemsOf(text)).toEqual(['4:1 "budget.rounds" is missing']);
  });

  test('all problems of a file are found at once', () => {
    const two = withLine('objective', 'objective: {metric: x, group: y, environment: toy}');
    expect(problemsOf(`${two}opponents: {z: first}\n`).map((problem) => problem.split(' ')[0])).toEqual([
      '9:13',
      '6:13',
      '6:24',
    ]);
  });

  test('an unknown key or a wrong value does not hide what else is wrong', () => {
    const lines = [
      ['budget', 'budget: {steps: 60k, rounds: 4}'],
      ['learner', 'learner: {hiden: 16, minibatchSize: many}'],
      ['objective', 'objective: {metric: coverge, group: agent}'],
      ['environment', 'environment: environments/toy.edl\nbuget: 1'],
      ['arms', 'arms: [{name: a, environment: environments/gone.edl}, {name: b}]'],
    ] as const;
    const text = lines.reduce((all, [key, line]) => all.replace(new RegExp(`^${key}:.*$`, 'm'), line), sound);
    const problems = problemsOf(text);
    expect(problems.filter((each) => /budget\.steps.*; write 60_000$/.test(each))).toHaveLength(1);
    for (const part of ['"hiden"', '"buget"', 'learner.minibatchSize', 'environments/gone.edl', '"coverge"'])
      expect(problems.filter((each) => each.includes(part))).toHaveLength(1);
    expect(problems).toHaveLength(6);
  });

  test.each([
    ['60k', '60_000'],
    ['1.5M', '1_500_000'],
    ['2 k', '2_000'],
  ])('steps of %s are no number: %s is proposed', (said, number) => {
    expect(problemsOf(withLine('budget', `budget: {steps: ${said}, rounds: 4}`))[0]).toMatch(
      new RegExp(`^4:10 "budget.steps": .*; write ${number}$`),
    );
  });
});

describe('requireExperiment', () => {
  test('throws experiment.invalid with path, line and column of every problem', () => {
    const text = withLine('budget', 'budget: {steps: -1, rounds: 0}');
    expect(() => requireExperiment(text, 'experiments/x.yaml', host)).toThrow(
      expect.objectContaining({
        code: 'experiment.invalid',
        message: expect.stringMatching(/experiments\/x\.yaml:4:10 .*\n.*experiments\/x\.yaml:4:21 /),
      }),
    );
  });
});
