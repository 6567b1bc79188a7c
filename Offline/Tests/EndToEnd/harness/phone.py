# SPDX-License-Identifier: Apache-2.0
"""A browser on another device, and the address that admits the browser."""

import contextlib
import http.client
import json
import re
import urllib.parse


class Phone:
    """A browser on another device with a cookie."""

    def __init__(self, address, context=None):
        parts = urllib.parse.urlsplit(address)
        self.host, self.port, self.context = parts.hostname, parts.port, context
        self.headers = {"User-Agent": "Mozilla/5.0 (iPhone; like Mac OS X) Version/18 Safari/604.1"}
        self.first = self.get(f"{parts.path}?{parts.query}")

    def get(self, path, **headers):
        if self.context:
            connection = http.client.HTTPSConnection(
                self.host, self.port, timeout=60, context=self.context)
        else:
            connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request("GET", path, headers={**self.headers, **headers})
            response = connection.getresponse()
            self.cookie = response.headers.get("Set-Cookie")
            if self.cookie:
                self.headers["Cookie"] = self.cookie.split(";")[0]
            return response.status, response.read().decode()

    def error(self, path="/api/items"):
        status, text = self.get(path)
        assert status == 403, (status, text)
        return json.loads(text)["error"]["code"]

    def code(self):
        """Returns the code on the page of a device that waits."""
        status, text = self.get("/")
        assert status == 200, text
        return re.search(r"\b(\d{4})\b", text).group(1)


def invite(program):
    result = program.run("devices", "add")
    assert result.code == 0, result.err
    return result.out.strip()
