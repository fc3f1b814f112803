/**
 * Writes the reference part of docs/scenarios/*.md, between the manifest markers, from the scenarios' own manifests.
 * Needs the built addon. test/tools/generate-scenario-docs.test.ts fails when a page is not what this would write.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scenarioManifest, scenarioNames } from '../src/engine/sim/index.ts';
import type { ManifestEvent, ManifestParameter, ScenarioManifest } from '../src/shared/rl/manifest.ts';

const begin = '<!-- manifest: written by tools/generate-scenario-docs.ts -->';
const end = '<!-- /manifest -->';

type Cell = string | number;

function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function range(item: { min: number; max: number; unit: string }): string {
  return `${item.min} .. ${item.max}${item.unit === 'none' ? '' : ` ${item.unit}`}`;
}

function yes(flag: boolean): string {
  return flag ? 'yes' : '';
}

function usual({ kind, default: value, choices }: ManifestParameter): Cell {
  if (kind === 'choice') return choices[value] ?? value;
  return kind === 'bool' ? String(value !== 0) : value;
}

function possible(parameter: ManifestParameter): string {
  if (parameter.kind === 'choice') return parameter.choices.join(', ');
  return parameter.kind === 'bool' ? 'true, false' : range(parameter);
}

/** What a regime sets while a copy plays. */
function liveCell({ live }: ManifestParameter): string {
  if (live === null) return '';
  return live.mode === 'count' ? `members of ${live.set}` : `\`${live.attribute}\` of ${live.set}`;
}

/** A table under its heading; nothing where there are no rows. */
function section(title: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  return rows.length === 0 ? [] : [`### ${title}`, table(heads, rows)];
}

/** How an event is written in EDL. */
function eventForm({ verb, name, target, placed, amount }: ManifestEvent): string {
  const object = target === 'none' || placed ? '' : ` ${target.toUpperCase()}`;
  const by = amount === null ? '' : ` by ${amount.default}${amount.unit === 'none' ? '' : ` ${amount.unit}`}`;
  return `\`${verb} ${name}${object}${by}${placed ? ' at …' : ''}\``;
}

/** Relations, events, behaviours, capacities and presence. */
function renderActs(manifest: ScenarioManifest): string[] {
  const { agent, landmark } = manifest.presence;
  const capacities = manifest.capacities.map(
    ({ set, count, capacity }) => `\`${set}\` (\`${count}\` of \`${capacity}\`)`,
  );
  return [
    ...section(
      'Relations',
      ['relation', 'from', 'to', 'kind', 'meaning'],
      manifest.relations.map((r) => [`\`${r.name}\``, r.from, r.to, r.kind, r.doc]),
    ),
    ...section(
      'Events',
      ['event', 'amount', 'meaning'],
      manifest.events.map((e) => [eventForm(e), e.amount === null ? '' : range(e.amount), e.doc]),
    ),
    ...section(
      'Behaviours of non-player agents',
      ['behaviour', 'target', 'meaning'],
      manifest.behaviours.map((b) => [`\`${b.name}\``, b.target === 'none' ? '' : b.target, b.doc]),
    ),
    ...(capacities.length === 0
      ? []
      : [`Counts that may change up to a capacity: ${capacities.join(', ')}.`]),
    ...(agent === null ? [] : [`An agent takes part while \`${agent}\` is 1.`]),
    ...(landmark === null ? [] : [`A landmark takes part while \`${landmark}\` is 1.`]),
  ];
}

/** The policy that plays the group where nobody says otherwise is marked. */
const marked =
  ({ defaultScripted }: ScenarioManifest['groups'][number]) =>
  (name: string): string =>
    name === defaultScripted ? `**${name}**` : name;

/** The reference tables of one scenario under its default parameters. */
export function renderReference(manifest: ScenarioManifest): string {
  const sections = [
    `Version ${manifest.version}. Under default parameters: ${manifest.numAgents} ${manifest.numAgents === 1 ? 'agent' : 'agents'}, observation ${manifest.obsDim}, state ${manifest.stateDim}, ${manifest.numActions} actions, ${manifest.episodeLength} steps of ${manifest.stepSeconds} s. Nominal return, which limits of shaping refer to: ${Number(manifest.nominalReturn.toPrecision(4))}.`,
    '### Groups',
    table(
      ['group', 'agents', 'observation', 'scripted policies'],
      manifest.groups.map((g) => [
        g.name,
        g.agents.join(', '),
        g.obsDim,
        g.scripted.map(marked(g)).join(', '),
      ]),
    ),
    '### Parameters',
    table(
      ['`set`', 'default', 'range', 'shape', 'coach', 'live', 'meaning'],
      manifest.parameters.map((p) => [
        `\`${p.name}\``,
        usual(p),
        possible(p),
        yes(p.structural),
        yes(p.coach),
        liveCell(p),
        p.doc,
      ]),
    ),
    '### Attributes',
    table(
      ['attribute', 'of', 'range', 'rules may write', 'meaning'],
      manifest.attributes.map((a) => [
        `\`${a.name}\``,
        a.of.length === 0 ? a.kind : a.of.join(', '),
        a.nominal ? `usually ${range(a)}` : range(a),
        yes(a.writable),
        a.doc,
      ]),
    ),
    '### Sets and signals',
    table(
      ['name', 'kind', 'meaning'],
      [
        ...manifest.sets.map((s) => [
          `\`${s.name}\``,
          `${s.dynamic ? 'dynamic ' : ''}set of ${s.kind}s`,
          s.doc,
        ]),
        ...manifest.signals.map((s) => [`\`${s.name}\``, `signal, ${range(s)}`, s.doc]),
      ],
    ),
    ...renderActs(manifest),
    '### Base reward components',
    table(
      ['component', 'meaning'],
      manifest.components.map((c) => [`\`${c.name}\``, c.doc]),
    ),
    '### Episode metrics',
    table(
      ['metric', 'range', 'per agent', 'better', 'definition'],
      manifest.metrics.map((m) => [`\`${m.name}\``, range(m), yes(m.perAgent), m.better, m.doc]),
    ),
  ];
  return sections.join('\n\n');
}

/** A page with its reference part renewed. */
export function renewPage(page: string, manifest: ScenarioManifest): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`docs/scenarios/${manifest.name}.md lacks the line ${begin} or ${end}`);
  return `${page.slice(0, from)}${begin}\n\n${renderReference(manifest)}\n\n${page.slice(to)}`;
}

/** Path of a scenario's page. */
export function pagePath(scenario: string): string {
  return join(import.meta.dirname, '..', 'docs', 'scenarios', `${scenario}.md`);
}

if (import.meta.main) {
  for (const name of scenarioNames()) {
    const page = readFileSync(pagePath(name), 'utf8');
    writeFileSync(pagePath(name), renewPage(page, scenarioManifest(name)));
  }
}
