"""Snakemake, as `python -m snakemake` is, without its limit of jobs per second.

For that limit it looks at all jobs that are ready once a second, and once a second more for each job that has ended: with a hundred jobs of
a minute this takes a core.
"""

import sys

from snakemake.cli import main
from snakemake.scheduling.job_scheduler import JobScheduler

# Its name as Snakemake spells it. A job that ends has jobs looked at, too
JobScheduler._schedule_reevalutation = lambda self, delay: None

sys.exit(main())
