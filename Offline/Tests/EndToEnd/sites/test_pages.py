# SPDX-License-Identifier: Apache-2.0
"""Web pages in place of the media that they show."""

from harness.waiting import wait_until

KEPT = 60_000


def page(body):
    return {"text": f"<!DOCTYPE html><title>Coral reef</title>{body}", "type": "text/html"}


def test_o2_the_film_of_a_page_resumes_after_a_kill(samples, program, origin):
    # Each request for the page returns an address with another signature, as from a media host.
    film = {"file": str(samples.film)}
    origin.serve({
        "/watch": [page("<video src='/film.mp4?sign=1'></video>"),
                   page("<video src='/film.mp4?sign=2'></video>")],
        "/film.mp4?sign=1": {**film, "gate": "middle", "gateAfter": KEPT},
        "/film.mp4?sign=2": film,
    })
    process = program.start_get(origin.url("/watch"))
    origin.wait_at_gate("middle")
    partial = program.data / "work" / "1" / "partial"
    wait_until(lambda: partial.exists() and partial.stat().st_size > 0, program.root)
    process.kill()
    process.wait()
    origin.open_gate("middle")
    kept = partial.stat().st_size
    result = program.get(origin.url("/watch"))
    assert result.code == 0, result.err
    assert program.media().read_bytes() == samples.film.read_bytes()
    item = program.item()
    assert (item["title"], item["kind"], item["state"]) == ("Coral reef", "file", "ready")
    assert item["address"] == origin.url("/watch")
    log = origin.settled_log()
    assert [entry["path"] for entry in log] == [
        "/watch", "/film.mp4?sign=1", "/watch", "/film.mp4?sign=2"]
    assert [entry["range"] for entry in log] == [None, None, None, f"bytes={kept}-"]
    assert log[3]["headers"]["Referer"] == origin.url("/watch")


def test_o20_a_page_with_several_films_names_the_command_for_each(samples, program, origin):
    origin.serve({
        "/watch": page("<a href=/one-720p.mp4>One</a> <a href='/two.mp4?a=1&amp;b=2'>Two</a>"),
        "/two.mp4": {"file": str(samples.film)},
    })
    result = program.get(origin.url("/watch"))
    assert result.code == 1
    assert f"1. One (video, 720p): offline get '{origin.url('/one-720p.mp4')}'" in result.err
    command = f"offline get '{origin.url('/two.mp4?a=1&b=2')}'"
    assert f"2. Two (video): {command}" in result.err
    assert program.get(origin.url("/two.mp4?a=1&b=2")).code == 0
