// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsHTTP

/// The options of an item's requests with the address that they were given for, which decides
/// which request gets which of them.
struct RequestAccess: Sendable {
    /// The options.
    let options: RequestOptions
    /// The item's address.
    let address: WebAddress

    /// Returns the headers of a request to an address: the item's own or any other.
    ///
    /// - Parameters:
    ///   - target: The address of the request, also after a redirect.
    ///   - page: The page that named the address; nil for the item's own.
    ///   - date: The time of the request, at which cookies may have expired.
    /// - Returns: The person's headers for the item's origin alone, the cookies that match the
    ///   address, and the Referer.
    func headers(for target: WebAddress, from page: WebAddress?, at date: Date) -> [HTTPHeader] {
        var headers = target.origin == address.origin ? options.headers : []
        if let referrer = (page ?? options.referrer)?.referrer(for: target) {
            headers.append(HTTPHeader("Referer", referrer))
        }
        let pairs = cookies(for: target, at: date).map { "\($0.name)=\($0.value)" }
        guard !pairs.isEmpty else { return headers }
        // A request has one header of cookies.
        let own = headers.filter { $0.name.lowercased() == "cookie" }.map(\.value)
        headers.removeAll { $0.name.lowercased() == "cookie" }
        headers.append(HTTPHeader("Cookie", (own + pairs).joined(separator: "; ")))
        return headers
    }

    /// Returns the cookies of a request, those of longer paths first.
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
    /// By their own rules, cookies ignore ports and, unless they are marked, encryption. Another
    /// port may belong to another person, and everybody can read a request without encryption.
    func isTrusted(_ target: WebAddress) -> Bool {
        if target.scheme == address.scheme, target.port == address.port { return true }
        return address.scheme == "http" && address.port == 80
            && target.scheme == "https" && target.port == 443
    }
}
