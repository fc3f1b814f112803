// `node scripts/sum-reports.mjs DIR FAILED_STEPS`: adds up the reports of vitest (JSON) and CTest (JUnit) in DIR and
// prints "N passed, N failed" as the last line. A step that failed without a failed test counts as one.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const suiteCounts = (report) => ({
  passed: report.numPassedTests,
  failed: report.numFailedTests + Math.max(0, report.testResults.filter(hasFailedToLoad).length),
  skipped: report.numPendingTests + (report.numTodoTests ?? 0),
});

/** A test file that could not be loaded has no tests to fail. */
const hasFailedToLoad = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.length === 0;

/** CTest sees one program; the program says how many tests it ran. */
function readJunit(text) {
  const own = /native: (\d+) passed, (\d+) failed/.exec(text);
  if (own) return { passed: Number(own[1]), failed: Number(own[2]), skipped: 0 };
  const attribute = (name) => Number(new RegExp(`<testsuite[^>]*\\s${name}="(\\d+)"`).exec(text)?.[1] ?? 0);
  const failed = attribute('failures') + attribute('errors');
  const skipped = attribute('skipped') + attribute('disabled');
  return { passed: attribute('tests') - failed - skipped, failed, skipped };
}

function readReport(file) {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.json') ? suiteCounts(JSON.parse(text)) : readJunit(text);
}

const [folder, failedSteps] = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of readdirSync(folder).filter((each) => /\.(json|xml)$/.test(each))) {
  const counts = readReport(path.join(folder, name));
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  for (const key of Object.keys(total)) total[key] += counts[key];
}
if (Number(failedSteps) > 0 && total.failed === 0) total.failed = Number(failedSteps);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
