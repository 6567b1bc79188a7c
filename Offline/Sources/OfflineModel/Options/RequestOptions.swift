// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// The options of an item's requests, which may contain secrets.
///
/// No text for users contains the values of the options. Only `Texts` has the values, for the
/// registry and for the API between the program's own parts.
package struct RequestOptions: Hashable, Sendable {
    /// The maximum size of all options of an item in bytes.
    package static let maximumBytes = 32 << 10

    /// Headers for the origin of the item's address.
    package var headers: [HTTPHeader] = []
    /// Cookies for the site of the item's address.
    package var cookies: [Cookie] = []
    /// The page that leads to the item's address, or nil to send no Referer.
    package var referrer: WebAddress?
    /// The proxy of all requests, or nil to connect directly to the servers.
    package var proxy: HTTPProxy?
    /// The checksum of the finished file, or nil if none was given.
    package var checksum: Checksum?
    /// The speed of all requests of the item together, or nil if none was given.
    package var limit: SpeedLimit?

    /// Creates options without a value.
    package init() {}

    /// Whether no option has a value.
    package var isEmpty: Bool { self == RequestOptions() }

    /// Returns the options that an item with an address keeps.
    ///
    /// The item keeps only the cookies for the site of the address.
    ///
    /// - Throws: `LibraryError` with `.invalidOption` if the kept options are too large.
    package func kept(for address: WebAddress) throws(LibraryError) -> RequestOptions {
        var kept = self
        kept.cookies = cookies.filter { $0.isOfSite(of: address) }
        guard kept.texts.size <= Self.maximumBytes else {
            throw LibraryError(
                .invalidOption,
                "The headers and cookies of an item have more than \(Self.maximumBytes >> 10) KiB. "
                    + "Pass fewer of them."
            )
        }
        return kept
    }

    /// Checks that items with these addresses can have the options.
    ///
    /// - Throws: `LibraryError` with `.invalidOption` for headers that several servers would get.
    package func check(for addresses: [WebAddress]) throws(LibraryError) {
        guard headers.isEmpty || Set(addresses.map(\.origin)).count <= 1 else {
            throw LibraryError(
                .invalidOption,
                "Headers belong to one server, but these addresses are of several. Add those of "
                    + "one server at a time; nothing was added."
            )
        }
        for address in addresses { _ = try kept(for: address) }
    }

    /// The note of an item whose new address does not get all options.
    package static let noteAfterMove =
        "The headers and cookies of the earlier server are not sent to the new one. If it needs "
        + "some, add its address by itself."

    /// Returns the options of an item whose address is replaced.
    ///
    /// Headers belong to the origin of the old address. Cookies belong to the servers that could
    /// get the cookies from that origin.
    package func moved(from old: WebAddress, to new: WebAddress) -> RequestOptions {
        guard old.origin != new.origin else { return self }
        var moved = self
        moved.headers = []
        let isTrusted = RequestAccess(options: self, address: old).isTrusted(new)
        moved.cookies = isTrusted ? cookies.filter { $0.isOfSite(of: new) } : []
        return moved
    }

    /// Returns these options with the values of newer options, such as renewed cookies.
    package func updated(by newer: RequestOptions) -> RequestOptions {
        var options = self
        if !newer.headers.isEmpty { options.headers = newer.headers }
        if !newer.cookies.isEmpty { options.cookies = newer.cookies }
        options.referrer = newer.referrer ?? referrer
        options.proxy = newer.proxy ?? proxy
        options.checksum = newer.checksum ?? checksum
        options.limit = newer.limit ?? limit
        return options
    }
}

extension RequestOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of the options that have a value.
    package var description: String {
        let names = [
            headers.isEmpty ? nil : "headers", cookies.isEmpty ? nil : "cookies",
            referrer.map { _ in "referrer" }, proxy.map { _ in "proxy" },
            checksum.map { _ in "checksum" }, limit.map { _ in "limit" },
        ]
        return "options: " + names.compactMap(\.self).joined(separator: ", ")
    }

    /// The names of the options that have a value.
    package var debugDescription: String { description }

    /// Only the names, so that a dump contains no secret.
    package var customMirror: Mirror { Mirror(self, children: ["names": description]) }
}
