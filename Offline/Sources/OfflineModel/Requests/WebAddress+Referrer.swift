// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

extension WebAddress {
    /// Returns the Referer of a request that this page causes, in the same way as browsers.
    ///
    /// Another origin receives only the origin of the page, because a query may contain secrets. A
    /// request without encryption to another origin gets no Referer from an encrypted page.
    package func referrer(for address: WebAddress) -> String? {
        if address.origin == origin { return text }
        if scheme == "https", address.scheme == "http" { return nil }
        return redacted.dropLast(path.utf8.count) + "/"
    }
}
