"""Who rugged most often: SQL over the export of all events of closed epochs.

    pip install duckdb
    python rugs.py
"""

import os
import time
import urllib.error
import urllib.request

import duckdb

API = os.environ.get("RUGWATCH", "http://127.0.0.1:8080")
NETWORK = "mainnet"
FILE = "events.parquet"
ATTEMPTS = 5

MOST_RUGS = f"""
    SELECT votePubkey, count(*) AS rugs, min(epoch) AS firstEpoch, max(epoch) AS lastEpoch
    FROM '{FILE}'
    WHERE severity = 'RUG' AND replacedBy IS NULL
    GROUP BY votePubkey
    ORDER BY rugs DESC, votePubkey
    LIMIT 10
"""


def download(path: str, file: str) -> None:
    """The API has no ranges, so DuckDB reads the file and not its address."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with urllib.request.urlopen(API + path) as answer:
                content = answer.read()
        except urllib.error.HTTPError as error:
            # 429 and 503 say when to ask again.
            wait = error.headers.get("Retry-After")
            if wait is None or attempt == ATTEMPTS:
                raise
            time.sleep(int(wait))
        else:
            with open(file, "wb") as out:
                out.write(content)
            return


download(f"/exports/{NETWORK}/events.parquet", FILE)
for vote_pubkey, rugs, first_epoch, last_epoch in duckdb.sql(MOST_RUGS).fetchall():
    print(f"{vote_pubkey}: {rugs} in epochs {first_epoch} to {last_epoch}")
