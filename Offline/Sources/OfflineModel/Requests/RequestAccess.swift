// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import TidingsHTTP

/// The options of an item's requests and the address for which the user gave the options.
///
/// The address decides which options a request gets.
package struct RequestAccess: Sendable {
    /// The options.
    package let options: RequestOptions
    /// The item's address.
    let address: WebAddress

    /// Creates the access of an item.
    package init(options: RequestOptions, address: WebAddress) {
        self.options = options
        self.address = address
    }

    /// Returns the headers of a request to the item's address or to any other address.
    ///
    /// - Parameters:
    ///   - target: The address of the request, also after a redirect.
    ///   - page: The page that named the address, or nil for the item's own address.
    ///   - date: The time of the request, at which cookies may have expired.
    /// - Returns: The user's headers if the address has the item's origin, the cookies that match
    ///   the address, and the Referer.
    package func headers(
        for target: WebAddress,
        from page: WebAddress?,
        at date: Date
    ) -> [HTTPHeader] {
        var headers = target.origin == address.origin ? options.headers : []
        if let referrer = (page ?? options.referrer)?.referrer(for: target) {
            headers.append(HTTPHeader("Referer", referrer))
        }
        let pairs = cookies(for: target, at: date).map { "\($0.name)=\($0.value)" }
        guard !pairs.isEmpty else { return headers }
        // A request has only one `Cookie` header.
        let own = headers.filter { $0.name.lowercased() == "cookie" }.map(\.value)
        headers.removeAll { $0.name.lowercased() == "cookie" }
        headers.append(HTTPHeader("Cookie", (own + pairs).joined(separator: "; ")))
        return headers
    }

    /// Returns the cookies of a request.
    ///
    /// Cookies with longer paths come first.
    private func cookies(for target: WebAddress, at date: Date) -> [Cookie] {
        guard isTrusted(target) else { return [] }
        return options.cookies.filter { $0.matches(target, at: date) }
            .enumerated()
            .sorted {
                ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
            }
            .map(\.element)
    }

    /// Returns whether a server may get cookies.
    ///
    /// By their own rules, cookies ignore ports and, unless marked as secure, encryption. Another
    /// port may belong to another user, and anyone can read a request without encryption.
    func isTrusted(_ target: WebAddress) -> Bool {
        if target.scheme == address.scheme, target.port == address.port { return true }
        return address.scheme == "http" && address.port == 80
            && target.scheme == "https" && target.port == 443
    }
}
