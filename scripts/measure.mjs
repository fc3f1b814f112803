// `npm run measure`: sizes and comment density per part of the tree, and the files to look at again.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './bootstrap/fingerprint.mjs';
import { inProject, root } from './bootstrap/project.mjs';

/** Lines at which a file deserves a second look. */
const kinds = [
  { name: 'TypeScript', paths: ['src'], pattern: /\.ts$/, lookAgain: 250 },
  { name: 'React', paths: ['src/renderer'], pattern: /\.tsx$/, lookAgain: 180 },
  { name: 'C++ source', paths: ['native/src', 'native/addon'], pattern: /\.cpp$/, lookAgain: 300 },
  { name: 'C++ header', paths: ['native/include', 'native/src'], pattern: /\.(h|hpp)$/, lookAgain: 150 },
  { name: 'test', paths: ['test', 'native/test'], pattern: /\.(ts|tsx|cpp)$/, lookAgain: 300 },
  { name: 'script', paths: ['scripts', 'tools', 'bench', 'bin'], pattern: /\.(mjs|js|ts)$/, lookAgain: 180 },
];

const isGenerated = (name) => name.split('/').includes('generated');
const median = (sorted) => sorted[Math.floor(sorted.length / 2)] ?? 0;

function measureFile(file) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const comments = lines.filter((line) => /^(\/\/|\/\*|\*)/.test(line)).length;
  return { file: path.relative(root, file), lines: lines.length, comments };
}

function measureKind({ name, paths, pattern, lookAgain }) {
  const files = listFiles(paths, isGenerated)
    .filter((file) => pattern.test(file))
    .map(measureFile);
  const sizes = files.map(({ lines }) => lines).sort((a, b) => a - b);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const comments = files.reduce((sum, each) => sum + each.comments, 0);
  return {
    row: {
      kind: name,
      files: files.length,
      lines: total,
      median: median(sizes),
      largest: sizes.at(-1) ?? 0,
      'comment %': total === 0 ? 0 : Math.round((100 * comments) / total),
    },
    large: files.filter(({ lines }) => lines > lookAgain).map(({ file, lines }) => `${file} (${lines})`),
  };
}

function countTwins() {
  const tests = listFiles(['test'], isGenerated).filter((file) => file.endsWith('.test.ts'));
  const sources = new Set(listFiles(['src']));
  const twins = tests.filter((file) =>
    sources.has(inProject('src', path.relative(inProject('test'), file).replace(/\.test\.ts$/, '.ts'))),
  );
  return { tests: tests.length, twins: twins.length };
}

const measured = kinds.map(measureKind);
console.table(measured.map(({ row }) => row));
const { tests, twins } = countTwins();
console.log(`${twins} of ${tests} test files have a source file of the same path`);
const large = measured.flatMap((each) => each.large);
if (large.length > 0)
  console.log(`Look again (non-blank lines):\n${large.map((each) => `  ${each}`).join('\n')}`);
