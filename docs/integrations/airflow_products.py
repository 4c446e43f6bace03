"""Runs the pipeline in the image of the project, in a pod of its own; a later try resumes the run. Needs a volume that stays."""

from datetime import datetime

from airflow.decorators import dag
from airflow.providers.cncf.kubernetes.operators.pod import KubernetesPodOperator
from kubernetes.client import models as k8s

volume = k8s.V1Volume(
    name="state", persistent_volume_claim=k8s.V1PersistentVolumeClaimVolumeSource(claim_name="sluice-products")
)
mount = k8s.V1VolumeMount(name="state", mount_path="/state")


@dag(schedule="15 6 * * *", start_date=datetime(2026, 1, 1), catchup=False, max_active_runs=1)
def products():
    KubernetesPodOperator(
        task_id="products",
        name="products",
        image="registry.example.com/warehouse:latest",
        cmds=["sh", "-c"],
        # The report is the XCom of the task.
        arguments=[
            """
            mkdir -p /airflow/xcom
            if [ {{ ti.try_number }} -gt 1 ]; then set -- resume; else set -- run products.yaml --out /state/landing; fi
            npx --no-install sluice "$@" --data /state/.sluice --json > /airflow/xcom/return.json
            """
        ],
        volumes=[volume],
        volume_mounts=[mount],
        secrets=[],
        do_xcom_push=True,
        retries=3,
        # Another run holds the lock.
        skip_on_exit_code=[5],
    )


products()
