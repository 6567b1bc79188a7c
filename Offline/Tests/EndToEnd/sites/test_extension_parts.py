# SPDX-License-Identifier: Apache-2.0
"""The parts of the extension that use no browser: kinds of streams, lists, groups and cookies."""

import pytest

from harness.extension import FOLDER

BASE = "https://a.example/films/"


@pytest.fixture
def run(browser, origin):
    """Evaluates an expression on a module of the extension."""
    origin.serve({"/": {"text": "<title>parts</title>", "type": "text/html"}, "/favicon.ico": {"text": ""},
                  "/parts/": {"directory": str(FOLDER)}})
    browser.open(origin.url("/"))

    def run(module, expression, *arguments):
        return browser.driver.execute_async_script(
            f"const done = arguments[arguments.length - 1], given = arguments; import('/parts/{module}.js')"
            f".then(async (module) => {expression}).then(done, (error) => done(String(error)));", *arguments)

    return run


def response(path, content_type="", kind="xmlhttprequest", status=200, method="GET", **headers):
    headers = {"Content-Type": content_type, **headers}
    return {"url": path if ":" in path else BASE + path, "method": method, "statusCode": status, "type": kind,
            "frameId": 0, "responseHeaders": [{"name": name.replace("_", "-"), "value": value}
                                              for name, value in headers.items()]}


RESPONSES = [
    # The type decides.
    (response("x?y=1", "application/vnd.apple.mpegurl; charset=utf-8"), "hls"),
    (response("x", "Audio/MPEGURL"), "hls"),
    (response("x", "application/dash+xml"), "dash"),
    (response("x", "video/webm", "media"), "video"),
    (response("x.php", "audio/mpeg"), "audio"),
    # The name decides, because the type is unspecific.
    (response("master.m3u8?token=a.b", "text/plain"), "hls"),
    (response("x.MPD", "application/xml"), "dash"),
    (response("x.mp4", "application/octet-stream"), "video"),
    (response("x.mp3"), "audio"),
    # These responses are parts of a stream, or no media.
    (response("x.ts", "video/mp2t"), None),
    (response("x.ts"), None),
    (response("x.m4s", "video/mp4"), None),
    (response("x.mp4", "text/html"), None),
    (response("x.m3u8", "text/html"), None),
    (response("x.js", "text/javascript"), None),
    (response("x.vtt", "text/vtt"), None),
    # A request for media is a whole file, although the name is like the name of a part.
    (response("x.ts", "video/mp2t", "media"), "video"),
    # These responses have failed, were not read, or do not come from the web.
    (response("x.mp4", "video/mp4", status=404), None),
    (response("x.mp4", "video/mp4", status=302), None),
    (response("x.mp4", "video/mp4", status=304), "video"),
    (response("x.mp4", "video/mp4", method="POST"), None),
    (response("blob:https://a.example/1", "video/mp4"), None),
    (response("data:video/mp4,", "video/mp4"), None),
    (response("x.mp4?" + "a" * 4096, "video/mp4"), None),
]


def test_responses_are_classified(run):
    given, kinds = zip(*RESPONSES)
    assert run("streams", "given[0].map((each) => module.streamOf(each)?.kind ?? null)", given) == list(kinds)


def test_a_stream_has_its_size_and_its_page(run):
    whole = response("x.mp4#t=1", "video/mp4", Content_Length="12")
    part = response("x.mp4", "video/mp4", status=206, Content_Length="5", Content_Range="bytes 0-4/99")
    odd = response("x.mp4", "video/mp4", status=206, Content_Length="5", Content_Range="bytes 0-4/*")
    framed = {**response("x.mp4", "video/mp4"), "frameId": 7, "initiator": "https://b.example"}
    hostile = {**response("x.mp4", "video/mp4"), "documentUrl": "javascript:alert(1)"}
    found = run("streams", "given[0].map(module.streamOf)", [whole, part, odd, framed, hostile])
    assert [each.get("bytes") for each in found] == [12, 99, None, None, None]
    assert found[0]["address"] == BASE + "x.mp4"
    assert (found[3]["frame"], found[3]["document"]) == (7, "https://b.example/")
    assert "document" not in found[4]


LIST = "given[0].map(module.streamOf).reduce(module.added, module.emptyList())"


def names(streams):
    return [each["address"].removeprefix(BASE) for each in streams]


def test_a_list_has_each_address_once_with_its_size(run):
    one = response("x.mp4", "video/mp4", "media", Content_Length="12")
    found = run("streams", LIST, [response("x.mp4", "video/mp4", "media"), one, one])
    assert [(each["address"], each["bytes"]) for each in found["streams"]] == [(BASE + "x.mp4", 12)]


def test_what_a_script_fetches_beside_a_playlist_is_a_part(run):
    given = [response("x.m3u8"), response("part.mp4", "video/mp4"), response("film.mp4", "video/mp4", "media"),
             {**response("other.mp4", "video/mp4"), "frameId": 3}]
    assert names(run("streams", LIST, given)["streams"]) == ["x.m3u8", "film.mp4", "other.mp4"]


def test_a_series_of_similar_files_is_no_list_of_films(run):
    series = [response(f"chunk-{number}.mp4?a={number}", "video/mp4") for number in range(9)]
    found = run("streams", LIST, [*series, response("film.mp4", "video/mp4"), *series])
    assert names(found["streams"]) == ["film.mp4"]
    few = run("streams", LIST, series[:3])
    assert len(few["streams"]) == 3


def test_a_list_is_bounded_and_keeps_its_playlists(run):
    given = [response("x.m3u8"), *(response(f"{number}.mp4", "video/mp4", "media") for number in range(50))]
    found = run("streams", LIST, given)
    assert (len(found["streams"]), found["dropped"]) == (40, 11)
    assert names(found["streams"])[:2] == ["x.m3u8", "11.mp4"]
    found = run("streams", LIST, [response(f"{number}.m3u8") for number in range(45)])
    assert (len(found["streams"]), names(found["streams"])[0]) == (40, "5.m3u8")


def test_playlists_below_the_first_one_are_its_qualities(run):
    given = [response("film.mp4", "video/mp4", "media"), response("one/master.m3u8?a=/b"),
             response("one/720/v.m3u8"), response("two/master.m3u8"), response("one/a.mpd"),
             {**response("one/x.m3u8"), "frameId": 2}]
    groups = run("streams", f"module.grouped({LIST})", given)
    assert [(names([each["stream"]]), names(each["others"])) for each in groups] == [
        (["one/master.m3u8?a=/b"], ["one/720/v.m3u8"]), (["two/master.m3u8"], []), (["one/a.mpd"], []),
        (["one/x.m3u8"], []), (["film.mp4"], [])]


@pytest.mark.parametrize("details,is_new", [
    (response("/", "text/html", "main_frame"), True),
    (response("/", "text/html", "sub_frame"), False),
    (response("/", "", "main_frame", status=204), False),
    (response("x.mp4", "video/mp4", "main_frame", Content_Disposition="attachment; filename=x"), False),
])
def test_only_a_page_in_the_tab_begins_a_new_list(run, details, is_new):
    assert run("streams", "module.isNewPage(given[0])", details) == is_new


def test_o14_cookies_become_lines_of_a_file_without_the_key_to_the_library(run):
    cookie = {"domain": "a.example", "hostOnly": True, "path": "/", "secure": True, "expirationDate": 1.5,
              "name": "id", "value": "x=y"}
    given = [cookie, cookie, {**cookie, "domain": ".a.example", "hostOnly": False, "secure": False,
                              "expirationDate": None, "value": ""},
             {**cookie, "value": "a\tb"}, {**cookie, "value": "a\nb"}, {**cookie, "name": "a b"},
             {**cookie, "value": "a;b"}, {**cookie, "path": ""}, {**cookie, "name": "offline_token_8420"}]
    assert run("cookies", "module.cookiesText(given[0])", given) == (
        "a.example\tFALSE\t/\tTRUE\t2\tid\tx=y\n.a.example\tTRUE\t/\tFALSE\t0\tid\t\n")


@pytest.mark.parametrize("address,names", [
    ("https://example.com/", ["own", "host", "path", "secure"]),
    ("https://www.example.com/a", ["host", "path", "secure", "www"]),
    ("http://example.com/", ["own", "host", "path", "secure"]),
    ("http://example.com:81/", ["own", "host", "path"]),
    ("https://notexample.com/", []),
])
def test_o14_only_cookies_that_the_host_would_be_sent_are_handed_over(run, address, names):
    cookie = {"domain": ".example.com", "hostOnly": False, "path": "/", "secure": False, "value": ""}
    given = [{**cookie, **change, "name": name} for name, change in {
        "own": {"domain": "example.com", "hostOnly": True}, "host": {},
        # Segments may have other paths.
        "path": {"path": "/segments"}, "secure": {"secure": True},
        "www": {"domain": "www.example.com", "hostOnly": True},
        "mail": {"domain": "mail.example.com", "hostOnly": True}, "mails": {"domain": ".mail.example.com"}}.items()]
    found = run("cookies", "given[0].filter((each) => module.canReach(given[1], each)).map(({ name }) => name)",
                given, address)
    assert found == names


# The parts of the browser's interface that a handover uses.
BROWSER = """
const stored = new Map(), injected = [];
globalThis.browser = {
  storage: {
    local: { get: async () => ({ program: globalThis.program }) },
    session: {
      get: async (key) => ({ [key]: stored.get(key) }),
      set: async (values) => { for (const [key, value] of Object.entries(values)) stored.set(key, value); },
      remove: async (key) => { stored.delete(key); },
    },
  },
  tabs: { create: async () => ({ id: 7 }), get: async () => ({ url: globalThis.tabAddress, status: "complete" }) },
  scripting: { executeScript: async ({ target }) => { injected.push(target.tabId); } },
  cookies: {
    getAllCookieStores: async () => [{ id: "0", tabIds: [1] }, { id: "work", tabIds: [5] }],
    // With a domain, browsers return the cookies of the hosts below it, too.
    getAll: async ({ storeId, domain }) => (storeId === "work" ? ["a.example", ...(domain ? ["mail.a.example"] : [])] : [])
      .map((host) => ({ domain: host, hostOnly: true, path: "/", secure: false, name: "id", value: "secret" })),
  },
};
globalThis.stored = stored;
globalThis.injected = injected;
"""
QUESTIONS = """(async () => {
  const url = "http://127.0.0.1:8420/", found = {};
  const film = { address: "https://a.example/f", title: "", tab: 5 };
  tabAddress = "about:blank";
  await module.handOver(film, true);
  found.beside = injected.length;
  tabAddress = url;
  await module.pageChanged(7);
  await module.pageChanged(8);
  found.injected = [...injected];
  const sender = (change) => ({ tab: { id: 7 }, frameId: 0, url, ...change });
  const { number, site, address } = await module.answer({ ask: "offer" }, sender());
  const ask = { ask: "cookies", number };
  const strangers = [{ tab: { id: 8 } }, { tab: undefined }, { frameId: 3 }, { url: "https://evil.example/" },
    { url: "http://127.0.0.1:8421/" }, { url: "nonsense" }, { url: undefined }];
  found.strangers = [];
  for (const each of strangers) found.strangers.push(await module.answer(ask, sender(each)) ?? null);
  found.guess = await module.answer({ ask: "cookies", number: "1" }, sender()) ?? null;
  found.held = JSON.stringify([...stored]).includes("secret");
  found.first = (await module.answer(ask, sender())).cookies;
  found.second = await module.answer(ask, sender()) ?? null;
  await module.handOver(film, true);
  stored.get("handover-7").end = Date.now() - 1;
  found.late = await module.answer({ ask: "offer" }, sender()) ?? null;
  await module.handOver(film, false);
  found.without = stored.size;
  return { ...found, site, address };
})()"""
MOVES = """(async () => {
  const film = { address: "https://a.example/f", title: "", tab: 5 }, found = [];
  for (const steps of given[0]) {
    tabAddress = "";
    await module.handOver(film, true);
    for (const step of steps) {
      tabAddress = step ?? undefined;
      await module.pageChanged(7);
    }
    found.push(stored.has("handover-7"));
    stored.clear();
  }
  return found;
})()"""
PLAIN = """(async () => {
  const film = { address: "https://a.example/f", title: "", tab: 5 };
  program = "http://nas.local:8420";
  const error = await module.handOver(film, true).catch((error) => error.message);
  await module.handOver(film, false);
  return [error, stored.size];
})()"""


def test_o14_only_the_programs_page_in_its_tab_gets_the_cookies_once(run, browser):
    browser.script(BROWSER)
    assert run("handover", QUESTIONS) == {
        "beside": 0, "injected": [7], "site": "a.example", "address": "https://a.example/f", "strangers": [None] * 7, "guess": None, "held": False,
        "first": "a.example\tFALSE\t/\tFALSE\t0\tid\tsecret\n", "second": None, "late": None, "without": 0}


def test_o15_an_offer_ends_when_its_tab_shows_another_site(run, browser):
    browser.script(BROWSER)
    own, evil = "http://127.0.0.1:8420/#downloads", "https://evil.example/"
    moves = [["about:blank", own], [own, own], [own, evil], [own, evil, own], [own, None], [None, own], [evil, own]]
    assert run("handover", MOVES, moves) == [True, True, False, False, False, True, False]


def test_o14_a_program_that_could_be_replaced_on_the_way_gets_no_cookies(run, browser):
    given = ["https://media.lan", "http://127.0.0.1:8420", "http://localhost:1", "http://a.localhost", "http://[::1]:1",
             "http://nas.local:8420", "http://127.0.0.1.example", "http://localhost.example", "http://192.168.0.2"]
    browser.script(BROWSER)
    assert run("program", "given[0].map(module.isPrivate)", given) == [True] * 5 + [False] * 4
    browser.expected = ["Cookies are handed over only to"]
    error, count = run("handover", PLAIN)
    assert error.startswith("Cookies are handed over only to") and count == 0


def test_the_hosts_of_a_site_are_few(run):
    given = ["https://a.b.example/", "https://cdn.films.co.uk/", "http://127.0.0.1:8/", "http://localhost:9/"]
    assert run("cookies", "given[0].flatMap(module.patternsOf)", given) == [
        "*://*.b.example/*", "*://*.films.co.uk/*", "*://127.0.0.1/*", "*://localhost/*"]


def test_the_address_of_the_program_is_an_origin(run):
    given = ["127.0.0.1:8420", " http://localhost:1/?token=a ", "https://media.lan", "", "javascript:alert(1)",
             "ftp://a/", "http://u:p@a/", "http://[::1]:8420", "a b"]
    # The module uses the browser only within functions.
    assert run("program", "given[0].map((each) => module.originOf(each) ?? null)", given) == [
        "http://127.0.0.1:8420", "http://localhost:1", "https://media.lan", *[None] * 6]


def test_an_address_for_the_program_is_encoded_and_short(run):
    stream = {"address": "https://a.example/?b=c&d=#e", "title": "&title=<b>" + "x" * 400,
              "referrer": "https://a.example/&"}
    found = run("program", "module.addAddress('http://127.0.0.1:1', given[0])", stream)
    assert found.startswith("http://127.0.0.1:1/add?url=https%3A%2F%2Fa.example%2F%3Fb%3Dc%26d%3D%23e"
                            "&title=%26title%3D%3Cb%3Ex")
    assert found.endswith("x&referrer=https%3A%2F%2Fa.example%2F%26") and "x" * 290 + "&" in found
    stream["referrer"] = "https://a.example/?" + "a" * 2000
    found = run("program", "module.addAddress('http://127.0.0.1:1', given[0])", stream)
    assert found.endswith("&referrer=https%3A%2F%2Fa.example%2F")
