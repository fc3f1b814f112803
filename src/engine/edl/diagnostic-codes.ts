/** What a diagnostic code means, for the table in docs/language/diagnostics.md and for `explain`. */
export interface CodeEntry {
  readonly severity: 'error' | 'warning' | 'hint';
  readonly title: string;
  readonly fix: string;
}

/**
 * Every diagnostic of the language. Codes are stable: one is never given another meaning, only added or retired.
 * 1xx text, 2xx names, 3xx types and units, 4xx capabilities, 5xx meaning and cost, 6xx changes to a text.
 */
export const diagnosticCodes = {
  EDL101: {
    severity: 'error',
    title: 'the text is too large',
    fix: 'Keep a text below 250,000 characters and one declaration below 20,000; split variants into files.',
  },
  EDL102: {
    severity: 'error',
    title: 'unexpected character',
    fix: 'Remove it. A string needs its closing quote on the same line.',
  },
  EDL103: { severity: 'error', title: 'syntax', fix: 'Write what the message expects at this place.' },
  EDL104: {
    severity: 'error',
    title: 'nested too deeply',
    fix: 'Split the expression; at most 40 levels are read.',
  },
  EDL105: {
    severity: 'error',
    title: 'expression too long',
    fix: 'Use sum, any or all over a set in place of a written-out chain.',
  },
  EDL106: { severity: 'error', title: 'number out of range', fix: 'Write a number a double can hold.' },
  EDL107: {
    severity: 'error',
    title: 'letter outside ASCII in a name',
    fix: 'Write names with the letters a-z and A-Z, digits and _; descriptions in quotes may hold any text.',
  },
  EDL199: {
    severity: 'error',
    title: 'internal failure of the checker',
    fix: 'Report the text that causes it; the message names the failure.',
  },
  EDL201: {
    severity: 'error',
    title: 'unknown scenario',
    fix: 'Extend one of the scenarios that `gymwright scenarios` lists. One of your own is among them while GYMWRIGHT_SCENARIOS names its library.',
  },
  EDL202: {
    severity: 'error',
    title: 'unknown name',
    fix: 'Use a loop variable, signal, set or entity of the scenario.',
  },
  EDL203: {
    severity: 'error',
    title: 'unknown parameter',
    fix: 'Set a parameter of the scenario (`gymwright scenarios NAME`).',
  },
  EDL204: {
    severity: 'error',
    title: 'unknown attribute',
    fix: 'Use an attribute the manifest lists for this kind of entity.',
  },
  EDL205: {
    severity: 'error',
    title: 'unknown set',
    fix: 'Loop over a set of the scenario, or ally(a), other(a), opponent(a).',
  },
  EDL206: {
    severity: 'error',
    title: 'unknown function',
    fix: 'Use a function of the language (docs/language).',
  },
  EDL207: { severity: 'error', title: 'unknown unit', fix: 'Use m, s, steps, m/s, m/s^2, % or deg.' },
  EDL208: {
    severity: 'error',
    title: 'unknown metric',
    fix: 'Use a metric of the scenario; issues see metrics, not the state.',
  },
  EDL209: { severity: 'error', title: 'declared twice', fix: 'Rename or remove one of the two.' },
  EDL210: { severity: 'error', title: 'parameter set twice', fix: 'Keep one of the two lines.' },
  EDL211: {
    severity: 'error',
    title: 'name already has a meaning',
    fix: 'Choose another name for the loop variable.',
  },
  EDL212: {
    severity: 'error',
    title: 'name of a base reward component',
    fix: 'Rename the reward: base components are never replaced.',
  },
  EDL213: {
    severity: 'warning',
    title: 'loop variable not used',
    fix: 'Use it, or drop the loop: the body is repeated for every member.',
  },
  EDL214: {
    severity: 'error',
    title: 'name of a metric of the scenario',
    fix: 'Choose another name: what declarations measure is reported beside the metrics of the scenario.',
  },
  EDL215: {
    severity: 'error',
    title: 'manifest of another version',
    fix: 'Build the scenario against the headers of this version, or use the version it was built for.',
  },
  EDL216: {
    severity: 'error',
    title: 'unknown event',
    fix: 'Spawn, disturb or remove what the scenario offers; `recent` looks back to an event of this text.',
  },
  EDL217: {
    severity: 'error',
    title: 'unknown behaviour',
    fix: 'Use a behaviour of the scenario (`gymwright scenarios NAME`).',
  },
  EDL218: {
    severity: 'error',
    title: 'unknown relation',
    fix: 'Ask what the scenario knows of two entities, as in `a.sees(b)`.',
  },
  EDL219: { severity: 'error', title: 'unknown regime', fix: 'Name a regime that the text declares.' },
  EDL220: {
    severity: 'error',
    title: 'attribute of other entities',
    fix: 'Loop over a set whose members have the attribute.',
  },
  EDL221: {
    severity: 'error',
    title: 'file not found',
    fix: 'Name a file that is there, relative to the file that extends it.',
  },
  EDL222: {
    severity: 'error',
    title: 'files extend each other',
    fix: 'Let the first file of the circle extend a scenario.',
  },
  EDL223: {
    severity: 'error',
    title: 'too many files extend one another',
    fix: 'At most 8: write `gymwright edl flatten` of a file in the middle to a file, and extend that.',
  },
  EDL224: {
    severity: 'error',
    title: 'the extended file has errors',
    fix: 'Mend the file where the message says, or override the declaration here.',
  },
  EDL225: {
    severity: 'error',
    title: 'nothing to drop',
    fix: 'Name a declaration of the extended file by kind and name: `without rule tiring`.',
  },
  EDL230: {
    severity: 'error',
    title: 'not a word for this place',
    fix: 'Write one of the words that the message lists.',
  },
  EDL301: {
    severity: 'error',
    title: 'wrong type',
    fix: 'Give a number, a condition or an entity, as the message asks.',
  },
  EDL302: {
    severity: 'error',
    title: 'units do not fit',
    fix: 'Compare and add like with like; divide or multiply to convert.',
  },
  EDL303: { severity: 'error', title: 'unit missing', fix: 'Write the unit after the number.' },
  EDL304: { severity: 'error', title: 'wrong number of arguments', fix: 'See the signature in the message.' },
  EDL305: {
    severity: 'error',
    title: 'nearest to what?',
    fix: 'Write `nearest(set to x)`, or use it as an argument of distance or inside a loop.',
  },
  EDL306: { severity: 'error', title: 'empty set', fix: 'Choose a set with members, or guard with count.' },
  EDL307: {
    severity: 'error',
    title: 'not a value of this parameter',
    fix: 'Give a whole number, a number, true / false, or one of the names, as the message asks.',
  },
  EDL308: {
    severity: 'error',
    title: 'not an agent',
    fix: 'Rewards go to agents: a loop variable over agents, an agent, or a group.',
  },
  EDL309: {
    severity: 'error',
    title: 'a fixed entity is needed',
    fix: 'Use a loop variable over a fixed set, or name the entity.',
  },
  EDL310: {
    severity: 'error',
    title: 'not a metric of an agent',
    fix: 'Only metrics per agent have a subject; write the other ones without one.',
  },
  EDL311: {
    severity: 'error',
    title: 'event used another way',
    fix: 'Give the event the target, the place or the amount it takes, and no other.',
  },
  EDL312: {
    severity: 'error',
    title: 'relation between others',
    fix: 'Ask it of, and towards, the kind of entity the message names.',
  },
  EDL313: {
    severity: 'error',
    title: 'behaviour towards others',
    fix: 'Direct the behaviour at the kind of entity the message names, or at none.',
  },
  EDL401: { severity: 'error', title: 'out of bounds', fix: 'Stay within the bounds of the manifest.' },
  EDL402: {
    severity: 'error',
    title: 'not writable',
    fix: 'Rules change only attributes the manifest marks writable; physics and topology are fixed.',
  },
  EDL403: {
    severity: 'error',
    title: 'set by two rules',
    fix: 'Keep one `=`; use *= or += where effects are to combine.',
  },
  EDL404: {
    severity: 'error',
    title: 'these parameters do not go together',
    fix: 'See the message of the scenario.',
  },
  EDL405: {
    severity: 'error',
    title: 'a stage changes shapes',
    fix: 'Give `capacity` for the most members any stage has, or keep the parameter as it is.',
  },
  EDL406: {
    severity: 'error',
    title: 'fixed while an episode runs',
    fix: 'A regime sets only live parameters; `set` it for the whole environment.',
  },
  EDL407: {
    severity: 'error',
    title: 'part of a group',
    fix: 'Let npcs control every agent of a group, or none: a learner plays whole groups.',
  },
  EDL408: { severity: 'error', title: 'two npcs for one agent', fix: 'Let one npc control the agent.' },
  EDL409: {
    severity: 'error',
    title: 'beyond the capacity',
    fix: 'Declare a larger capacity, or use fewer members.',
  },
  EDL501: { severity: 'error', title: 'division by zero', fix: 'Change the divisor.' },
  EDL502: {
    severity: 'warning',
    title: 'condition is constant',
    fix: 'It always or never holds within the bounds of the manifest: check the threshold.',
  },
  EDL503: { severity: 'error', title: 'clause given twice', fix: 'Keep one.' },
  EDL504: {
    severity: 'error',
    title: 'too expensive',
    fix: 'Make the declaration that the message names cheaper: fewer loops in one another, smaller sets, less in each.',
  },
  EDL505: { severity: 'error', title: 'value out of range', fix: 'See the range in the message.' },
  EDL506: { severity: 'warning', title: 'changes nothing', fix: 'Remove it, or change the value.' },
  EDL507: {
    severity: 'error',
    title: 'potential without a bound',
    fix: 'Bound what the message names, as in min(distance(a, b), 2 m), or drop the limit.',
  },
  EDL508: {
    severity: 'warning',
    title: 'may be nobody',
    fix: 'Guard with any(…), or with a distance to it, before an attribute is read.',
  },
  EDL509: { severity: 'error', title: 'a stage has errors', fix: 'Mend what the message says.' },
  EDL510: {
    severity: 'error',
    title: 'regime both set and recognised',
    fix: 'Give it settings (then the schedule enters it) or a condition (then it is recognised), not both.',
  },
  EDL511: {
    severity: 'error',
    title: 'regimes of two sorts',
    fix: 'In one environment all regimes but the default are entered by the schedule, or all are recognised.',
  },
  EDL512: { severity: 'error', title: 'two defaults', fix: 'Mark one regime as default.' },
  EDL513: {
    severity: 'warning',
    title: 'no default regime',
    fix: 'Mark the regime that holds when no other does: `regime NAME default`.',
  },
  EDL514: {
    severity: 'warning',
    title: 'never happens',
    fix: 'Choose a time within the episode, enter the regime in the schedule, or make room for members.',
  },
  EDL515: {
    severity: 'error',
    title: 'no time and no condition',
    fix: 'Say when: `every 200 steps`, `at step 100`, or `when CONDITION`.',
  },
  EDL516: {
    severity: 'warning',
    title: 'always at a bound',
    fix: 'Change it by less, or write the bound with `=` if that is meant.',
  },
  EDL517: {
    severity: 'warning',
    title: 'divisor may be 0',
    fix: 'Bound it, as in max(distance(a, b), 0.01 m), or let a condition come first, as in `when d > 0 m and 1 m / d > 3`.',
  },
  EDL518: {
    severity: 'warning',
    title: 'relation that never holds',
    fix: 'Ask it of those to whom it can hold, as in a.heals(ally(a)).',
  },
  EDL601: {
    severity: 'error',
    title: 'no such declaration',
    fix: 'Name a declaration of the text, as "reward crowding" or "set agent.accel".',
  },
  EDL602: {
    severity: 'error',
    title: 'declaration exists already',
    fix: 'Use modify, or choose another name.',
  },
  EDL603: {
    severity: 'error',
    title: 'not exactly one declaration',
    fix: 'Give the whole declaration and nothing else.',
  },
  EDL604: {
    severity: 'error',
    title: 'declaration and target differ',
    fix: 'Let the text declare what the target names.',
  },
  EDL605: { severity: 'error', title: 'the changed text has errors', fix: 'Mend what the message says.' },
  EDL606: {
    severity: 'error',
    title: 'not a target',
    fix: 'Write kind and name: "reward crowding", "set agent.accel", "without rule x"; "mission" and "schedule" alone.',
  },
  EDL607: {
    severity: 'error',
    title: 'reserved to a person',
    fix: 'A coach leaves the mission, topology, shapes and physics constants alone.',
  },
  EDL608: {
    severity: 'error',
    title: 'two changes of one declaration',
    fix: 'Say in one change what the declaration becomes.',
  },
  EDL609: {
    severity: 'error',
    title: 'removed, but needed',
    fix: 'Change or remove what needs it too.',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;

export type DiagnosticCode = keyof typeof diagnosticCodes;
