// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TidingsHTTP

/// A cookie of a browser or of a file (RFC 6265).
package struct Cookie: Hashable, Sendable {
    /// The host in lowercase, without a leading dot.
    package var domain: String
    /// Whether hosts below the domain also get the cookie.
    package var includesSubdomains: Bool
    /// The beginning of the paths that get the cookie.
    package var path: String
    /// Whether only encrypted requests get the cookie.
    package var isSecure: Bool
    /// The time in seconds since 1970 after which the cookie is not sent, or nil without such a
    /// time.
    package var expiry: Int64?
    /// The name.
    package var name: String
    /// The value.
    package var value: String

    /// Returns whether the host is an address in numbers, which has no hosts below.
    private static func isNumeric(_ host: String) -> Bool {
        host.hasPrefix("[") || host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
    }

    /// Returns whether a request for an address gets the cookie, by the rules of the cookie alone.
    func matches(_ address: WebAddress, at date: Date) -> Bool {
        if let expiry, Double(expiry) <= date.timeIntervalSince1970 { return false }
        if isSecure, address.scheme != "https" { return false }
        return matches(host: address.host) && matches(path: address.path)
    }

    private func matches(host: String) -> Bool {
        if host == domain { return true }
        return includesSubdomains && host.hasSuffix("." + domain) && domain.contains(".")
            && !Self.isNumeric(host)
    }

    private func matches(path requested: String) -> Bool {
        guard requested.utf8.starts(with: path.utf8) else { return false }
        return path.hasSuffix("/") || requested.utf8.count == path.utf8.count
            || requested.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
    }

    // MARK: Sites

    /// Returns whether the cookie belongs to the site of an address.
    ///
    /// Sites decide only which cookies an item keeps, so that the cookies for other hosts of the
    /// item are there. The domain of a cookie decides which request gets the cookie.
    package func isOfSite(of address: WebAddress) -> Bool {
        if domain == address.host { return true }
        guard !Self.isNumeric(domain), !Self.isNumeric(address.host) else { return false }
        let site = Self.site(of: address.host)
        return site.contains(".") && site == Self.site(of: domain)
    }

    /// Returns the last labels of a host, which are two, or three below names such as `co.uk`.
    private static func site(of host: String) -> String {
        let labels = host.split(separator: ".")
        let isShared =
            labels.count > 2 && labels.last?.count == 2
            && sharedNames.contains(String(labels[labels.count - 2]))
        return labels.suffix(isShared ? 3 : 2).joined(separator: ".")
    }

    private static let sharedNames: Set<String> = [
        "ac", "co", "com", "edu", "go", "gob", "gov", "gv", "ne", "net", "or", "org",
    ]
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only the domain, because the name and the value may be secrets.
    package var description: String { "cookie of \(domain)" }

    /// Only the domain, because the name and the value may be secrets.
    package var debugDescription: String { description }

    /// Only the domain, so that a dump contains no secret.
    package var customMirror: Mirror { Mirror(self, children: ["domain": domain]) }
}
