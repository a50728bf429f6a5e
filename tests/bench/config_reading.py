"""How long ten thousand damaged config files take to be read or refused; prints the slowest.

Run from the checkout's folder: `python tests/bench/config_reading.py [COUNT [SEED]]`. Exits with 1 where one takes
more than 50 ms, is refused in more than a line, or fails in another way than by a refusal.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "helpers")]

from damaged_configs import damaged_configs  # noqa: E402 - found through the path

from roofline_app.model.config_json import ConfigError, read_config  # noqa: E402

COUNT = 10_000
LONGEST_SECONDS = 0.05


def main(count: int = COUNT, seed: int = 0) -> int:
    """Read damaged configs and print how many were read, how many refused, and the slowest."""
    read, refused, slowest, wrong = 0, 0, list[tuple[float, str]](), 0
    for config in damaged_configs(count, seed):
        start = time.process_time()
        try:
            read_config(config)
            read += 1
            said = "read"
        except ConfigError as refusal:
            refused += 1
            said = str(refusal)
            wrong += "\n" in said or ":" not in said
        slowest.append((time.process_time() - start, f"{config.get('model_type')}: {said}"))
    slowest = sorted(slowest, reverse=True)[:5]
    print(f"{count} configs: {read} read, {refused} refused by name, {wrong} refused in another way")  # noqa: T201
    for seconds, said in slowest:
        print(f"{seconds * 1e3:7.1f} ms  {said[:140]}")  # noqa: T201
    return int(wrong > 0 or slowest[0][0] > LONGEST_SECONDS)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
