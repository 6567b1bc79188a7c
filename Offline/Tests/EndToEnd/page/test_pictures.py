# SPDX-License-Identifier: Apache-2.0
"""The pictures of the README: Home, an item, the player and the phone.

With OFFLINE_PICTURE, the test writes the pictures into Offline/Documentation/Images and uses longer
films.
"""

import os
import pathlib

from harness import media
from harness.server import Server

IMAGES = pathlib.Path(__file__).resolve().parents[3] / "Documentation/Images"
IS_DRAWN = bool(os.environ.get("OFFLINE_PICTURE"))

LIFE = "life=size=320x180:rate=24:mold=20:ratio=0.15:seed=9:death_color=#7a3b1d" \
    ":life_color=#ffd58a:mold_color=#1d2f3b,scale=1280:720:flags=neighbor"
SHOWS = [
    ("Voyage into the Mandelbrot set",
     "mandelbrot=size=1280x720:rate=24:start_scale=0.05:start_x=-0.7463:start_y=0.1102"
     ":end_scale=0.0005:end_pts=1400:maxiter=500:inner=black,hue=h=150:s=0.6"),
    ("A carpet by Sierpinski", "sierpinski=size=1280x720:rate=24:seed=4,gblur=sigma=1.5,"
     "format=yuv444p,pseudocolor=preset=viridis"),
    ("Sunrise", "gradients=size=1280x720:rate=24:type=radial:n=4:c0=#ffd800:c1=#6fb98f:c2=#2c7873"
     ":c3=#0f2027:x0=640:y0=520:x1=1280:y1=0:speed=0.005"),
    ("Rule 110", "cellauto=size=320x180:rate=24:rule=110:random_seed=3,"
     "scale=1280:720:flags=neighbor,gblur=sigma=4,format=yuv444p,pseudocolor=preset=magma"),
    ("The game of life", LIFE),
    ("Dusk", "gradients=size=1280x720:rate=24:n=4:c0=#16213e:c1=#533483:c2=#e94560:c3=#f7b267"
     ":speed=0.005:x0=200:y0=0:x1=500:y1=720"),
]
CHAPTERS = [("Seahorse valley", 0), ("The spiral arms", 12), ("A needle", 25), ("Filaments", 36), ("Deep inside", 48)]
WORDS = "WEBVTT\n\n00:00:00.000 --> 00:05:00.000\nEach arm is a copy of the whole, a little further in.\n"


def make_film(folder, number, title, source):
    """Makes a film with a picture and sound, and with chapters for the first film of the list."""
    film, plain = folder / f"{number}.mp4", folder / f"{number}-plain.mp4"
    seconds = 21 + 7 * number if IS_DRAWN else 1
    media.ffmpeg("-f", "lavfi", "-i", f"{source},format=yuv420p", "-f", "lavfi", "-i", "sine=220", "-t", seconds,
                 "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", plain)
    notes = folder / "chapters.txt"
    ends = [start for _, start in CHAPTERS[1:]] + [seconds]
    notes.write_text(";FFMETADATA1\n" + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1\nSTART={start}\nEND={end}\ntitle={name}\n"
        for (name, start), end in zip(CHAPTERS, ends) if start < seconds))
    chapters = ["-i", notes, "-map_metadata", "1", "-map_chapters", "1"] if title == SHOWS[0][0] else []
    media.ffmpeg("-i", plain, *chapters, "-c", "copy", film)
    return film


def pictures_have_loaded(browser, place, count):
    browser.until(lambda: browser.script("""
        const pictures = [...document.querySelectorAll(arguments[0] + " img")];
        return pictures.length === arguments[1] && pictures.every((each) => each.complete && each.naturalWidth)""", place, count),
        "the pictures do not load")


def test_the_pictures_of_the_readme(browser, program, origin, samples, tmp_path):
    server = Server(program, "--allow-private")
    for number, (title, source) in enumerate(reversed(SHOWS), 1):
        path = f"/{title.replace(' ', '%20')}.mp4"
        origin.serve({path: {"file": str(make_film(tmp_path, number, title, source))}})
        if number == len(SHOWS):
            server.call("POST", "/api/preferences", {"notifications": "granted"})
        server.download(origin.url(path))
        server.wait_for_items(lambda items: items.get(number, {}).get("state") == "ready")
    film = program.media(server.item(len(SHOWS)))
    film.with_suffix(".en.vtt").write_text(WORDS)
    origin.serve({"/show/": {"directory": str(samples.stream)}, "/show/part9.ts": {"gate": "never"}})
    server.download(origin.url("/show/stream.m3u8"))
    folder = IMAGES if IS_DRAWN else tmp_path / "images"
    folder.mkdir(parents=True, exist_ok=True)

    def draw(name):
        assert browser.overflow() <= 0
        browser.driver.save_screenshot(str(folder / f"{name}.png"))

    browser.open(server.address, dark=True)
    browser.until_text("#downloads-count", "1")
    pictures_have_loaded(browser, "#arrived-cards", len(SHOWS))
    draw("home")
    browser.click(".card h3 a")
    browser.until_shown("#item-chapters")
    browser.until(lambda: browser.script("return document.querySelector('.item-picture img')?.naturalWidth > 0"),
                  "the picture of the item does not load")
    # The picture ends above the path of the file, which depends on the machine.
    browser.resize(1280, 500)
    draw("item")
    browser.resize(1280, 800)
    server.call("PUT", f"/api/items/{len(SHOWS)}/playback", {"seconds": 14})
    browser.click("#item-play")
    browser.until(lambda: browser.script("""
        const film = document.querySelector("#player video");
        if (film?.readyState >= 2) film.pause();
        return film?.readyState >= 2 && !film.seeking;"""), "the film does not play")
    draw("player")
    browser.driver.get("about:blank")
    browser.open(f"{server.origin}/#library", width=390, height=780)
    pictures_have_loaded(browser, "#cards", len(SHOWS))
    draw("phone")
    assert sorted(path.name for path in folder.glob("*.png")) == ["home.png", "item.png", "phone.png", "player.png"]
    origin.open_gate("never")
