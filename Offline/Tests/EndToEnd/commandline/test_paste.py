# SPDX-License-Identifier: Apache-2.0
"""Pasted addresses: without a scheme, within text, several together, in lists and in the API."""

import os
import pty

from harness.program import finish
from harness.server import Server


def bare(address):
    """Returns an address of an origin without the scheme."""
    return address.removeprefix("http://")


def serve_files(origin, samples, *names):
    origin.serve({f"/{name}": {"file": str(samples.file)} for name in names})


def test_o19_get_takes_an_address_without_a_scheme_and_with_text(program, origin, samples):
    serve_files(origin, samples, "a.bin", "b.bin")
    result = program.get(bare(origin.url("/a.bin")))
    assert result.code == 0, result.err
    result = program.get(f"look at this: <{origin.url('/b.bin')}>, great!")
    assert result.code == 0, result.err
    assert [item["address"] for item in program.items()] == [origin.url("/b.bin"), origin.url("/a.bin")]


def test_o19_one_failure_of_several_does_not_stop_the_others(program, origin, samples):
    serve_files(origin, samples, "a.bin", "b.bin")
    result = program.get(origin.url("/a.bin"), origin.url("/gone"), "ftp://example.org/x",
                         origin.url("/b.bin"))
    assert result.code == 1
    ready = [item for item in program.items() if item["state"] == "ready"]
    assert sorted(result.out.splitlines()) == sorted(str(program.media(item)) for item in ready)
    assert len(ready) == 2
    assert "404" in result.err and "The scheme ftp: is not supported" in result.err
    # The exit status is also 1 if every address is valid and one download fails.
    result = program.get(origin.url("/gone"), origin.url("/a.bin"))
    assert (result.code, len(result.out.splitlines())) == (1, 1)


def test_o19_lists_come_from_files_and_the_standard_input(program, origin, samples, tmp_path):
    serve_files(origin, samples, "a.bin", "b.bin", "c.bin")
    (tmp_path / "list").write_text(f"# films\n{origin.url('/a.bin')}\n\n{bare(origin.url('/b.bin'))} # good\n")
    process = program.start(
        "get", "-f", tmp_path / "list", "-f", "-", "--wait", "--allow-private", stdin=-1)
    result = finish(process, input=origin.url("/c.bin") + "\n")
    assert result.code == 0, result.err
    assert len(result.out.splitlines()) == 3
    assert {item["state"] for item in program.items()} == {"ready"}


def test_a_list_that_cannot_be_used_names_the_fault(program, tmp_path):
    (tmp_path / "empty").write_text("# nothing\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "many").write_text("".join(f"a.example/{n}\n" for n in range(10_000)))
    for name, words in [("empty", "no web address"), ("binary", "not text"), ("missing", "cannot be read"),
                        ("many", "more than 1000 addresses"), ("", "cannot be read")]:
        result = program.run("get", "-f", tmp_path / name)
        assert result.code == 2 and words in result.err, (name, result)


def test_o19_each_item_has_a_line_in_a_terminal(program, origin, samples):
    gated = {"file": str(samples.file), "gate": "end", "gateAfter": 1_000_000}
    origin.serve({"/a.bin": gated, "/b.bin": gated})
    master, slave = pty.openpty()
    process = program.start_get(origin.url("/a.bin"), origin.url("/b.bin"), stderr=slave)
    os.close(slave)
    shown = b""
    while not (b"a: Fetching" in shown and b"b: Fetching" in shown and b"0 of 2 finished" in shown):
        shown += os.read(master, 4096)
    origin.open_gate("end")
    result = finish(process)
    os.close(master)
    assert result.code == 0
    assert len(result.out.splitlines()) == 2


def test_o19_a_stop_keeps_all_addresses(program, origin, samples):
    gated = {"file": str(samples.file), "gate": "end", "gateAfter": 1_000_000}
    origin.serve({"/a.bin": gated, "/b.bin": gated})
    process = program.start_get(origin.url("/a.bin"), origin.url("/b.bin"))
    origin.wait_at_gate("end", 2)
    process.terminate()
    assert finish(process).code == 130
    assert [item["state"] for item in program.items()] == ["queued", "queued"]
    origin.open_gate("end")
    result = program.get(origin.url("/a.bin"), origin.url("/b.bin"))
    assert result.code == 0 and len(result.out.splitlines()) == 2


def test_o19_several_addresses_wait_while_another_command_works(program, origin, samples):
    origin.serve({"/slow": {"file": str(samples.file), "gate": "end", "gateAfter": 1_000_000}})
    serve_files(origin, samples, "a.bin", "b.bin")
    first = program.start_get(origin.url("/slow"))
    origin.wait_at_gate("end")
    second = program.start_get(origin.url("/a.bin"), origin.url("/b.bin"))
    result = finish(second)
    assert result.code == 0, result.err
    assert len(result.out.splitlines()) == 2
    origin.open_gate("end")
    assert finish(first).code == 0


def test_o19_the_server_adds_the_addresses_of_a_text(program, origin, samples):
    serve_files(origin, samples, "a.bin", "b.bin", "c.bin")
    server = Server(program, "--allow-private")
    text = f"first {origin.url('/a.bin')}\nthen {bare(origin.url('/b.bin'))}, not file:///etc/passwd"
    pasted = server.call("POST", "/api/items", {"text": text})
    assert [item["address"] for item in pasted["items"]] == [origin.url("/a.bin"), origin.url("/b.bin")]
    assert [(refusal["line"], refusal["code"]) for refusal in pasted["refused"]] == [(2, "unsupportedScheme")]
    result = program.get(origin.url("/b.bin"), origin.url("/c.bin"))
    assert result.code == 0, result.err
    assert len(result.out.splitlines()) == 2
