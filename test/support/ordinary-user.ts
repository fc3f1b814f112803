const nobody = 65_534;

/** Runs `work` without a superuser's rights, so that file permissions hold in a container too. */
export function asOrdinaryUser<T>(work: () => T): T {
  if (process.geteuid === undefined || process.seteuid === undefined || process.geteuid() !== 0)
    return work();
  process.seteuid(nobody);
  try {
    return work();
  } finally {
    process.seteuid(0);
  }
}
