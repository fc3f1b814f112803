import type { DiagnosticCode } from '../src/engine/edl/diagnostic-codes.ts';
import type { EdlChange } from '../src/engine/edl/types.ts';

/** A text that raises a diagnostic, and the same text mended. */
export interface TextExample {
  readonly kind: 'text';
  /** What the declarations stand in; simple_spread where it is not said. Null: the pieces are whole texts. */
  readonly scenario: string | null;
  readonly wrong: string;
  readonly right: string;
  /** Other files, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** What the page shows in place of a text too long to be printed. */
  readonly shown: string | null;
  /** What a reader has to know of it. */
  readonly note: string | null;
}

/** Changes to a text that are refused, and such as are not. */
export interface ChangeExample {
  readonly kind: 'change';
  readonly text: string;
  readonly wrong: readonly EdlChange[];
  readonly right: readonly EdlChange[];
  readonly author: 'person' | 'coach';
}

/** What no text can raise, with the reason. */
export interface NoExample {
  readonly kind: 'none';
  readonly why: string;
}

export type DiagnosticExample = TextExample | ChangeExample | NoExample;

interface TextOptions {
  readonly scenario?: string | null;
  readonly files?: Readonly<Record<string, string>>;
  readonly shown?: string;
  readonly note?: string;
}

function text(wrong: string, right: string, options: TextOptions = {}): TextExample {
  const { scenario = 'simple_spread', files = {}, shown = null, note = null } = options;
  return { kind: 'text', scenario, wrong, right, files, shown, note };
}

const capture = { scenario: 'capture' };
const whole = { scenario: null };

const changedText = `environment example extends simple_spread {
  mission "Cover the landmarks"
  reward near { give 0.1 to agent }
}`;

const add = (target: string, edl: string): EdlChange => ({ op: 'add', target, edl });
const modify = (target: string, edl: string): EdlChange => ({ op: 'modify', target, edl });
const remove = (target: string): EdlChange => ({ op: 'remove', target, edl: '' });

function change(
  wrong: readonly EdlChange[],
  right: readonly EdlChange[],
  options: { readonly author?: 'coach'; readonly text?: string } = {},
): ChangeExample {
  return {
    kind: 'change',
    text: options.text ?? changedText,
    wrong,
    right,
    author: options.author ?? 'person',
  };
}

const far = 'environment far extends simple_spread { rule tiring { then agent.accel *= 0.9 } }';
const chain = Object.fromEntries(
  Array.from({ length: 9 }, (_, i) => [
    `step_${i + 1}.edl`,
    i === 8 ? far : `environment step extends "step_${i + 2}.edl" { }`,
  ]),
);

/** For every code an example that raises exactly it, and its fix. A code without an entry does not compile. */
export const diagnosticExamples: Readonly<Record<DiagnosticCode, DiagnosticExample>> = {
  EDL101: text(`mission "${'long '.repeat(60_000)}"`, 'mission "short"', {
    shown: 'mission "long long long …"',
  }),
  EDL102: text('mission "Cover the landmarks', 'mission "Cover the landmarks"'),
  EDL103: text('set agent.accel 4', 'set agent.accel = 4'),
  EDL104: text(
    `reward r { give ${'('.repeat(45)}1${')'.repeat(45)} to agent }`,
    'reward r { give (1) to agent }',
    {
      shown: 'reward r { give ((((((… 1 …)))))) to agent }',
    },
  ),
  EDL105: text(
    `reward r { give ${Array(600).fill('0.001').join(' + ')} to agent }`,
    'reward r { give 600 * 0.001 to agent }',
    { shown: 'reward r { give 0.001 + 0.001 + 0.001 + … to agent }' },
  ),
  EDL106: text('reward r { give 1e999 to agent }', 'reward r { give 1e9 to agent }'),
  EDL107: text('reward nähe { give 0.1 to agent }', 'reward naehe "Nähe" { give 0.1 to agent }'),
  EDL199: { kind: 'none', why: 'It is a defect of the checker, not of the text.' },
  EDL201: text('environment x extends simple_spred { }', 'environment x extends simple_spread { }', whole),
  EDL202: text(
    'reward r { when tme > 5 steps give 1 to agent }',
    'reward r { when time > 5 steps give 1 to agent }',
  ),
  EDL203: text('set agent.acel = 4', 'set agent.accel = 4'),
  EDL204: text(
    'reward r { for a in agent when a.sped > 0 m give 1 to a }',
    'reward r { for a in agent when a.vx > 0 m/s give 1 to a }',
  ),
  EDL205: text('reward r { for a in agents give 1 to a }', 'reward r { for a in agent give 1 to a }'),
  EDL206: text(
    'reward r { for a in agent give distanc(a, landmark_0) to a }',
    'reward r { for a in agent give distance(a, landmark_0) to a }',
  ),
  EDL207: text('metric m { time unit minutes }', 'metric m { time unit s }'),
  EDL208: text('issue i { when coverag < 50% }', 'issue i { when coverage < 50% }'),
  EDL209: text(
    'reward r { give 1 to agent } rule r { then agent.accel *= 2 }',
    'reward r { give 1 to agent } rule quick { then agent.accel *= 2 }',
  ),
  EDL210: text('set agent.accel = 4 set agent.accel = 5', 'set agent.accel = 5'),
  EDL211: text('reward r { for time in agent give 1 to time }', 'reward r { for a in agent give 1 to a }'),
  EDL212: text('reward collision { give -1 to agent }', 'reward bumping { give -1 to agent }'),
  EDL213: text('reward r { for a in agent give 1 to agent_0 }', 'reward r { give 3 to agent_0 }'),
  EDL214: text('metric success { covered }', 'metric covered_now { covered }'),
  EDL215: { kind: 'none', why: 'It is about a scenario loaded from a file, not about the text.' },
  EDL216: text(
    'event e { every 50 steps spawn suply at random }',
    'event e { every 50 steps spawn supply at random }',
    capture,
  ),
  EDL217: text(
    'npc n { control blue chas red_assault_0 when time > 5 steps otherwise hold }',
    'npc n { control blue chase red_assault_0 when time > 5 steps otherwise hold }',
    capture,
  ),
  EDL218: text(
    'reward r { for a in red when a.seen(point_0) give 1 to a }',
    'reward r { for a in red when a.sees(point_0) give 1 to a }',
    capture,
  ),
  EDL219: text(
    'regime calm default regime storm { set agent.accel = 2 } schedule { at step 5 enter strom }',
    'regime calm default regime storm { set agent.accel = 2 } schedule { at step 5 enter storm }',
  ),
  EDL220: text(
    'reward r { for z in zone when z.owner == 0 give 1 to red }',
    'reward r { for p in point when p.owner == 0 give 1 to red }',
    capture,
  ),
  EDL221: text('environment x extends "fr.edl" { }', 'environment x extends "far.edl" { }', {
    ...whole,
    files: { 'far.edl': far },
  }),
  EDL222: text('environment x extends "round.edl" { }', 'environment x extends "far.edl" { }', {
    ...whole,
    files: { 'round.edl': 'environment y extends "round.edl" { }', 'far.edl': far },
  }),
  EDL223: text('environment x extends "step_1.edl" { }', 'environment x extends "step_4.edl" { }', {
    ...whole,
    files: chain,
  }),
  EDL224: text(
    'environment x extends "bad.edl" { }',
    'environment x extends "bad.edl" { rule tiring { then agent.accel *= 0.9 } }',
    {
      ...whole,
      files: {
        'bad.edl': 'environment bad extends simple_spread { rule tiring { then agent.acel *= 0.9 } }',
      },
    },
  ),
  EDL225: text(
    'environment x extends "far.edl" { without rule tireing }',
    'environment x extends "far.edl" { without rule tiring }',
    {
      ...whole,
      files: { 'far.edl': far },
    },
  ),
  EDL230: text('metric m { time unit s over episode median }', 'metric m { time unit s over episode mean }'),
  EDL301: text('reward r { when time give 1 to agent }', 'reward r { when time > 3 steps give 1 to agent }'),
  EDL302: text(
    'reward r { when time < 1 m give 1 to agent }',
    'reward r { when time < 1 s give 1 to agent }',
  ),
  EDL303: text('reward r { when time < 1 give 1 to agent }', 'reward r { when time < 1 s give 1 to agent }'),
  EDL304: text('reward r { give min(1) to agent }', 'reward r { give min(1, 2) to agent }'),
  EDL305: text(
    'reward r { when nearest(landmark).x > 0 m give 1 to agent }',
    'reward r { when nearest(landmark to agent_0).x > 0 m give 1 to agent }',
  ),
  EDL306: text(
    'set agent.count = 1 reward r { for a in agent give mean over b in ally(a) of distance(a, b) to a }',
    'set agent.count = 1 reward r { for a in agent give sum over b in ally(a) of distance(a, b) to a }',
  ),
  EDL307: text('set agent.count = 2.5', 'set agent.count = 2'),
  EDL308: text('reward r { give 1 to landmark }', 'reward r { give 1 to agent }'),
  EDL309: text(
    'reward r { for a in leader give count(b in ally(a)) to a }',
    'reward r { for a in agent give count(b in ally(a)) to a }',
    {
      scenario: 'pursuit',
      note: 'In a scenario whose set `leader` is one agent, another from step to step.',
    },
  ),
  EDL310: text(
    'issue i { for a in agent when a.coverage < 50% }',
    'issue i { for a in agent when coverage < 50% and a.collisions > 1 }',
  ),
  EDL311: text(
    'event e { every 50 steps disturb push by 5 m/s }',
    'event e { every 50 steps disturb push red_assault_0 by 5 m/s }',
    capture,
  ),
  EDL312: text(
    'reward r { for a in red when a.hits(point_0) give 1 to a }',
    'reward r { for a in red when a.hits(blue_support_0) give 1 to a }',
    capture,
  ),
  EDL313: text(
    'npc n { control blue otherwise chase point_0 }',
    'npc n { control blue otherwise goto point_0 }',
    capture,
  ),
  EDL401: text('set agent.accel = 99', 'set agent.accel = 10'),
  EDL402: text('rule r { then agent.x = 0 m }', 'rule r { then agent.accel *= 0.5 }'),
  EDL403: text(
    'rule r { then agent.accel = 1 } rule s { when time > 5 steps then agent_0.accel = 2 }',
    'rule r { then agent.accel = 1 } rule s { when time > 5 steps then agent_0.accel *= 2 }',
  ),
  EDL404: text('set point.count = 2 set lock.count = 3', 'set point.count = 3 set lock.count = 3', capture),
  EDL405: text('stage large { set agent.count = 5 }', 'stage quick { set agent.accel = 8 }'),
  EDL406: text(
    'regime calm default regime storm { set episode.length = 20 } schedule { at step 5 enter storm }',
    'set episode.length = 20 regime calm default regime storm { set agent.accel = 2 } schedule { at step 5 enter storm }',
  ),
  EDL407: text(
    'npc n { control blue_support_0 otherwise hold }',
    'npc n { control blue otherwise hold }',
    capture,
  ),
  EDL408: text(
    'npc n { control blue otherwise hold } npc o { control blue_support otherwise retreat }',
    'npc n { control blue_assault otherwise hold } npc o { control blue_support otherwise retreat }',
    capture,
  ),
  EDL409: text(
    'capacity blue_assault 3 regime calm default regime raid { set blue.assault.count = 5 } schedule { at step 50 enter raid }',
    'capacity blue_assault 5 regime calm default regime raid { set blue.assault.count = 5 } schedule { at step 50 enter raid }',
    capture,
  ),
  EDL501: text('reward r { give 1 / 0 to agent }', 'reward r { give 1 / 2 to agent }'),
  EDL502: text(
    'reward r { when time > 100 s give 1 to agent }',
    'reward r { when time > 1 s give 1 to agent }',
  ),
  EDL503: text(
    'reward r { give 1 to agent limit 5% of nominal limit 10% of nominal }',
    'reward r { give 1 to agent limit 10% of nominal }',
  ),
  EDL504: text(
    'set agent.count = 10 reward r { for a in agent for b in agent for c in agent for d in agent for e in agent give distance(a, b) * distance(c, d) * distance(e, a) / 1 m to a }',
    'set agent.count = 10 reward r { for a in agent for b in agent give distance(a, b) to a }',
  ),
  EDL505: text(
    'issue i { when coverage < 50% for 0 evaluations }',
    'issue i { when coverage < 50% for 2 evaluations }',
  ),
  EDL506: text('rule r { then agent.accel *= 1 }', 'rule r { then agent.accel *= 1.5 }'),
  EDL507: text(
    'reward r { for a in agent give 1 / (time / 1 s) to a limit 5% of nominal potential }',
    'reward r { for a in agent give 1 / (1 + time / 1 s) to a limit 5% of nominal potential }',
  ),
  EDL508: text(
    'reward r { for a in red when nearest(blue).health < 30% give 1 to a }',
    'reward r { for a in red when distance(a, nearest(blue)) < 20 m and nearest(blue).health < 30% give 1 to a }',
    capture,
  ),
  EDL509: text(
    'stage one { set agent.accel = 4 } stage two { set agent.accel = 8 }',
    'stage one { set agent.accel = 4 until coverage > 50% } stage two { set agent.accel = 8 }',
  ),
  EDL510: text(
    'regime calm default regime storm { set agent.accel = 2 when time > 5 steps }',
    'regime calm default regime late { when time > 5 steps }',
  ),
  EDL511: text(
    'regime calm default regime late { when time > 5 steps } regime storm { set agent.accel = 2 } schedule { at step 5 enter storm }',
    'regime calm default regime storm { set agent.accel = 2 } schedule { at step 5 enter storm }',
  ),
  EDL512: text(
    'regime calm default regime still default regime late { when time > 5 steps }',
    'regime calm default regime late { when time > 5 steps }',
  ),
  EDL513: text(
    'regime calm regime late { when time > 5 steps }',
    'regime calm default regime late { when time > 5 steps }',
  ),
  EDL514: text(
    'regime calm default regime storm { set agent.accel = 2 } schedule { at step 500 enter storm }',
    'regime calm default regime storm { set agent.accel = 2 } schedule { at step 5 enter storm }',
  ),
  EDL515: text(
    'event e { spawn supply at random }',
    'event e { every 50 steps spawn supply at random }',
    capture,
  ),
  EDL516: text('rule r { then agent.accel += 1000 m/s^2 }', 'rule r { then agent.accel += 1 m/s^2 }'),
  EDL517: text(
    'reward r { for a in agent give 0.01 m / distance(a, nearest(landmark)) to a }',
    'reward r { for a in agent give 0.01 m / max(distance(a, nearest(landmark)), 0.01 m) to a }',
  ),
  EDL518: text(
    'reward r { for a in red when a.heals(blue) give 1 to a }',
    'reward r { for a in red when a.heals(ally(a)) give 1 to a }',
    capture,
  ),
  EDL601: change([remove('reward nearr')], [remove('reward near')]),
  EDL602: change(
    [add('reward near', 'reward near { give 1 to agent }')],
    [modify('reward near', 'reward near { give 1 to agent }')],
  ),
  EDL603: change(
    [add('reward far', 'reward far { give 1 to agent } reward wide { give 1 to agent }')],
    [add('reward far', 'reward far { give 1 to agent }')],
  ),
  EDL604: change(
    [add('reward far', 'reward wide { give 1 to agent }')],
    [add('reward wide', 'reward wide { give 1 to agent }')],
  ),
  EDL605: change(
    [add('reward far', 'reward far { give 1 to agnt }')],
    [add('reward far', 'reward far { give 1 to agent }')],
  ),
  EDL606: change([remove('near')], [remove('reward near')]),
  EDL607: change([remove('mission')], [remove('reward near')], { author: 'coach' }),
  EDL608: change(
    [modify('reward near', 'reward near { give 1 to agent }'), remove('reward near')],
    [remove('reward near')],
  ),
  EDL609: change([remove('metric gap')], [remove('issue apart'), remove('metric gap')], {
    text: `environment example extends simple_spread {
  metric gap { distance(agent_0, agent_1) unit m }
  issue apart { when gap > 1 m }
}`,
  }),
};
