# SPDX-License-Identifier: Apache-2.0
"""Captures sent envelopes, and validates them with the parsers of Bugsink and Sentry Relay."""

import contextlib
import http.server
import io
import json
import subprocess
import threading

import django.conf
from bugsink.event_schema import validate
from ingest.parsers import StreamingEnvelopeParser
from sentry_relay.processing import StoreNormalizer, parse_release

from harness.program import finish, sendreports_binary

# The parser reads its limits from these settings, and the defaults apply.
django.conf.settings.configure()


class Receiver:
    """A server that accepts and stores every request."""

    def __init__(self):
        self.requests = requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                requests.append((self.path, self.headers, body))
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.dsn = f"http://0a1b2c3d@127.0.0.1:{self.server.server_address[1]}/7"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def send(deliveries, dsn):
    """Sends deliveries with the program under test and returns the receipts."""
    lines = "".join(json.dumps(delivery) + "\n" for delivery in deliveries)
    process = subprocess.Popen(
        [str(sendreports_binary()), dsn], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    result = finish(process, 1_500, input=lines)
    assert result.code == 0, result.err
    receipts = [json.loads(line) for line in result.out.splitlines()]
    assert len(receipts) == len(deliveries)
    return receipts


def envelopes_of(deliveries):
    """Sends deliveries and returns the header and the items of each envelope."""
    with contextlib.closing(Receiver()) as receiver:
        receipts = send(deliveries, receiver.dsn)
        assert all(receipt["outcome"] == "accepted" for receipt in receipts), receipts
        return [parsed(body) for _, _, body in receiver.requests]


def parsed(body):
    """Returns the header and the items of an envelope, parsed by Bugsink's strict parser."""
    parser = StreamingEnvelopeParser(io.BytesIO(body))
    header = parser.get_envelope_headers()
    items = [(head, _payload(head, payload), len(payload))
             for head, payload in parser.get_items_directly()]
    return header, items


def _payload(head, payload):
    if head["type"] == "attachment":
        return bytes(payload)
    return json.loads(payload, parse_constant=_no_constant)


def _no_constant(name):
    raise ValueError(f"{name} is not JSON")


def events_of(reports):
    """Sends reports and returns the validated events."""
    envelopes = envelopes_of([{"report": report} for report in reports])
    assert len(envelopes) == len(reports)
    events = []
    for report, (header, items) in zip(reports, envelopes):
        assert [head["type"] for head, _, _ in items] == ["event"]
        head, event, size = items[0]
        assert size == head["length"] <= 1_000_000
        assert header["event_id"] == event["event_id"] and header["sent_at"]
        validate_event(event, report)
        events.append(event)
    return events


def validate_event(event, report):
    """Fails unless Bugsink's schema and Relay accept the event without any change."""
    validate(event)
    normalizer = StoreNormalizer(
        project_id=1, protocol_version="7", client="tidings.swift/1", remove_other=True,
        enable_trimming=True, max_secs_in_past=30 * 86_400, max_secs_in_future=60)
    normalized = normalizer.normalize_event(json.loads(json.dumps(event)))
    complaints = {name: normalized[name] for name in ("errors", "_meta") if normalized.get(name)}
    assert not complaints, (complaints, report)
    if "release" in event:
        parse_release(event["release"])
