"""The pipeline as an asset: Dagster Pipes starts sluice-pipes.mjs, and reads its log and its metadata."""

import shutil

from dagster import AssetExecutionContext, Definitions, PipesSubprocessClient, asset


@asset
def products(context: AssetExecutionContext, pipes: PipesSubprocessClient):
    return pipes.run(
        command=[shutil.which("node"), "sluice-pipes.mjs", "products.yaml", "landing"],
        context=context,
        cwd="/srv/warehouse",
    ).get_materialize_result()


defs = Definitions(assets=[products], resources={"pipes": PipesSubprocessClient()})
