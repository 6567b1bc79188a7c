# SPDX-License-Identifier: Apache-2.0
"""Other devices of the network, which a user admits: `offline serve --lan` (O15)."""

import json
import ssl
import subprocess

import pytest

from harness.network import Network, own_network
from harness.phone import Phone, invite
from harness.server import Server


@pytest.fixture
def network():
    network = Network()
    network.go_online()
    return network


@own_network
def test_o15_a_device_uses_the_library_from_when_it_is_let_in_until_it_is_removed(program, network):
    server = Server(program, "--lan")
    address = invite(program)
    assert address.startswith(f"http://{network.ADDRESS}:8440/?ticket=")
    phone = Phone(address)
    assert phone.first[0] == 303 and "; HttpOnly; SameSite=Strict; Path=/" in phone.cookie
    assert phone.error() == "waiting"
    code = phone.code()
    assert f"Safari on iPhone, code {code}" in program.run("devices").out
    # A second use of the address is too late, and a wrong code admits no device.
    assert Phone(address).first[0] == 403
    wrong = program.run("devices", "allow", "12345")
    assert wrong.code == 1 and "No device waits with the code" in wrong.err
    assert phone.error() == "waiting"
    assert program.run("devices", "allow", code).out == "Let in: Safari on iPhone\n"
    assert phone.get("/api/items")[0] == 200
    assert "1      Safari on iPhone, last seen 2" in program.run("devices").out
    server.kill()
    server.start()
    assert phone.get("/api/items")[0] == 200
    assert program.run("devices", "remove", "1").code == 0
    assert phone.error() == "unknownDevice"
    assert program.run("devices", "remove", "1").code == 1
    server.kill()


@own_network
def test_o15_a_refused_device_stays_out_and_the_servers_token_opens_no_other_door(program, network):
    server = Server(program, "--lan")
    phone = Phone(invite(program))
    assert program.run("devices", "refuse", phone.code()).code == 0
    assert phone.error() == "refused"
    stranger = Phone(f"http://{network.ADDRESS}:8440/?token={server.token}")
    assert stranger.first[0] == 403 and stranger.cookie is None
    for headers in ({"Authorization": f"Bearer {server.token}"},
                    {"Cookie": f"offline_device_8440={server.token}"},
                    {"Cookie": f"offline_token_{server.port}={server.token}"},
                    {"Host": "evil.example:8440"}):
        assert stranger.get("/api/items", **headers)[0] == 403, headers
    server.kill()


@own_network
def test_o15_two_libraries_keep_their_ports_and_their_devices(programs, network):
    first, second = programs("first"), programs("second")
    servers = [Server(first, "--lan"), Server(second, "--lan")]
    phones = [Phone(invite(each)) for each in (first, second)]
    assert [phone.port for phone in phones] == [8440, 8441]
    for program, phone in zip((first, second), phones):
        assert program.run("devices", "allow", phone.code()).code == 0
    for server in servers:
        server.kill()
    # In the reverse order, each library stays at the address that the devices use.
    for server in reversed(servers):
        server.start()
    assert [phone.get("/api/items")[0] for phone in phones] == [200, 200]
    # The key of one library does not work for another library.
    phones[0].port = 8441
    phones[0].headers["Cookie"] = phones[0].headers["Cookie"].replace("8440", "8441")
    assert phones[0].error() == "unknownDevice"


@own_network
def test_o15_without_lan_only_this_machine_can_connect(program, network):
    server = Server(program)
    listening = subprocess.run(["ss", "-Htln"], capture_output=True, text=True, check=True).stdout
    assert {line.split()[3].rsplit(":", 1)[0] for line in listening.splitlines()} == {"127.0.0.1"}
    result = program.run("devices", "add")
    assert result.code == 1 and "`offline serve --lan`" in result.err
    assert "`offline serve --lan`" in program.run("devices").out
    server.kill()
    result = program.run("devices")
    assert result.code == 1 and "No server runs" in result.err


@own_network
def test_o15_a_certificate_encrypts_the_connections_of_devices(program, network, tmp_path):
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=library", "-addext",
         f"subjectAltName=IP:{network.ADDRESS}", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)
    options = ("--lan", "--tls-certificate", certificate, "--tls-key", key)
    server = Server(program, *options)
    address = invite(program)
    assert address.startswith(f"https://{network.ADDRESS}:8440/")
    phone = Phone(address, ssl.create_default_context(cafile=certificate))
    assert phone.cookie.endswith("; Secure")
    assert program.run("devices", "allow", phone.code()).code == 0
    assert phone.get("/api/items")[0] == 200
    server.kill()
    key.write_text("no key")
    result = program.run("serve", "--no-browser", *options)
    assert result.code == 1 and "PEM files that belong together" in result.err, result
    result = program.run("serve", "--no-browser", *options[:3])
    assert result.code == 2 and "belong together" in result.err, result


@own_network
def test_o15_the_page_asks_about_a_device_and_shows_a_code_that_a_camera_reads(
        program, network, browser, tmp_path):
    server = Server(program, "--lan")
    browser.open(server.address)
    browser.section("settings")
    browser.click("#device-add")
    browser.until_shown(".qr").screenshot(str(tmp_path / "code.png"))
    read = subprocess.run(["zbarimg", "--quiet", "--raw", tmp_path / "code.png"],
                          capture_output=True, text=True, check=True).stdout.strip()
    assert read == browser.find("#ask .invitation").text
    browser.picture("device-invitation")
    phone = Phone(read)
    code = phone.code()
    browser.until_text("#ask .code", code)
    browser.picture("device-arrival")
    browser.click("#ask button.primary")
    browser.until_text("#device-rows", "Safari on iPhone")
    assert phone.get("/api/items")[0] == 200
    browser.click("#device-rows button.danger")
    browser.click("#ask button.danger")
    browser.until(lambda: not browser.all("#device-rows li"), "the device is still listed")
    assert phone.error() == "unknownDevice"


@own_network
def test_o15_the_page_works_on_a_device(program, network, browser):
    # Without encryption, a browser ignores this header and prints a message.
    browser.expected = ["Cross-Origin-Opener-Policy"]
    server = Server(program, "--lan")
    browser.open(invite(program), width=360, height=740)
    browser.until_text("body", "Let this device in")
    browser.picture("device-waits")
    waiting = json.loads(program.run("devices", "--json").out)["arrivals"]
    assert program.run("devices", "allow", waiting[0]["code"]).code == 0
    browser.until_shown("nav")
    assert browser.script("return location.href") == f"http://{network.ADDRESS}:8440/"
    # The device loses access immediately: the page's stream ends, and the server refuses the next
    # stream.
    browser.expected.append("403")
    browser.record_responses()
    assert program.run("devices", "remove", "1").code == 0
    browser.until(lambda: any(status == 403 for _, status in browser.responses()), "not refused")
