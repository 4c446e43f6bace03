#!/bin/sh
# Submits one pipeline as an array of four jobs, and the merge behind them: sh slurm.sh. The folder must be one that all nodes see.
set -eu
shards=4
shared="$PWD/landing"
# --requeue: a job whose node is lost starts again, and its shard takes the place of what the first one left.
array=$(sbatch --parsable --requeue --array="1-$shards" --wrap "npx --no-install sluice run products.yaml \
  --shard \$SLURM_ARRAY_TASK_ID/$shards --out '$shared' --data \${TMPDIR:-/tmp}/sluice-\$SLURM_ARRAY_JOB_ID-\$SLURM_ARRAY_TASK_ID --quiet")
sbatch --dependency="afterok:$array" --kill-on-invalid-dep=yes --wrap "npx --no-install sluice merge '$shared' --quiet"
