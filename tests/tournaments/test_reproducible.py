"""The same configuration gives the same games, request by request, in another process and on another day."""

from __future__ import annotations

from ludometer.store import RunStore, schema
from ludometer.tournaments import start

# The fake provider answers by the request alone, and the other players by the seed.
SETTINGS = {
    "players": ["fake/a", {"player": "fake/a", "name": "chat", "context": "conversation"}, "random"],
    "schedule": {"self_play": True},
    "factors": {"view": ["list", "numbered"]},
    "seed": "täst",
}


def everything(folder):
    """All that was shown, asked, answered and decided, by match; no times, and nothing that depends on an order."""
    with RunStore.open(folder) as store:
        contents = {row["hash"]: bytes(row["body"]) for row in store.rows(schema.contents)}
        found = {}
        for row in store.matches():
            calls = [
                (call["step"], call["seat"], call["attempt"], call["n"], call["fingerprint"], call["request"])
                for call in store.rows(schema.exchanges, row.id)
            ]
            attempts = [
                (each["ordinal"], each["seat"], each["status"], each["action"], each["text"])
                for each in store.rows(schema.attempts, row.id)
            ]
            found[row.key] = (row.luck, row.seed, row.scores, row.notation, calls, attempts)
        return found, contents


def test_two_processes_play_the_same_games(kit, tmp_path):
    with kit.provider() as provider:
        runs = []
        for hash_seed, at_once in (("1", 1), ("4242", 7)):
            folder = tmp_path / hash_seed
            table = kit.table_for(provider.url, **SETTINGS, concurrency=at_once)
            session = kit.Session(folder, table, PYTHONHASHSEED=hash_seed).finish()
            assert session.code == 0, session.err
            runs.append(everything(folder))
    (one, one_contents), (two, two_contents) = runs
    assert len(one) == 3 * 3 * 2
    assert one == two
    # Byte for byte: every message is stored under the hash of its bytes.
    prompts = {
        digest for _, *rest in one.values() for call in rest[3] for digest in call[5].split('"') if len(digest) == 64
    }
    assert prompts
    assert {digest: one_contents[digest] for digest in prompts} == {digest: two_contents[digest] for digest in prompts}


def test_another_seed_plays_other_games(kit, tmp_path):
    found = []
    for seed in (1, 2):
        config = kit.config_for(players=["random", "perfect"], schedule={"repeats": 5}, seed=seed)
        assert kit.run(start(config, tmp_path / str(seed))).complete
        found.append([row[5] for row in kit.results(tmp_path / str(seed)).values()])
    assert found[0] != found[1]
