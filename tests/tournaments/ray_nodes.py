"""A run on a cluster of three nodes, one of which dies: ``python ray_nodes.py RUN CONFIG``.

The first node has no processors and keeps the cluster together; the two others have one each. The second dies once a
quarter of the matches are finished. Prints the session's summary as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys

from ludometer.tournaments import load_config, start
from ludometer.tournaments.on_ray.executor import on_ray


async def main(run: str, table: dict) -> None:
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    try:
        nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
        runners = []

        async def kill() -> int:
            while not runners or runners[0].progress.finished < runners[0].progress.total / 4:
                await asyncio.sleep(0.02)
            await asyncio.to_thread(cluster.remove_node, nodes[1], allow_graceful=False)
            return runners[0].progress.finished

        killing = asyncio.create_task(kill())
        maker = on_ray(cluster.address)
        summary = await start(load_config(table), run, on_start=runners.append, executor=maker)
        print(json.dumps({"at": await killing, "finished": summary.finished, "total": summary.total}))
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
