import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Who may include whom in native/: the first rule whose `from` matches a file decides. */
const rules = [
  {
    from: /^include\//,
    refuse: [/^(src|addon|test|bench)\//, /napi\.h$/],
    why: 'the public headers include only each other',
  },
  {
    from: /^src\/scenarios\//,
    refuse: [/^(addon|test|bench)\//, /napi\.h$/, /^src\/vm\//],
    why: 'a scenario includes include/, src/core and src/sim',
  },
  { from: /^src\//, refuse: [/^(addon|test|bench)\//, /napi\.h$/], why: 'the core knows no Node' },
  { from: /^addon\//, refuse: [/^(src|test|bench)\//], why: 'the addon sees the core through include/ only' },
];

const isSource = (name) => /\.(h|hpp|cpp)$/.test(name);

function listSources(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Path of an include relative to native/, or as written when it is no file of ours. */
function resolveInclude(native, file, written) {
  const places = [path.dirname(file), path.join(native, 'include'), path.join(native, 'src'), native];
  const found = places.map((place) => path.join(place, written)).find((candidate) => existsSync(candidate));
  return found === undefined ? written : path.relative(native, found).split(path.sep).join('/');
}

function readGraph(native) {
  const graph = new Map();
  for (const file of ['include', 'src', 'addon'].flatMap((folder) =>
    listSources(path.join(native, folder)),
  )) {
    const includes = [...readFileSync(file, 'utf8').matchAll(/^\s*#\s*include\s*["<]([^">]+)[">]/gm)];
    const name = path.relative(native, file).split(path.sep).join('/');
    graph.set(
      name,
      includes.map(([, written]) => resolveInclude(native, file, written)),
    );
  }
  return graph;
}

const isOtherScenario = (from, to) =>
  from.startsWith('src/scenarios/') && to.startsWith('src/scenarios/') && /\.cpp$/.test(to) && from !== to;

function findRefused(graph) {
  const problems = [];
  for (const [from, includes] of graph) {
    const rule = rules.find((each) => each.from.test(from));
    for (const to of includes) {
      if (rule?.refuse.some((pattern) => pattern.test(to)) || isOtherScenario(from, to)) {
        problems.push(`native/${from} includes ${to}: ${rule.why}`);
      }
    }
  }
  return problems;
}

function findCycles(graph) {
  const problems = [];
  const done = new Set();
  const visit = (name, trail) => {
    if (trail.includes(name))
      problems.push(`include cycle: ${[...trail.slice(trail.indexOf(name)), name].join(' -> ')}`);
    else if (!done.has(name)) {
      for (const next of graph.get(name) ?? []) visit(next, [...trail, name]);
      done.add(name);
    }
  };
  for (const name of graph.keys()) visit(name, []);
  return problems;
}

/** Checks the C++ rows of the import table and header cycles; returns null or what is wrong. */
export function checkNativeIncludes(native) {
  const graph = readGraph(native);
  const problems = [...findRefused(graph), ...findCycles(graph)];
  return problems.length === 0 ? null : problems.join('\n');
}
