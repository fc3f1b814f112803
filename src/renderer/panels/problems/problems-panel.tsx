import { Empty } from '../../components/feedback.tsx';
import { Icon } from '../../components/icon.tsx';
import { useProblems } from './use-problems.ts';

const icons = { error: 'error', warning: 'warning', hint: 'info' } as const;

/** Diagnostics of all open environments, worst first. */
export function ProblemsPanel() {
  const { problems, open } = useProblems();
  if (problems.length === 0) {
    return (
      <Empty icon="check" title="No problems">
        <p>Open environments are checked as you type.</p>
      </Empty>
    );
  }
  return (
    <div className="panel">
      <ul className="panel-body" aria-label="Problems">
        {problems.map((problem) => (
          <li key={problem.id}>
            <button
              type="button"
              className="problem"
              data-severity={problem.severity}
              onClick={() => open(problem)}
            >
              <Icon name={icons[problem.severity]} title={problem.severity} />
              <span className="truncate">{problem.message}</span>
              <code className="muted">{problem.code}</code>
              <span className="muted">
                {problem.path}:{problem.line + 1}:{problem.character + 1}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
