# SPDX-License-Identifier: Apache-2.0
"""Collections on the command line and in the API, with one and with two processes."""

import json
import shutil

import pytest

from harness.program import finish
from harness.server import Events, Server


@pytest.fixture
def numbers(program):
    """Adds three text items and returns their numbers by title."""
    return imported(program, "one", "two", "three")


def imported(program, *names):
    program.library.mkdir(parents=True, exist_ok=True)
    for name in names:
        (program.library / f"{name}.txt").write_text(f"The text {name}.\n")
    assert program.run("refresh", "--import").code == 0
    return {item["title"]: item["id"] for item in program.items()}


def done(program, *words):
    """Runs `offline collections` with these words and returns the output of a success."""
    result = program.run("collections", *words)
    assert result.code == 0, result
    return result.out


def listed(program):
    """Returns the items of each collection by name."""
    return {found["name"]: found["items"] for found in json.loads(done(program, "--json"))}


def test_o33_commands_make_order_rename_and_delete_a_collection(program, numbers):
    one, two, three = numbers["one"], numbers["two"], numbers["three"]
    assert "There are no collections" in done(program)
    assert done(program, "add", "For the train", three, one) == (
        "Made the collection “For the train” of 2 items.\n")
    assert done(program, "add", "FOR THE TRAIN", one, two) == "Added 1 item to “For the train”.\n"
    assert listed(program) == {"For the train": [three, one, two]}
    assert done(program) == "3 items  For the train\n"
    lines = done(program, "for the train").splitlines()
    assert [line.split()[0] for line in lines] == [str(three), str(one), str(two)]
    assert program.run("list", "--collection", "For the train").out.splitlines() == lines
    found = json.loads(program.run("list", "two", "--collection=For the train", "--json").out)
    assert [item["id"] for item in found] == [two]
    assert "Took 1 item out" in done(program, "remove", "For the train", one)
    assert "is now “Plane”" in done(program, "rename", "For the train", "Plane")
    assert listed(program) == {"Plane": [three, two]}
    assert program.run("remove", three).code == 0
    assert listed(program) == {"Plane": [two]}
    assert "Deleted the collection “Plane”" in done(program, "delete", "Plane")
    assert listed(program) == {} and len(program.items()) == 2


@pytest.mark.parametrize("served", [False, True])
def test_o33_faults_name_the_remedy_and_change_nothing(served, program, numbers):
    done(program, "add", "Train", numbers["one"])
    done(program, "add", "Bus", numbers["two"])
    before = listed(program)
    if served:
        Server(program)
    for words, code, text in [
            (["Trian"], 1, "There is no collection “Trian”. Run `offline collections` to list them."),
            (["remove", "Trian", "1"], 1, "There is no collection “Trian”."),
            (["rename", "Trian", "x"], 1, "There is no collection “Trian”."),
            (["delete", "Trian"], 1, "There is no collection “Trian”."),
            (["rename", "Bus", "TRAIN"], 1, "a collection “Train” already. Use another name."),
            (["add", "Train", "99"], 1, "There is no item 99. `offline list` shows all items."),
            (["add", "New", "99"], 1, "There is no item 99. `offline list` shows all items."),
            (["add", "Train"], 2, "The item's number is missing."), (["add"], 2, "is missing"),
            (["add", "Train", "x"], 2, "x"), (["rename", "Train"], 2, "is missing"),
            (["add", "x" * 201, "1"], 2, "more than 200 characters"), ([" "], 2, "is empty"),
            (["add", "a\x1b[31m", "1"], 2, "control characters"),
            (["Train", "Bus"], 2, "Unexpected argument")]:
        result = program.run("collections", *words)
        assert result.code == code and text in result.err, (words, result)
    assert program.run("list", "--collection", "Trian").code == 1
    assert listed(program) == before


def test_o33_a_server_and_commands_see_each_others_collections(program, numbers):
    one, two, three = numbers["one"], numbers["two"], numbers["three"]
    server = Server(program)
    made = server.call("POST", "/api/collections", {"name": "Train", "items": [two, one]})
    assert listed(program) == {"Train": [two, one]}
    with Events(server) as events:
        stream = iter(events)
        assert next(stream)[0] == "hello"
        # Each command is a second process, and the page of the first process receives an event.
        for words, expected in [
                (["add", "Train", three], [two, one, three]), (["remove", "Train", two], [one, three]),
                (["rename", "Train", "Plane"], [one, three]), (["delete", "Plane"], None)]:
            done(program, *words)
            name, data = next(event for event in stream if event[0] == "collections")
            assert data == {}
            found = {item["id"]: item["items"]
                     for item in server.call("GET", "/api/collections")["collections"]}
            assert found.get(made["id"]) == expected
    done(program, "add", "Bus", three, one)
    number = server.call("GET", "/api/collections")["collections"][0]["id"]
    page = server.call("GET", f"/api/items?collection={number}&order=collection")
    assert [item["id"] for item in page["items"]] == [three, one]
    server.kill()
    assert listed(program) == {"Bus": [three, one]}
    server.start()
    assert server.call("GET", "/api/collections")["collections"][0]["items"] == [three, one]
    # The removal of an item is also posted as a change of the item's collections.
    with Events(server) as events:
        stream = iter(events)
        assert next(stream)[0] == "hello"
        assert program.run("remove", three).code == 0
        assert next(event for event in stream if event[0] == "collections")
    assert listed(program) == {"Bus": [one]}
    server.kill()


@pytest.mark.parametrize("served", [False, True])
def test_o33_commands_at_the_same_time_lose_nothing(served, program, numbers):
    done(program, "add", "Train", numbers["one"])
    if served:
        Server(program)
    others = [(words, program.start(*words))
              for number in (numbers["two"], numbers["three"]) for _ in range(2)
              for words in [("collections", "add", "Train", number)]]
    for words, process in others:
        result = finish(process)
        if result.code == 1 and "Another offline command" in result.err:
            # On a stalled machine, other commands may hold the library for longer than one command
            # waits.
            assert not served, result
            result = program.run(*words)
        assert result.code == 0, result
    assert sorted(listed(program)["Train"]) == sorted(numbers.values())


def test_o33_wrong_requests_are_refused_without_a_token_too(program, numbers):
    server = Server(program)
    for method, path in [("GET", ""), ("POST", ""), ("PATCH", "/1"), ("DELETE", "/1")]:
        assert server.request(method, "/api/collections" + path, {"name": "x"}, bearer=False)[0] == 403
    status, _, content = server.request("POST", "/api/collections", {"name": "\0"})
    assert status == 400 and json.loads(content)["error"]["code"] == "invalidName"
    made = server.call("POST", "/api/collections", {"name": "A"})
    status, _, content = server.request("POST", "/api/collections", {"name": "a "})
    assert status == 409 and json.loads(content)["error"]["code"] == "collectionExists"
    status, _, content = server.request("DELETE", f"/api/collections/{made['id']}")
    assert (status, content) == (204, b"")
    assert server.request("DELETE", f"/api/collections/{made['id']}")[0] == 404
    # The server refuses a body by the announced size, before the body arrives.
    size = {"Content-Length": str(3 << 20)}
    assert server.request("POST", "/api/collections", b"{}", headers=size)[0] == 413
    server.kill()


def test_o33_an_export_carries_collections_to_another_library(program, programs, numbers):
    done(program, "add", "Train", numbers["three"], numbers["one"])
    text = program.root / "library.jsonl"
    assert "3 items and 1 collection" in program.run("export", text).err
    other = programs("other")
    imported(other, "own")
    for name in program.files():
        shutil.copy(program.library / name, other.library)
    done(other, "add", "TRAIN", 1)
    server = Server(other)
    result = other.run("import", text)
    assert "Took 1 collection of the text, 1 of them into those of the same name." in result.out
    own = {item["title"]: item["id"] for item in other.items()}
    expected = {"TRAIN": [own["own"], own["three"], own["one"]]}
    assert listed(other) == expected
    assert other.run("import", text).code == 0
    assert listed(other) == expected
    server.kill()
    hostile = text.read_text().replace('"items":[', '"items":[77,', 1)
    text.write_text(hostile)
    result = other.run("import", text)
    assert result.code == 1 and "an item that the text does not have" in result.err, result
    assert listed(other) == expected
