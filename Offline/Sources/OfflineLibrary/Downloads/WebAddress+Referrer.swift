// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

extension WebAddress {
    /// Returns the Referer of a request that this page causes, as browsers send it.
    ///
    /// Another origin learns the origin of the page only, because a query may contain secrets; a
    /// request without encryption to another origin of an encrypted page has none.
    func referrer(for address: WebAddress) -> String? {
        if address.origin == origin { return text }
        if scheme == "https", address.scheme == "http" { return nil }
        return redacted.dropLast(path.utf8.count) + "/"
    }
}
